import { z } from 'zod/v4';

import { type KnownPrincipal, requireFeature } from '../auth';
import { type Context, locate } from '../context';
import {
	ApplicationError,
	conflict,
	entityNotFound,
	FrameworkError,
	notAllowed,
	ROUTE_NOT_FOUND,
	uselessError,
} from '../errors';
import { stepsFrom } from '../flowImport';
import { madeAt, makeId } from '../ids';
import { every, like, oneOfThese, when, wholeList } from '../list';
import type { ServiceData, TemplateRecord } from '../records';
import { list, object, oneOf, shape, text } from '../schema';

const PATH = '/v1/templates';
const OLD_PATH = '/v1/flow-templates';

const QUERY = shape({
	type: oneOf(['OFFICIAL', 'SHARED', 'CUSTOM']),
	pieces: list(text),
	tags: list(text),
	search: text,
});
// Tags are complete objects in 0.74 to 0.76: a title alone is refused with 400.
const EARLY_QUERY = QUERY.extend({ tags: list(object) });
const OLD_QUERY = QUERY.omit({ type: true });

const FLOW = z.object({
	displayName: text,
	trigger: object,
	valid: z.boolean().optional(),
	schemaVersion: z.string().nullish(),
	notes: z.array(z.unknown()).optional(),
});
const CREATE = z.object({
	type: z.enum(['OFFICIAL', 'SHARED', 'CUSTOM']),
	name: z.string(),
	summary: z.string(),
	description: z.string(),
	tags: z
		.array(z.object({ title: z.string(), color: z.string(), icon: z.string().optional() }))
		.optional(),
	blogUrl: text,
	metadata: z.record(z.string(), z.unknown()).nullish(),
	author: z.string(),
	categories: z.array(z.string()),
	flows: z.array(FLOW).optional(),
});
const CHANGE = CREATE.omit({ type: true, author: true })
	.partial()
	.extend({ status: oneOf(['PUBLISHED', 'ARCHIVED']) });
const OLD_CREATE = shape({
	type: z.enum(['PLATFORM', 'PROJECT']),
	id: text,
	description: text,
	tags: list(text),
	blogUrl: text,
	metadata: z.record(z.string(), z.unknown()).nullish(),
	template: FLOW.omit({ notes: true }).optional(),
});

const name = (row: TemplateRecord) => row.name;
const summary = (row: TemplateRecord) => ('summary' in row ? row.summary : '');
const description = (row: TemplateRecord) => row.description;

const ofPieces = (pieces: string[] | undefined) =>
	oneOfThese<TemplateRecord>(pieces, (row) => row.pieces);

/** Up to 0.76 a text had to occur in both. */
const inNameAndDescription = (search: string | undefined) =>
	every<TemplateRecord>(like(search, name), like(search, description));

/** What Activepieces Cloud responds, passed on; 500 without access to the internet. */
function publicTemplates({ options }: Context): unknown {
	if (options.templatesSource === 'gone') return ROUTE_NOT_FOUND;
	throw new FrameworkError(500, 'fetch failed');
}

/** The template of a path, with its platform. */
function findOrThrow(context: Context, id: string, missing = notFound(id)) {
	const { data, row: template } = locate(context, ({ templates }) => templates, id);
	if (!template) throw missing;
	return { data, template };
}

function remove(data: ServiceData, template: TemplateRecord): void {
	data.templates = data.templates.filter((row) => row !== template);
}

function notFound(id: string): ApplicationError {
	const message = `Template ${id} not found`;
	return entityNotFound({ entityType: 'template', entityId: id, message });
}

const oldNotFound = (id: string) => entityNotFound({ message: `Flow template ${id} is not found` });

/** The pieces of a trigger and its steps. */
const piecesOf = (trigger: unknown): string[] =>
	stepsFrom(trigger).flatMap(({ settings }) => {
		const { pieceName } = (settings ?? {}) as { pieceName?: string };
		return pieceName === undefined ? [] : [pieceName];
	});

const piecesOfFlows = (flows: Array<{ trigger?: unknown }>) => [
	...new Set(flows.flatMap(({ trigger }) => piecesOf(trigger))),
];

/** /v1/templates (since 0.74): list, get, create, update, delete; before that /v1/flow-templates. */
export function templateRoutes(context: Context): void {
	if (context.traits.templatesPath === OLD_PATH) return flowTemplateRoutes(context);
	if (context.traits.leftOverFlowTemplates) return earlyTemplateRoutes(context);
	const { auth, plan, route } = context;
	route('GET', PATH, { query: QUERY }, (request) => {
		const principal = auth.authenticate(request);
		const { type, pieces, tags, search } = request.query;
		// Official ones come from Activepieces Cloud in every request.
		if (type === undefined || type === 'OFFICIAL') {
			return publicTemplates(context);
		}
		const keep = every<TemplateRecord>(
			(row) => row.type === 'CUSTOM' && 'status' in row && row.status === 'PUBLISHED',
			ofPieces(pieces),
			when(tags, (wanted) => (row) => {
				const titles = row.tags.map((tag) => (typeof tag === 'string' ? tag : tag.title));
				return wanted.every((tag) => titles.includes(tag));
			}),
			like(search, name, summary, description),
		);
		const isListed =
			type === 'CUSTOM' && principal.type !== 'UNKNOWN' && plan.manageTemplatesEnabled;
		return wholeList(isListed ? principal.platform.templates.filter(keep) : []);
	});

	templateChangeRoutes(context);
}

