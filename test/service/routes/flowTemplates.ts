import type { FastifyRequest } from 'fastify';

import { publicTemplates } from '../catalogue';
import type { Context } from '../context';
import { ApplicationError, entityNotFound, notAllowed } from '../errors';
import { containsLike, every, when } from '../list';
import type { TemplateRecord } from '../records';

const PATH = '/v1/flow-templates';

interface TemplateQuery {
	pieces?: string[];
	tags?: string[];
	search?: string;
}

/** /v1/flow-templates, up to 0.73: list, get one, delete. */
export function flowTemplateRoutes(context: Context): void {
	const { auth, edition, options, own, other, plan, route, traits } = context;
	if (edition === 'community') {
		route('GET', PATH, (request) => {
			auth.authenticate(request);
			return publicTemplates(options.templatesSource, traits);
		});
		return;
	}
	const idOf = (request: FastifyRequest) => (request.params as { id: string }).id;
	const find = (id: string) => {
		const found = [own, other]
			.map((data) => ({ data, template: data.templates.find((row) => row.id === id) }))
			.find(({ template }) => template);
		if (!found?.template) throw entityNotFound({ message: `Flow template ${id} is not found` });
		return { data: found.data, template: found.template };
	};

	route(
		'GET',
		PATH,
		(request) => {
			const principal = auth.authenticate(request);
			if (principal.type === 'UNKNOWN') {
				const prop = 'CLOUD_PLATFORM_ID';
				throw new ApplicationError(400, 'SYSTEM_PROP_NOT_DEFINED', { prop });
			}
			// Without templates of its own, a platform gets those of Activepieces Cloud.
			if (!plan.manageTemplatesEnabled) return publicTemplates(options.templatesSource, traits);
			const { pieces, tags, search } = request.query as TemplateQuery;
			const keep = every<TemplateRecord>(
				(row) => row.type === 'PLATFORM',
				when(pieces, (wanted) => (row) => row.pieces.some((piece) => wanted.includes(piece))),
				when(tags, (wanted) => (row) => wanted.every((tag) => row.tags.includes(tag))),
				when(search, (text) => {
					const matches = containsLike(text);
					return (row) => matches(row.name) && matches(row.description);
				}),
			);
			const data = principal.platform.templates
				.filter(keep)
				.sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
			return { next: null, previous: null, data };
		},
		{
			query: { pieces: { type: 'strings' }, tags: { type: 'strings' }, search: { type: 'string' } },
		},
	);

	route('GET', `${PATH}/:id`, (request) => {
		auth.authenticate(request);
		return find(idOf(request)).template;
	});

	route('DELETE', `${PATH}/:id`, (request, reply) => {
		const principal = auth.platform(request);
		auth.refuseProjectId(request, principal);
		// This release does not check the owner of the template: another platform's key deletes it too.
		const { data, template } = find(idOf(request));
		if (template.type === 'PROJECT' && principal.type === 'SERVICE') throw notAllowed({});
		if (template.type === 'PLATFORM') auth.requireOwner(principal);
		data.templates = data.templates.filter((row) => row !== template);
		return reply.status(204).send();
	});
}
