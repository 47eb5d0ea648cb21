import type { FastifyRequest } from 'fastify';

import { publicTemplates } from '../catalogue';
import type { Context } from '../context';
import { entityNotFound, notAllowed, refuseNul } from '../errors';
import { containsLike, every, when } from '../list';
import type { TemplateRecord } from '../records';
import { earlyTemplateRoutes } from './earlyTemplates';
import { flowTemplateRoutes } from './flowTemplates';

const PATH = '/v1/templates';

interface TemplateQuery {
	type?: 'OFFICIAL' | 'SHARED' | 'CUSTOM';
	pieces?: string[];
	tags?: string[];
	search?: string;
}

/** /v1/templates (since 0.74): list, get one, delete; before that /v1/flow-templates. */
export function templateRoutes(context: Context): void {
	const { auth, options, own, other, plan, route, traits } = context;
	if (traits.templatesPath !== PATH) {
		flowTemplateRoutes(context);
		return;
	}
	if (traits.leftOverFlowTemplates) {
		earlyTemplateRoutes(context);
		return;
	}
	const find = (request: FastifyRequest) => {
		const { id } = request.params as { id: string };
		refuseNul(id);
		for (const data of [own, other]) {
			const template = data.templates.find((row) => row.id === id);
			if (template) return { data, template };
		}
		return undefined;
	};
	const findOrThrow = (request: FastifyRequest) => {
		const found = find(request);
		if (found) return found;
		const { id } = request.params as { id: string };
		const message = `Template ${id} not found`;
		throw entityNotFound({ entityType: 'template', entityId: id, message });
	};

	route(
		'GET',
		PATH,
		(request) => {
			const principal = auth.authenticate(request);
			const { type, pieces, tags, search } = request.query as TemplateQuery;
			// Official ones come from Activepieces Cloud in every request.
			if (type === undefined || type === 'OFFICIAL') {
				return publicTemplates(options.templatesSource, traits, { pieces, search });
			}
			refuseNul(search);
			const keep = every<TemplateRecord>(
				(row) => row.type === 'CUSTOM',
				when(pieces, (wanted) => (row) => row.pieces.some((piece) => wanted.includes(piece))),
				when(tags, (wanted) => (row) => {
					const titles = row.tags.map((tag) => (typeof tag === 'string' ? tag : tag.title));
					return wanted.every((tag) => titles.includes(tag));
				}),
				when(search, (text) => {
					const matches = containsLike(text);
					return (row) => [row.name, row.summary ?? '', row.description].some(matches);
				}),
			);
			const listed =
				type === 'CUSTOM' && principal.type !== 'UNKNOWN' && plan.manageTemplatesEnabled;
			const data = listed ? principal.platform.templates.filter(keep) : [];
			return { data, next: null, previous: null };
		},
		{
			query: {
				type: { type: 'enum', values: ['OFFICIAL', 'SHARED', 'CUSTOM'] },
				pieces: { type: 'strings' },
				tags: { type: 'strings' },
				search: { type: 'string' },
				category: { type: 'string' },
			},
		},
	);

	// An unknown one may be a public one, so Activepieces Cloud is asked.
	route(
		'GET',
		`${PATH}/:id`,
		(request) => find(request)?.template ?? publicTemplates('unreachable', traits),
	);

	route('DELETE', `${PATH}/:id`, (request, reply) => {
		const principal = auth.platform(request);
		const { data, template } = findOrThrow(request);
		if (template.type !== 'CUSTOM' && !traits.canDeleteShared) {
			throw notAllowed({ message: 'Cannot delete official or shared templates' });
		}
		if (template.type === 'CUSTOM') auth.requireOwner(principal);
		if (data !== principal.platform) {
			throw notAllowed({ message: 'Template does not belong to your platform' });
		}
		data.templates = data.templates.filter((row) => row !== template);
		return reply.status(204).send();
	});
}
