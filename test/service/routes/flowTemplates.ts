import { z } from 'zod/v4';

import { locate, type Context } from '../context';
import {
	ApplicationError,
	entityNotFound,
	foreignKey,
	FrameworkError,
	notAllowed,
} from '../errors';
import { madeAt, makeId } from '../ids';
import { every, when, wholeList } from '../list';
import type { TemplateRecord } from '../records';
import { list, shape, text } from '../schema';
import {
	findOrThrow,
	FLOW,
	inNameAndDescription,
	ofPieces,
	piecesOfFlows,
	publicTemplates,
	QUERY,
	remove,
} from './templates';

const PATH = '/v1/flow-templates';

const LIST = QUERY.omit({ type: true });
const CREATE = shape({
	type: z.enum(['PLATFORM', 'PROJECT']),
	id: text,
	description: text,
	tags: list(text),
	blogUrl: text,
	metadata: z.record(z.string(), z.unknown()).nullish(),
	template: FLOW.omit({ notes: true }).optional(),
});

const notFound = (id: string) => entityNotFound({ message: `Flow template ${id} is not found` });

/** /v1/flow-templates, up to 0.73: list, get, create, delete. */
export function flowTemplateRoutes(context: Context): void {
	const { auth, edition, now, plan, route, traits } = context;
	if (traits.templatesPath !== PATH) return;
	let made = 0;
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
			inNameAndDescription(search),
		);
		const rows = principal.platform.templates.filter(keep);
		rows.sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
		return wholeList(rows);
	});

	route('GET', `${PATH}/:id`, {}, (request) => {
		const { id } = request.params;
		return findOrThrow(context, id, notFound(id)).template;
	});

	// With the ID of a template, of any platform, it is replaced.
	route('POST', PATH, { body: CREATE }, (request, reply) => {
		const principal = auth.platform(request);
		auth.requireOwner(principal);
		const { id = makeId('new template', made++), template, ...body } = request.body;
		if (template?.trigger === undefined) {
			throw new FrameworkError(500, "Cannot read properties of undefined (reading 'trigger')");
		}
		if (body.type === 'PROJECT') throw foreignKey('flow_template', 'project');
		const { displayName = '', trigger, valid, schemaVersion } = template;
		const { platform } = principal;
		const stored = {
			...{ ...madeAt(id, now()), name: displayName, description: '', tags: [], blogUrl: null },
			...{ metadata: null, ...body, platformId: platform.platformId, projectId: null },
			template: { displayName, trigger, valid, schemaVersion },
			pieces: piecesOfFlows([template]),
		};
		const { data, row } = locate(context, ({ templates }) => templates, id);
		if (row) remove(data, row);
		platform.templates = [...platform.templates, stored as unknown as TemplateRecord];
		return reply.status(201).send(stored);
	});

	route('DELETE', `${PATH}/:id`, {}, (request) => {
		const principal = auth.platform(request);
		auth.refuseProjectId(request, principal.projectId);
		const { id } = request.params;
		// This release does not check the owner of the template: another platform's key deletes it too.
		const { data, template } = findOrThrow(context, id, notFound(id));
		if (template.type === 'PROJECT' && principal.type === 'SERVICE') throw notAllowed({});
		if (template.type === 'PLATFORM') auth.requireOwner(principal);
		remove(data, template);
	});
}
