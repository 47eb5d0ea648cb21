import type { Simplify } from '../../descriptions/output';

/** The fields of a user that a person reads. Missing fields are null. */
export const simplifyUser: Simplify = (user) => ({
	id: user.id ?? null,
	email: user.email ?? null,
	firstName: user.firstName ?? null,
	lastName: user.lastName ?? null,
	platformRole: user.platformRole ?? null,
	status: user.status ?? null,
	externalId: user.externalId || null,
	created: user.created ?? null,
	lastActiveDate: user.lastActiveDate || null,
});
