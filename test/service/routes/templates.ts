import { z } from 'zod/v4';

import { requireFeature, type KnownPrincipal } from '../auth';
import { locate, type Context } from '../context';
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

export const QUERY = shape({
	type: oneOf(['OFFICIAL', 'SHARED', 'CUSTOM']),
	pieces: list(text),
	tags: list(text),
	search: text,
});

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

export const name = (row: TemplateRecord) => row.name;
const summary = (row: TemplateRecord) => ('summary' in row ? row.summary : '');
export const description = (row: TemplateRecord) => row.description;

export const ofPieces = (pieces: string[] | undefined) =>
	oneOfThese<TemplateRecord>(pieces, (row) => row.pieces);

/** What Activepieces Cloud responds, passed on; 500 without access to the internet. */
export function publicTemplates({ options }: Context): unknown {
	if (options.templatesSource === 'gone') return ROUTE_NOT_FOUND;
	throw new FrameworkError(500, 'fetch failed');
}

/** The template of a path, with its platform. */
export function findOrThrow(context: Context, id: string, missing = notFound(id)) {
	const { data, row: template } = locate(context, ({ templates }) => templates, id);
	if (!template) throw missing;
	return { data, template };
}

export function remove(data: ServiceData, template: TemplateRecord): void {
	data.templates = data.templates.filter((row) => row !== template);
}

function notFound(id: string): ApplicationError {
	const message = `Template ${id} not found`;
	return entityNotFound({ entityType: 'template', entityId: id, message });
}

/** The pieces of a trigger and its steps. */
const piecesOf = (trigger: unknown): string[] =>
	stepsFrom(trigger).flatMap(({ settings }) => {
		const { pieceName } = (settings ?? {}) as { pieceName?: string };
		return pieceName === undefined ? [] : [pieceName];
	});

const piecesOfFlows = (flows: Array<{ trigger?: unknown }>) => [
	...new Set(flows.flatMap(({ trigger }) => piecesOf(trigger))),
];

/** /v1/templates (since 0.74): list, get, create, update, delete; flowTemplates.ts has the routes before. */
export function templateRoutes(context: Context): void {
	if (context.traits.templatesPath !== PATH) return;
	const { auth, plan, route, traits } = context;
	route('GET', PATH, { query: QUERY }, (request) => {
		const principal = auth.authenticate(request);
		const { type, pieces, tags, search } = request.query;
		// Official ones come from Activepieces Cloud in every request.
		if (type === undefined || type === 'OFFICIAL') {
			return publicTemplates(context);
		}
		if (traits.templatesNeedPlan) {
			requireFeature(plan.manageTemplatesEnabled, 'Templates are not enabled for this platform');
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
		const flows = changes.flows ?? (template.type === 'CUSTOM' ? [] : undefined);
		const content = flows && { flows, pieces: piecesOfFlows(flows) };
		return Object.assign(template, changes, content, { updated: now() });
	});

	route('DELETE', `${PATH}/:id`, {}, (request) => {
		const { data, template } = changeable(request.params.id, auth.platform(request), 'delete');
		remove(data, template);
	});
}
