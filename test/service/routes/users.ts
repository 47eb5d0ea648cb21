import { BY_ID, type Context } from '../context';
import { byCreatedDescending } from '../cursor';
import { conflict, duplicateKey, entityNotFound, notAllowed } from '../errors';
import { equal, paged, paginate } from '../list';
import type { ServiceData, UserRecord } from '../records';
import { oneOf, PLATFORM_ROLE, shape, text } from '../schema';

const UPDATE = shape({
	status: oneOf(['ACTIVE', 'INACTIVE']),
	platformRole: PLATFORM_ROLE.optional(),
	externalId: text,
});

/** A user as responses show it. */
export const userInAnswer = (user: UserRecord) => ({
	...user,
	lastActiveDate: null,
	imageUrl: null,
});

/**
 * GET /v1/users, newest first, GET and POST /v1/users/{id}; projects.ts has /v1/users/projects. GET
 * /v1/platforms/{id}, recorded for sessions; every release accepts keys (read in the service's source).
 */
export function userRoutes(context: Context): void {
	const { auth, now, route, traits } = context;

	const userOf = ({ users }: ServiceData, id: string) => {
		const user = users.find((row) => row.id === id);
		if (!user) throw entityNotFound({ entityType: 'user', entityId: id });
		return user;
	};

	route('GET', '/v1/users', { query: paged({ externalId: text }) }, (request) => {
		const principal = auth.platform(request);
		if (principal.type === 'USER' && principal.user.platformRole !== 'ADMIN') {
			throw notAllowed({ message: traits.usersRefused });
		}
		const sorted = [...principal.platform.users].sort((a, b) => (a.created < b.created ? 1 : -1));
		const keep = equal<UserRecord, string | null>(
			request.query.externalId,
			({ externalId }) => externalId,
		);
		const page = paginate<UserRecord, number>(request, sorted, keep, byCreatedDescending);
		return { ...page, data: page.data.map(userInAnswer) };
	});

	// Nothing guards the role of the platform's owner.
	route('POST', '/v1/users/:id', { ...BY_ID, body: UPDATE }, (request) => {
		const { platform } = auth.platformAdmin(request);
		const user = userOf(platform, request.params.id);
		const { status, externalId } = request.body;
		if (status === 'INACTIVE' && user.platformRole === 'ADMIN') {
			throw conflict('Admin cannot be deactivated');
		}
		const others = platform.users.filter((each) => each !== user);
		if (externalId !== undefined && others.some((each) => each.externalId === externalId)) {
			throw duplicateKey('idx_user_platform_id_external_id');
		}
		Object.assign(user, request.body, { updated: now() });
		return userInAnswer(user);
	});

	route('GET', '/v1/platforms/:id', BY_ID, (request) => {
		const { created, updated, id, platformId } = auth.platform(request).platform.admin;
		if (request.params.id !== platformId) {
			throw notAllowed({ message: 'You are not authorized to access this platform' });
		}
		return { id: platformId, created, updated, ownerId: id, name: 'Platform' };
	});

	route('GET', '/v1/users/:id', BY_ID, (request) => {
		const principal = auth.platform(request);
		if (principal.type === 'SERVICE' && !traits.usersForKeys) {
			throw notAllowed({ message: traits.unknownPrincipal });
		}
		return { ...userInAnswer(userOf(principal.platform, request.params.id)), badges: [] };
	});
}
