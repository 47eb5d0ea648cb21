import { type Filter, filter, textFilter } from '../../descriptions/filters';
import { textOf } from '../../transport/values';
import { listOperation } from '../listOperation';
import { externalIdField, LIST_USERS, platformRoleField, simplifyUser, statusField } from './user';

const filters: Filter[] = [
	textFilter('Email', 'email', {
		placeholder: 'e.g. @example.com',
		description: 'Return only users whose email contains this text. Not case-sensitive.',
	}),
	filter({ ...externalIdField, description: 'Return only the user with this external ID' }),
	filter({ ...platformRoleField, description: 'Return only users with this role on the platform' }),
	filter({ ...statusField, name: 'userStatus', description: 'Return only users with this status' }),
];

export const getAll = listOperation({
	description: 'Get the users of the platform, newest first',
	toolDescription:
		'Returns the users of the Activepieces platform, newest first. They are not the members of one project',
	request: LIST_USERS,
	filters,
	simplify: simplifyUser,
	// The service filters by external ID only.
	select({ email, platformRole, userStatus, ...query }) {
		const part = textOf(email).toLowerCase();
		return {
			query,
			mayDrop: [email, platformRole, userStatus].some((value) => value !== undefined),
			take: (user) =>
				textOf(user.email).toLowerCase().includes(part) &&
				[undefined, user.platformRole].includes(platformRole) &&
				[undefined, user.status].includes(userStatus)
					? user
					: undefined,
		};
	},
});
