import type { FastifyRequest } from 'fastify';

import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byTypeAndName, compareProjects } from '../cursor';
import {
	ApplicationError,
	conflict,
	entityNotFound,
	FrameworkError,
	notAllowed,
	refuseNul,
} from '../errors';
import { containsLike, every, paginate, when } from '../list';
import { makeId } from '../ids';
import { RecordMaker } from '../make';
import { removeProject, visibleProjects, withoutPlan } from '../projects';
import type { ProjectRecord, ServiceData } from '../records';
import { firstProject } from '../sessions';

interface ProjectQuery {
	displayName?: string;
	externalId?: string;
	types?: string[];
}

/** GET /v1/projects and /v1/projects/{id}: 50 rows by default. */
export function projectRoutes(context: Context): void {
	const { auth, edition, route, traits } = context;
	projectChangeRoutes(context);
	if (edition === 'community') {
		if (!traits.communityProjects) return;
		if (!traits.communityTeamProjects) {
			ownProjectRoutes(context);
			return;
		}
	}
	route(
		'GET',
		'/v1/projects',
		(request) => {
			const principal = auth.platform(request);
			if (traits.oldAuthorization) auth.requireOwner(principal);
			const { displayName, externalId, types } = request.query as ProjectQuery;
			refuseNul(displayName, externalId);
			const keep = every<ProjectRecord>(
				when(displayName, (text) => {
					const matches = containsLike(text);
					return (row) => matches(row.displayName);
				}),
				when(externalId, (id) => (row) => row.externalId === id),
				when(types, (wanted) => (row) => wanted.includes(row.type)),
			);
			const sorted = visibleProjects(principal).sort(compareProjects);
			return paginate(sorted, keep, pageRequest(request), byTypeAndName, 50);
		},
		{
			query: {
				displayName: { type: 'string' },
				externalId: { type: 'string' },
				types: { type: 'enums', values: ['TEAM', 'PERSONAL'] },
				...PAGE_FIELDS,
			},
		},
	);

	if (!traits.projectById) return;
	route('GET', '/v1/projects/:id', (request) => ({
		...auth.projectOfPath(request).project,
		deleted: null,
	}));
}

/** Community of 0.77 to 0.79: a person's own project, whatever the request, and any project by its ID. */
function ownProjectRoutes({ auth, route, traits }: Context): void {
	const ofUser = (principal: ReturnType<typeof auth.platform>) => {
		if (principal.type === 'USER') return principal.user;
		throw notAllowed({ message: traits.unknownPrincipal });
	};

	route('GET', '/v1/projects', (request) => {
		const principal = auth.platform(request);
		const id = firstProject({ user: ofUser(principal), platform: principal.platform });
		const own = principal.platform.projects.filter((project) => project.id === id);
		return { data: own.map(withoutPlan), next: null, previous: null };
	});

	route(
		'GET',
		'/v1/projects/:id',
		(request) => {
			const { principal, project } = auth.projectOfPath(request);
			ofUser(principal);
			return withoutPlan(project);
		},
		{ params: { id: { type: 'id' } } },
	);
}

interface ProjectChange {
	displayName?: string;
	externalId?: string;
	metadata?: Record<string, unknown>;
}

/**
 * Creating, changing and deleting projects, for keys and the platform's admins (recorded; the refusal
 * for members was read in the service's source).
 */
function projectChangeRoutes({ auth, edition, flowChanges, now, route, traits }: Context): void {
	const isCommunity = edition === 'community';
	const hasExternalId = (data: ServiceData, externalId: string | undefined, id?: string) =>
		Boolean(externalId) &&
		data.projects.some((each) => each.externalId === externalId && each.id !== id);
	const answer = (project: ProjectRecord) =>
		isCommunity && !traits.communityTeamProjects
			? // Empty at 0.73 (har/community-0.73, e/2)
				{ ...withoutPlan(project), ...(traits.oldAuthorization ? { externalId: '' } : {}) }
			: project;
	const findOwn = (request: FastifyRequest) => {
		const { platform } = auth.platformAdmin(request);
		const { id } = request.params as { id: string };
		refuseNul(id);
		return { id, platform, project: platform.projects.find((each) => each.id === id) };
	};
	const unknown = (id: string) => entityNotFound({ entityId: id, entityType: 'project' });

	if (!isCommunity || traits.communityTeamProjects) {
		route(
			'POST',
			'/v1/projects',
			(request, reply) => {
				const { platform } = auth.platformAdmin(request);
				const { displayName = '', externalId, metadata } = request.body as ProjectChange;
				refuseNul(displayName, externalId);
				if (isCommunity && platform.projects.some(({ type }) => type === 'TEAM')) {
					throw new ApplicationError(402, 'FEATURE_DISABLED', {
						message:
							'Maximum limit of 1 team project reached for this plan. Upgrade your plan to add more team projects.',
					});
				}
				if (hasExternalId(platform, externalId)) {
					throw new FrameworkError(
						500,
						'duplicate key value violates unique constraint "idx_project_platform_id_external_id"',
						'23505',
					);
				}
				const index = platform.projects.length;

				const make = new RecordMaker(traits, platform.admin);
				const at = now();
				const id = makeId(`${platform.platformId}/project of ${at}`);
				const project: ProjectRecord = {
					...make.project(id, displayName, index),
					created: at,
					updated: at,
					...(externalId === undefined ? {} : { externalId }),
					metadata: metadata ?? null,
				};
				platform.projects = [...platform.projects, project];
				return reply.status(201).send(project);
			},
			{
				body: {
					displayName: { type: 'projectName', required: true },
					externalId: { type: 'string' },
					metadata: { type: 'object' },
				},
			},
		);
	}

	route(
		'POST',
		'/v1/projects/:id',
		(request) => {
			const { id, platform, project } = findOwn(request);
			if (project === undefined) throw unknown(id);
			const { displayName, externalId, metadata } = request.body as ProjectChange;
			refuseNul(displayName, externalId);
			if (hasExternalId(platform, externalId, id)) {
				throw new ApplicationError(409, 'PROJECT_EXTERNAL_ID_ALREADY_EXISTS', { externalId });
			}
			// The response has the name of its user, whatever was sent.
			if (displayName !== undefined && project.type === 'TEAM') project.displayName = displayName;
			// 0.73 reads null as "", and keeps the old value (har/enterprise-0.73, e/20).
			const isLeft = externalId === undefined || (externalId === '' && traits.oldAuthorization);
			if (!isLeft) project.externalId = externalId;
			if (metadata !== undefined) project.metadata = metadata;
			project.updated = now();
			return answer(project);
		},
		{
			body: {
				displayName: { type: 'projectName' },
				externalId: { type: 'string' },
				metadata: { type: 'object' },
			},
		},
	);

	if (isCommunity && !traits.communityTeamProjects) return;
	route('DELETE', '/v1/projects/:id', (request, reply) => {
		const { id, platform, project } = findOwn(request);
		const isOld = traits.oldAuthorization;
		if (project === undefined && !isOld) throw unknown(id);
		if (project?.type === 'PERSONAL' && !isOld)
			throw conflict('Personal projects cannot be deleted');
		const isRunning = platform.flows.some(
			({ projectId, status }) => projectId === id && status === 'ENABLED',
		);
		if (isRunning && isOld) throw conflict('PROJECT_HAS_ENABLED_FLOWS');
		const { flows } = platform;
		removeProject(platform, id);
		if (traits.flowsOutliveProject) {
			platform.flows = flows;
			flowChanges.later(() => removeProject(platform, id));
		}
		return reply.status(204).send();
	});
}
