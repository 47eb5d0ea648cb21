import { requireFeature } from '../auth';
import { type Context, locate } from '../context';
import {
	ApplicationError,
	entityNotFound,
	FrameworkError,
	notAllowed,
	ROUTE_NOT_FOUND,
} from '../errors';
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

/** /v1/templates (since 0.74): list, delete; before that /v1/flow-templates. */
export function templateRoutes(context: Context): void {
	if (context.traits.templatesPath === OLD_PATH) return flowTemplateRoutes(context);
	if (context.traits.leftOverFlowTemplates) return earlyTemplateRoutes(context);
	const { auth, plan, route, traits } = context;
	route('GET', PATH, { query: QUERY }, (request) => {
		const principal = auth.authenticate(request);
		const { type, pieces, tags, search } = request.query;
		// Official ones come from Activepieces Cloud in every request.
		if (type === undefined || type === 'OFFICIAL') {
			return publicTemplates(context);
		}
		const keep = every<TemplateRecord>(
			(row) => row.type === 'CUSTOM',
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

	route('DELETE', `${PATH}/:id`, {}, (request) => {
		const principal = auth.platform(request);
		const { id } = request.params;
		const { data, template } = findOrThrow(context, id);
		if (template.type !== 'CUSTOM' && !traits.canDeleteShared) {
			throw notAllowed({ message: 'Cannot delete official or shared templates' });
		}
		if (template.type === 'CUSTOM') auth.requireOwner(principal);
		if (data !== principal.platform) {
			throw notAllowed({ message: 'Template does not belong to your platform' });
		}
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

	route('DELETE', `${PATH}/:id`, {}, (request) => {
		const principal = auth.platform(request);
		const { data, template } = findOrThrow(context, request.params.id);
		if (template.type === 'CUSTOM') auth.requireOwner(principal);
		remove(data, template);
	});
}

/** /v1/flow-templates, up to 0.73: list, delete. */
function flowTemplateRoutes(context: Context): void {
	const { auth, edition, plan, route } = context;
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

	route('DELETE', `${OLD_PATH}/:id`, {}, (request) => {
		const principal = auth.platform(request);
		auth.refuseProjectId(request, principal.projectId);
		const { id } = request.params;
		const missing = entityNotFound({ message: `Flow template ${id} is not found` });
		// This release does not check the owner of the template: another platform's key deletes it too.
		const { data, template } = findOrThrow(context, id, missing);
		if (template.type === 'PROJECT' && principal.type === 'SERVICE') throw notAllowed({});
		if (template.type === 'PLATFORM') auth.requireOwner(principal);
		remove(data, template);
	});
}
