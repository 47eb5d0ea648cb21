import { BY_ID, type Context } from '../context';
import { byCreatedDescending } from '../cursor';
import { entityNotFound, notAllowed } from '../errors';
import { paged, paginate } from '../list';
import type { UserRecord } from '../records';

/** GET /v1/users, newest first, and /v1/users/{id}; projects.ts has /v1/users/projects. */
export function userRoutes({ auth, route, traits }: Context): void {
	const answer = (user: UserRecord) =>
		traits.old
			? { ...user, lastActiveDate: user.updated }
			: { ...user, lastActiveDate: null, imageUrl: null };

	route('GET', '/v1/users', { query: paged({}) }, (request) => {
		const principal = auth.platform(request);
		if (principal.type === 'USER' && principal.user.platformRole !== 'ADMIN') {
			throw notAllowed({ message: traits.usersRefused });
		}
		const sorted = [...principal.platform.users].sort((a, b) => (a.created < b.created ? 1 : -1));
		const page = paginate<UserRecord, number>(request, sorted, () => true, byCreatedDescending);
		return { ...page, data: page.data.map(answer) };
	});

	if (traits.old) return;
	route('GET', '/v1/users/:id', BY_ID, (request) => {
		const principal = auth.platform(request);
		if (principal.type === 'SERVICE' && !traits.usersForKeys) {
			throw notAllowed({ message: traits.unknownPrincipal });
		}
		const { id } = request.params;
		const user = principal.platform.users.find((row) => row.id === id);
		if (!user) throw entityNotFound({ entityType: 'user', entityId: id });
		return { ...answer(user), badges: [] };
	});
}
