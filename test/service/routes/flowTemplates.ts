import type { Context } from '../context';
import { ApplicationError, entityNotFound, notAllowed } from '../errors';
import { every, like, when, wholeList } from '../list';
import type { TemplateRecord } from '../records';
import {
	description,
	findOrThrow,
	name,
	ofPieces,
	publicTemplates,
	QUERY,
	remove,
} from './templates';

const PATH = '/v1/flow-templates';

const LIST = QUERY.omit({ type: true });

const notFound = (id: string) => entityNotFound({ message: `Flow template ${id} is not found` });

/** /v1/flow-templates, up to 0.73: list, delete. */
export function flowTemplateRoutes(context: Context): void {
	const { auth, edition, plan, route, traits } = context;
	if (traits.templatesPath !== PATH) return;
	if (edition === 'community') {
		route('GET', PATH, {}, (request) => {
			auth.authenticate(request);
			return publicTemplates(context);
		});
		return;
	}
	route('GET', PATH, { query: LIST }, (request) => {
		const principal = auth.authenticate(request);
		if (principal.type === 'UNKNOWN') {
			const prop = 'CLOUD_PLATFORM_ID';
			throw new ApplicationError(400, 'SYSTEM_PROP_NOT_DEFINED', { prop });
		}
		// Without templates of its own, a platform gets those of Activepieces Cloud.
		if (!plan.manageTemplatesEnabled) return publicTemplates(context);
		const { pieces, tags, search } = request.query;
		const keep = every<TemplateRecord>(
			(row) => row.type === 'PLATFORM',
			ofPieces(pieces),
			when(tags, (wanted) => (row) => wanted.every((tag) => row.tags.includes(tag))),
			// A text has to occur in both.
			like(search, name),
			like(search, description),
		);
		return wholeList(principal.platform.templates.filter(keep));
	});

	route('DELETE', `${PATH}/:id`, {}, (request) => {
		const principal = auth.platform(request);
		auth.refuseProjectId(request, principal.projectId);
		const { id } = request.params;
		// This release does not check the owner of the template: another platform's key deletes it too.
		const { data, template } = findOrThrow(context, id, notFound(id));
		if (template.type === 'PROJECT' && principal.type === 'SERVICE') throw notAllowed({});
		remove(data, template);
	});
}