/** 0.74 to 0.79 check neither the platform of a template nor, in an update, who changes it. */
function templateChangeRoutes(context: Context): void {
	const { auth, now, own, route, traits } = context;
	const empties = !traits.leftOverFlowTemplates;
	let made = 0;

	// For everybody who knows the ID, without a key; the server asks Activepieces Cloud for others.
	route('GET', `${PATH}/:id`, {}, (request) => {
		const { row } = locate(context, ({ templates }) => templates, request.params.id);
		return row ?? publicTemplates(context);
	});

	route('POST', PATH, { body: CREATE }, (request, reply) => {
		const principal = auth.platform(request);
		const { flows = [], tags = [], ...body } = request.body;
		if (body.type === 'OFFICIAL') {
			throw conflict('Official templates are not supported to being created');
		}
		const isShared = body.type === 'SHARED';
		if (!isShared) auth.requireOwner(principal);
		if (flows.length === 0) throw conflict('Flows are required');
		if (flows.some(({ trigger }) => trigger === undefined)) throw uselessError(500);
		const { platform } = isShared ? { platform: own } : principal;
		const id = makeId(`${platform.platformId}/new template`, made++);
		const template = {
			...{ ...madeAt(id, now()), blogUrl: null, metadata: null, ...body, flows, tags },
			platformId: isShared ? null : platform.platformId,
			pieces: piecesOfFlows(flows),
			status: 'PUBLISHED',
			tables: null,
		};
		platform.templates = [...platform.templates, template as TemplateRecord];
		return reply.status(201).send(template);
	});

	/** The template of a path, if it may be changed. */
	const changeable = (id: string, principal: KnownPrincipal, verb: 'delete' | 'update') => {
		const { data, template } = findOrThrow(context, id);
		const isChecked = traits.templatesChecked || verb === 'delete';
		if (template.type !== 'CUSTOM' && !traits.canDeleteShared) {
			throw notAllowed({ message: `Cannot ${verb} official or shared templates` });
		}
		if (template.type === 'CUSTOM' && isChecked) auth.requireOwner(principal);
		if (data !== principal.platform && traits.templatesChecked) {
			throw notAllowed({ message: 'Template does not belong to your platform' });
		}
		return { data, template };
	};

	// Without flows, the update of a template of the platform empties its flows, from 0.79 on.
	route('POST', `${PATH}/:id`, { body: CHANGE }, (request) => {
		const { template } = changeable(request.params.id, auth.platform(request), 'update');
		const changes = request.body;
		const flows = changes.flows ?? (empties && template.type === 'CUSTOM' ? [] : undefined);
		const content = flows && { flows, pieces: piecesOfFlows(flows) };
		return Object.assign(template, changes, content, { updated: now() });
	});

	route('DELETE', `${PATH}/:id`, {}, (request) => {
		const { data, template } = changeable(request.params.id, auth.platform(request), 'delete');
		remove(data, template);
	});
}

/**
 * 0.74 to 0.76, read in the source of 0.75.0, not recorded: /v1/templates, and a leftover
 * /v1/flow-templates that returns the public catalog, never the platform's own templates.
 */
function earlyTemplateRoutes(context: Context): void {
	const { auth, plan, route } = context;
	route('GET', OLD_PATH, {}, () => publicTemplates(context));

	route('GET', PATH, { query: EARLY_QUERY }, (request) => {
		const principal = auth.authenticate(request);
		const { type, pieces, search } = request.query;
		if (principal.type === 'UNKNOWN' || type !== 'CUSTOM') return publicTemplates(context);
		requireFeature(plan.manageTemplatesEnabled, 'Templates are not enabled for this platform');
		const keep = every<TemplateRecord>(
			(row) => row.type === 'CUSTOM',
			ofPieces(pieces),
			inNameAndDescription(search),
		);
		return wholeList(principal.platform.templates.filter(keep));
	});

	templateChangeRoutes(context);
}

/** /v1/flow-templates, up to 0.73: list, get, create, delete. */
function flowTemplateRoutes(context: Context): void {
	const { auth, edition, now, plan, route } = context;
	let made = 0;
	if (edition === 'community') {
		route('GET', OLD_PATH, {}, (request) => {
			auth.authenticate(request);
			return publicTemplates(context);
		});
		return;
	}
	route('GET', OLD_PATH, { query: OLD_QUERY }, (request) => {
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

	route('GET', `${OLD_PATH}/:id`, {}, (request) => {
		const { id } = request.params;
		return findOrThrow(context, id, oldNotFound(id)).template;
	});

	// With the ID of a template, of any platform, it is replaced.
	route('POST', OLD_PATH, { body: OLD_CREATE }, (request, reply) => {
		const principal = auth.platform(request);
		auth.requireOwner(principal);
		const { id = makeId('new template', made++), template, ...body } = request.body;
		if (template?.trigger === undefined) {
			throw new FrameworkError(500, "Cannot read properties of undefined (reading 'trigger')");
		}
		if (body.type === 'PROJECT') {
			const constraint = 'violates foreign key constraint "fk_flow_template_project_id"';
			throw new FrameworkError(
				500,
				`insert or update on table "flow_template" ${constraint}`,
				'23503',
			);
		}
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

	route('DELETE', `${OLD_PATH}/:id`, {}, (request) => {
		const principal = auth.platform(request);
		auth.refuseProjectId(request, principal.projectId);
		const { id } = request.params;
		// This release does not check the owner of the template: another platform's key deletes it too.
		const { data, template } = findOrThrow(context, id, oldNotFound(id));
		if (template.type === 'PROJECT' && principal.type === 'SERVICE') throw notAllowed({});
		if (template.type === 'PLATFORM') auth.requireOwner(principal);
		remove(data, template);
	});
}
