import { requireFeature } from '../auth';
import { publicTemplates } from '../catalogue';
import type { Context } from '../context';
import { conflict, entityNotFound, refuseNul } from '../errors';
import { containsLike, every, when } from '../list';
import type { TemplateRecord } from '../records';
import type { Fields } from '../schema';

interface TemplateQuery {
	type?: 'OFFICIAL' | 'SHARED' | 'CUSTOM';
	pieces?: string[];
	tags?: Array<Record<string, unknown>>;
	search?: string;
}

/** Tags are complete objects here: a title alone is refused with 400. */
const FILTERS: Fields = {
	pieces: { type: 'strings' },
	tags: { type: 'objects' },
	search: { type: 'string' },
};

/**
 * 0.74 to 0.76, read in the source of 0.75.0, not recorded: /v1/templates, and a leftover
 * /v1/flow-templates that returns the public catalog, never the platform's own templates.
 */
export function earlyTemplateRoutes({
	auth,
	options,
	own,
	other,
	plan,
	route,
	traits,
}: Context): void {
	const source = options.templatesSource ?? 'catalogue';

	route(
		'GET',
		'/v1/flow-templates',
		(request) => {
			auth.authenticate(request);
			return publicTemplates(source, traits, request.query as TemplateQuery);
		},
		{ query: FILTERS },
	);

	route(
		'GET',
		'/v1/templates',
		(request) => {
			const principal = auth.authenticate(request);
			const { type = 'OFFICIAL', pieces, tags, search } = request.query as TemplateQuery;
			if (principal.type === 'UNKNOWN' || type === 'OFFICIAL') {
				return publicTemplates(source, traits, { pieces, search });
			}
			if (type === 'SHARED') {
				throw conflict('Invalid request, shared templates are not supported to being listed');
			}
			requireFeature(plan.manageTemplatesEnabled, 'Templates are not enabled for this platform');
			refuseNul(search);
			const keep = every<TemplateRecord>(
				(row) => row.type === 'CUSTOM',
				when(pieces, (wanted) => (row) => row.pieces.some((piece) => wanted.includes(piece))),
				when(tags, (wanted) => (row) => wanted.every((tag) => hasTag(row, tag))),
				when(search, (text) => {
					const matches = containsLike(text);
					return (row) => matches(row.name) && matches(row.description);
				}),
			);
			return { data: principal.platform.templates.filter(keep), next: null, previous: null };
		},
		{ query: { type: { type: 'enum', values: ['OFFICIAL', 'SHARED', 'CUSTOM'] }, ...FILTERS } },
	);

	const find = (id: string) => {
		refuseNul(id);
		for (const data of [own, other]) {
			const template = data.templates.find((row) => row.id === id);
			if (template) return { data, template };
		}
		const message = `Template ${id} not found`;
		throw entityNotFound({ entityType: 'template', entityId: id, message });
	};

	route(
		'GET',
		'/v1/templates/:id',
		(request) => find((request.params as { id: string }).id).template,
	);

	route('DELETE', '/v1/templates/:id', (request, reply) => {
		const principal = auth.platform(request);
		const { data, template } = find((request.params as { id: string }).id);
		if (template.type === 'CUSTOM') auth.requireOwner(principal);
		data.templates = data.templates.filter((row) => row !== template);
		return reply.status(204).send();
	});
}

function hasTag({ tags }: TemplateRecord, wanted: Record<string, unknown>): boolean {
	return tags.some((tag) =>
		Object.entries(wanted).every(([key, value]) => Object(tag)[key] === value),
	);
}
