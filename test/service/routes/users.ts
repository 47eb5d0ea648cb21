import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { entityNotFound, notAllowed } from '../errors';
import { paginate } from '../list';
import type { UserRecord } from '../records';
import { byCreatedDescending } from '../runCursor';

/** GET /v1/users and, since 0.74, /v1/users/{id}. */
export function userRoutes({ auth, route, traits }: Context): void {
	const answer = (user: UserRecord) => ({
		...user,
		lastActiveDate: traits.oldAuthorization ? user.updated : null,
		...(traits.oldAuthorization ? {} : { imageUrl: null }),
	});

	route(
		'GET',
		'/v1/users',
		(request) => {
			const principal = auth.platform(request);
			if (principal.type === 'USER' && principal.user.platformRole !== 'ADMIN') {
				throw notAllowed({ message: traits.onlyAdmins });
			}
			const sorted = [...principal.platform.users].sort((a, b) => (a.created < b.created ? 1 : -1));
			const page = paginate<UserRecord, number>(
				sorted,
				() => true,
				pageRequest(request),
				byCreatedDescending,
			);
			return { ...page, data: page.data.map(answer) };
		},
		{ query: PAGE_FIELDS },
	);

	if (traits.oldAuthorization) return;
	route(
		'GET',
		'/v1/users/:id',
		(request) => {
			const principal = auth.platform(request);
			// Releases before 0.80 give it to sessions only.
			if (!traits.retryRetention && principal.type === 'SERVICE') {
				throw notAllowed({ message: traits.unknownPrincipal });
			}
			const { id } = request.params as { id: string };
			const user = principal.platform.users.find((each) => each.id === id);
			if (!user) throw entityNotFound({ entityType: 'user', entityId: id });
			return { ...answer(user), badges: [] };
		},
		{ path: { id: { type: 'id' } } },
	);
}
