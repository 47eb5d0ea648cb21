import type { FastifyRequest } from 'fastify';

import type { KnownPrincipal, UserPrincipal } from '../auth';
import { BY_ID, type Context } from '../context';
import { byTypeAndName, compareProjects } from '../cursor';
import { ApplicationError, conflict, duplicateKey, entityNotFound } from '../errors';
import { makeId } from '../ids';
import { equal, every, like, oneOfThese, paged, paginate, wholeList } from '../list';
import { RecordMaker } from '../make';
import { removeProject, type ProjectRecord, type ServiceData } from '../records';
import { list, object, oneOf, projectName, required, shape, text } from '../schema';
import { firstProject } from '../sessions';

const QUERY = paged({
	displayName: text,
	externalId: text,
	types: list(oneOf(['TEAM', 'PERSONAL'])),
});
const UPDATE = shape({ displayName: projectName, externalId: text, metadata: object });
const CREATE = UPDATE.extend({
	displayName: required(projectName),
	externalId: text.nullable(),
	metadata: object.nullable(),
	globalConnectionExternalIds: list(text),
});

/** Those in a list: all for keys and admins, for others their own and those of their roles. */
function visibleProjects(principal: KnownPrincipal): ProjectRecord[] {
	const { projects, members } = principal.platform;
	const sorted = [...projects].sort(compareProjects);
	if (principal.type === 'SERVICE' || principal.user.platformRole === 'ADMIN') return sorted;
	const { id } = principal.user;
	return sorted.filter(
		(project) =>
			(project.type === 'PERSONAL' && project.ownerId === id) ||
			members.some(({ userId, projectId }) => userId === id && projectId === project.id),
	);
}

/** A project of the Community edition before it had plans of projects. */
function withoutPlan(project: ProjectRecord): Record<string, unknown> {
	const entries = Object.entries(project).filter(([key]) => key !== 'plan' && key !== 'analytics');
	return { ...Object.fromEntries(entries), deleted: null, externalId: project.externalId || null };
}

/** The only project of a person in the Community edition. */
function ownProjects(person: UserPrincipal) {
	const id = firstProject(person);
	return person.platform.projects.filter((project) => project.id === id).map(withoutPlan);
}

/** @throws ApplicationError for a key, which only 0.73 has here */
function assertPerson(principal: KnownPrincipal): UserPrincipal {
	if (principal.type === 'USER') return principal;
	throw conflict('missing project id in request');
}

/** GET /v1/projects and /v1/projects/{id}: 50 rows by default. */
export function projectRoutes(context: Context): void {
	const { auth, edition, route, traits } = context;
	projectChangeRoutes(context);
	if (traits.usersProjects) userProjectRoutes(context);
	if (edition === 'community' && !traits.communityTeamProjects) {
		if (!traits.usersProjects) communityProjectRoutes(context);
		return;
	}
	route('GET', '/v1/projects', { query: QUERY }, (request) => {
		const principal = auth.platform(request);
		if (traits.old) auth.requireOwner(principal);
		const { displayName, externalId, types } = request.query;
		const keep = every<ProjectRecord>(
			like(displayName, (row) => row.displayName),
			equal(externalId, (row) => row.externalId),
			oneOfThese(types, (row) => row.type),
		);
		return paginate(request, visibleProjects(principal), keep, byTypeAndName, 50);
	});

	route('GET', '/v1/projects/:id', {}, (request) => ({
		...auth.projectOfPath(request).project,
		deleted: null,
	}));
}

/** Community of 0.77 to 0.79: a person's own project, whatever the request, and any project by its ID. */
function communityProjectRoutes({ auth, route }: Context): void {
	route('GET', '/v1/projects', {}, (request) =>
		wholeList(ownProjects(assertPerson(auth.platform(request)))),
	);

	route('GET', '/v1/projects/:id', BY_ID, (request) => {
		const { principal, project } = auth.projectOfPath(request);
		assertPerson(principal);
		return withoutPlan(project);
	});
}

