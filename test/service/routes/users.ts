import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byTypeAndName, compareProjects } from '../cursor';
import { conflict, entityNotFound, notAllowed } from '../errors';
import { paginate } from '../list';
import { visibleProjects, withoutPlan } from '../projects';
import { userAnswer, userListRoute } from './userList';
import type { KnownPrincipal, UserPrincipal } from '../auth';
import { firstProject } from '../sessions';

/** GET /v1/users, /v1/users/projects and /v1/users/projects/{id} (up to 0.76.0), /v1/users/{id}. */
export function userRoutes(context: Context): void {
	const { auth, route, traits } = context;
	userListRoute(context);
	if (traits.usersProjects) userProjectRoutes(context);
	if (traits.oldAuthorization) return;
	route(
		'GET',
		'/v1/users/:id',
		(request) => {
			const principal = auth.platform(request);
			if (principal.type === 'SERVICE' && !traits.usersForKeys) {
				throw notAllowed({ message: traits.unknownPrincipal });
			}
			const { id } = request.params as { id: string };
			const user = principal.platform.users.find((row) => row.id === id);
			if (!user) throw entityNotFound({ entityType: 'user', entityId: id });
			return { ...userAnswer(user, traits), badges: [] };
		},
		{ params: { id: { type: 'id' } } },
	);
}

/** The projects of the person signed in: in Community exactly one, their own. */
function userProjectRoutes({ auth, edition, route, traits }: Context): void {
	const PATH = '/v1/users/projects';
	const person = (principal: KnownPrincipal): UserPrincipal => {
		if (principal.type === 'USER') return principal;
		if (traits.oldAuthorization) throw conflict('missing project id in request');
		throw notAllowed({ message: traits.unknownPrincipal });
	};

	route(
		'GET',
		PATH,
		(request) => {
			const principal = person(auth.platform(request));
			const { platform } = principal;
			if (edition === 'enterprise') {
				const sorted = visibleProjects(principal).sort(compareProjects);
				return paginate(sorted, () => true, pageRequest(request), byTypeAndName);
			}
			const id = firstProject(principal);
			const own = platform.projects.filter((project) => project.id === id);
			return { next: null, previous: null, data: own.map(withoutPlan) };
		},
		edition === 'enterprise' ? { query: PAGE_FIELDS } : {},
	);

	route('GET', `${PATH}/:id`, (request) => {
		const project = traits.tokensOfOneProject
			? ofToken(person(auth.platform(request)))
			: auth.projectOfPath(request).project;
		return edition === 'enterprise' ? project : withoutPlan(project);
	});

	/** 0.73 only reads the token: any ID returns its project. */
	const ofToken = ({ projectId = '' }: UserPrincipal) => {
		const project = auth.findProject(projectId);
		if (!project) throw entityNotFound({ entityId: projectId, entityType: 'project' });
		return project;
	};
}
