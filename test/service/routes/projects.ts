import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byTypeAndName, compareProjects } from '../cursor';
import { notAllowed, refuseNul } from '../errors';
import { containsLike, every, paginate, when } from '../list';
import { visibleProjects, withoutPlan } from '../projects';
import type { ProjectRecord } from '../records';
import { firstProject } from '../sessions';

interface ProjectQuery {
	displayName?: string;
	externalId?: string;
	types?: string[];
}

/** GET /v1/projects and /v1/projects/{id}: 50 rows by default. */
export function projectRoutes(context: Context): void {
	const { auth, edition, route, traits } = context;
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

/** Community of 0.77 to 0.79: a person's own project, whatever is asked, and any one by its id. */
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