/** GET /v1/users/projects: those of the person signed in, in Community exactly one, their own. */
function userProjectRoutes({ auth, edition, route }: Context): void {
	const isCommunity = edition === 'community';
	route('GET', '/v1/users/projects', { query: paged({}) }, (request) => {
		const person = assertPerson(auth.platform(request));
		if (isCommunity) return wholeList(ownProjects(person));
		return paginate(request, visibleProjects(person), () => true, byTypeAndName);
	});
}

/** For keys and the platform's admins (recorded; the refusal of members was read in the source). */
function projectChangeRoutes({ auth, edition, flowChanges, now, route, traits }: Context): void {
	const isCommunity = edition === 'community';
	const hasTeamProjects = !isCommunity || traits.communityTeamProjects;
	const hasExternalId = (data: ServiceData, externalId: string | null | undefined, id?: string) =>
		Boolean(externalId) &&
		data.projects.some((each) => each.externalId === externalId && each.id !== id);
	const findOwn = (request: FastifyRequest) => {
		const { platform } = auth.platformAdmin(request);
		const { id } = request.params as { id: string };
		return { id, platform, project: platform.projects.find((each) => each.id === id) };
	};
	const unknown = (id: string) => entityNotFound({ entityId: id, entityType: 'project' });

	if (hasTeamProjects) {
		route('POST', '/v1/projects', { body: CREATE }, (request, reply) => {
			const { platform } = auth.platformAdmin(request);
			const { displayName, externalId, metadata = null } = request.body;
			if (isCommunity && platform.projects.some(({ type }) => type === 'TEAM')) {
				throw new ApplicationError(402, 'FEATURE_DISABLED', {
					message:
						'Maximum limit of 1 team project reached for this plan. Upgrade your plan to add more team projects.',
				});
			}
			if (hasExternalId(platform, externalId)) {
				throw duplicateKey('idx_project_platform_id_external_id');
			}
			const make = new RecordMaker(traits, platform.admin);
			const at = now();
			const id = makeId(`${platform.platformId}/project of ${at}`);
			const project = make.project(id, displayName, platform.projects.length);
			Object.assign(project, { created: at, updated: at, metadata });
			project.externalId = externalId ?? project.externalId;
			platform.projects = [...platform.projects, project];
			// Those that are unknown are ignored (recorded).
			const { globalConnectionExternalIds = [] } = request.body;
			for (const row of platform.connections) {
				const isNamed = globalConnectionExternalIds.includes(row.externalId);
				if (isNamed) row.projectIds = [...row.projectIds, id];
			}
			return reply.status(201).send(project);
		});
	}

	route('POST', '/v1/projects/:id', { body: UPDATE }, (request) => {
		const { id, platform, project } = findOwn(request);
		if (project === undefined) throw unknown(id);
		const { displayName, externalId, metadata } = request.body;
		if (hasExternalId(platform, externalId, id)) {
			throw new ApplicationError(409, 'PROJECT_EXTERNAL_ID_ALREADY_EXISTS', { externalId });
		}
		// The response has the name of its user, whatever was sent.
		if (displayName !== undefined && project.type === 'TEAM') project.displayName = displayName;
		if (externalId !== undefined) project.externalId = externalId;
		if (metadata !== undefined) project.metadata = metadata;
		project.updated = now();
		return hasTeamProjects ? project : withoutPlan(project);
	});

	if (!hasTeamProjects) return;
	route('DELETE', '/v1/projects/:id', {}, (request) => {
		const { id, platform, project } = findOwn(request);
		if (project === undefined) throw unknown(id);
		if (project.type === 'PERSONAL') throw conflict('Personal projects cannot be deleted');
		const { flows } = platform;
		removeProject(platform, id);
		if (traits.flowsOutliveProject) {
			platform.flows = flows;
			flowChanges.later(() => removeProject(platform, id));
		}
	});
}
