import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { notAllowed } from '../errors';
import { paginate } from '../list';
import type { UserRecord } from '../records';
import type { ReleaseTraits } from '../releases';
import { byCreatedDescending } from '../runCursor';

export function userAnswer(user: UserRecord, traits: ReleaseTraits) {
	return traits.oldAuthorization
		? { ...user, lastActiveDate: user.updated }
		: { ...user, lastActiveDate: null, imageUrl: null };
}

/** GET /v1/users, newest first. */
export function userListRoute({ auth, route, traits }: Context): void {
	route(
		'GET',
		'/v1/users',
		(request) => {
			const principal = auth.platform(request);
			if (principal.type === 'USER' && principal.user.platformRole !== 'ADMIN') {
				throw notAllowed({ message: traits.usersRefused });
			}
			const sorted = [...principal.platform.users].sort((a, b) => (a.created < b.created ? 1 : -1));
			const page = paginate<UserRecord, number>(
				sorted,
				() => true,
				pageRequest(request),
				byCreatedDescending,
			);
			return { ...page, data: page.data.map((user) => userAnswer(user, traits)) };
		},
		{ query: PAGE_FIELDS },
	);
}
