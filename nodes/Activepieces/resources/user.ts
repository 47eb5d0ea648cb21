import type { IDataObject } from 'n8n-workflow';

import { named, updates } from '../descriptions/field';
import { choice, newText, text } from '../descriptions/kinds';
import { inBrackets, lowerCase, nameOf, type Locator } from '../descriptions/locator';
import type { Simplify } from '../descriptions/output';
import type { ApiClient } from '../transport/api/client';
import type { ApiRequest, Endpoint, RequestTarget } from '../transport/client/request';
import { notFoundError, refusal } from '../transport/errors/error';
import { isStatus } from '../transport/http/response';
import { toId } from '../transport/ids';
import { nameAndId } from '../transport/texts';
import { orNull, textOf } from '../transport/values';
import { listOperation, operation, type Resource } from './operation';

/** Lists the users of the platform, who may be any number. Their order is recorded. */
export const LIST_USERS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/users', order: 'newestFirst' },
	subject: { noun: 'users' },
};

/** Up to 0.79 refused for keys (recorded). */
const GET_USER: Endpoint = { method: 'GET', path: '/v1/users/{id}' };

/** Accepts keys in every release (read in the service's source; recorded for a session). */
const GET_PLATFORM: Endpoint = { method: 'GET', path: '/v1/platforms/{id}' };

export const simplifyUser: Simplify = (user) => ({
	...orNull(user, 'email', 'firstName', 'lastName', 'status', 'platformRole', 'created'),
	lastActiveDate: user.lastActiveDate || null,
	externalId: user.externalId || null,
	id: user.id ?? null,
});

const statusField = choice('Status', 'status', {
	options: ['ACTIVE', 'INACTIVE'],
	default: 'ACTIVE',
});

export const platformRoleField = choice('Platform Role', 'platformRole', {
	// What an operator may do is read in the service's source.
	options: [
		['Admin', 'ADMIN', 'Manages the platform and all team projects'],
		[
			'Member',
			'MEMBER',
			'Has access only to their personal project, and to projects in which they have a role',
		],
		['Operator', 'OPERATOR', 'Edits all team projects, but does not manage the platform'],
	],
	default: 'MEMBER',
});

const externalIdField = text('External ID', 'externalId', {
	placeholder: 'e.g. employee-42',
});

const userLocator: Locator = {
	name: 'userId',
	displayName: 'User',
	noun: 'user',
	description: 'The user to operate on',
	required: true,
	hasEmail: true,
	searchMethod: 'searchUsers',
	sources: () => [
		{
			key: 'all',
			request: LIST_USERS,
			label: (user) =>
				nameOf(user, 'email') +
				inBrackets(
					lowerCase(user.platformRole),
					user.status === 'ACTIVE' ? '' : lowerCase(user.status),
				),
		},
	],
};

/** Whether a record has the ID or the email that the item gives. Emails are not case-sensitive. */
export const isNamed = (given: string, id: unknown, email: unknown): boolean =>
	given.includes('@') ? textOf(email).toLowerCase() === given.toLowerCase() : toId(id) === given;

/** All users of the platform, read once for all input items. */
export const fetchUsers = async (client: ApiClient) =>
	await client.cached('users', async () => await client.fetchList(LIST_USERS));

/** Fetches a user, from the list if the item names an email, or if the server does not return a single user. */
async function fetchUser(client: ApiClient, target: RequestTarget): Promise<IDataObject> {
	const given = textOf(target.id);
	if (!given.includes('@')) {
		const request = { endpoint: GET_USER, ...target };
		const response = await client.requestIfPresent(request);
		const refusesKeys =
			isStatus(response?.status, 'forbidden') && /principal/i.test(response?.message ?? '');
		if (response !== undefined && !refusesKeys) return client.expectRecord(request, response);
	}
	const users = await fetchUsers(client);
	const found = users.find(({ id, email }) => isNamed(given, id, email));
	if (found === undefined) throw notFoundError(target);
	return found;
}

export const userLabel = ({ email, id }: IDataObject): string =>
	`The user ${nameAndId(textOf(email), textOf(id))}`;

/**
 * The service lets a key take away the role of the platform's owner (recorded), and no user says whether it is
 * the owner, so the platform is read.
 *
 * @param field in which the item names the user
 */
export async function assertNotOwner(
	client: ApiClient,
	user: IDataObject,
	field: string,
): Promise<void> {
	const id = toId(user.platformId);
	const { ownerId } = await client.cached(`platform ${id}`, async () => {
		const subject = { noun: 'platform of the user' };
		return await client.requestRecord({ endpoint: GET_PLATFORM, id, subject });
	});
	const isKnown = textOf(ownerId) !== '';
	if (isKnown && ownerId !== user.id) return;
	throw refusal(
		isKnown
			? `${userLabel(user)} owns the platform`
			: 'Activepieces did not say who owns the platform',
		isKnown
			? `The node does not change the owner of the platform, because the platform would have no admin. Choose another user in ${field}.`
			: 'The node changes no user if it cannot tell who the owner is. Check whether a proxy removes ownerId from the response of GET /v1/platforms/{id}, or make the change in Activepieces.',
	);
}

const filters = {
	email: text('Email', 'email', {
		placeholder: 'e.g. @example.com',
		description: 'Return only users whose email contains this text. Not case-sensitive.',
	}),
	externalId: externalIdField.with({
		description: 'Return only the user with this external ID',
	}),
	platformRole: platformRoleField.with({
		description: 'Return only users with this role on the platform',
	}),
	userStatus: statusField.with({
		name: 'userStatus',
		description: 'Return only users with this status',
	}),
};

const getAll = listOperation({
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
			convert: (user) =>
				textOf(user.email).toLowerCase().includes(part) &&
				[undefined, user.platformRole].includes(platformRole) &&
				[undefined, user.status].includes(userStatus)
					? user
					: undefined,
		};
	},
});

const get = operation({
	name: 'Get',
	value: 'get',
	description: 'Get a user of the platform',
	toolDescription: 'Returns one user of the Activepieces platform by ID or email',
	endpoint: GET_USER,
	fields: { user: named(userLocator) },
	simplify: simplifyUser,
	record: async ({ user: target }, { client }) => await fetchUser(client, target),
});

const UPDATE_USER: Endpoint = { method: 'POST', path: '/v1/users/{id}' };

/** Neither an admin, whom the service keeps active as well (recorded), nor who becomes one with the same request */
function assertNoInactiveAdmin(user: IDataObject, { status, platformRole }: IDataObject): void {
	if (status !== 'INACTIVE') return;
	const { label: role } = platformRoleField;
	if (user.platformRole === 'ADMIN') {
		throw refusal(
			`${userLabel(user)} is an admin of the platform, which cannot be inactive`,
			`First change ${role} to Member, with an operation of its own.`,
		);
	}
	if (platformRole === 'ADMIN') {
		throw refusal(
			`${userLabel(user)} would be an admin of the platform, which cannot be inactive`,
			`Choose another ${role}, or remove ${statusField.label} from Update Fields.`,
		);
	}
}

/** The service responds with 500 for an external ID of another user (recorded). */
async function assertFree(client: ApiClient, externalId: string, { id }: IDataObject) {
	const request = { ...LIST_USERS, query: { externalId } };
	const other = await client.findInList(
		request,
		(each) => each.externalId === externalId && each.id !== id,
	);
	if (other === undefined) return;
	throw refusal(
		`${userLabel(other)} already has this external ID`,
		`Change ${externalIdField.label}.`,
	);
}

const update = operation({
	name: 'Update',
	value: 'update',
	description: 'Change the status, the platform role or the external ID of a user',
	hint: 'The owner of the platform is never changed. Use status Inactive to lock a user out.',
	toolDescription:
		'Immediately changes the status, platform role or external ID of the Activepieces user with the given ID or email and returns the user. An inactive user cannot sign in. The owner of the platform cannot be changed',
	endpoint: UPDATE_USER,
	fields: {
		target: named(userLocator),
		changes: updates({
			status: statusField.with({
				description:
					'Inactive users cannot sign in, and their sessions end. Admins cannot be inactive.',
			}),
			platformRole: platformRoleField.with({
				description: 'What the user may do on the whole platform',
			}),
			// An empty external ID would be one to the service, which only one user can have (recorded).
			externalId: newText('External ID', 'externalId', 'an external ID', {
				placeholder: 'e.g. employee-42',
				description: 'The new external ID. It must be unique.',
			}),
		}),
	},
	simplify: simplifyUser,
	async record({ target, changes }, { client }) {
		const user = await fetchUser(client, target);
		await assertNotOwner(client, user, userLocator.displayName);
		assertNoInactiveAdmin(user, changes);
		if (changes.externalId !== undefined) await assertFree(client, changes.externalId, user);
		const { subject } = target;
		const request = { endpoint: UPDATE_USER, id: user.id, subject, body: changes };
		const updated = await client.requestRecord(request);
		// For the next items: it may be one of the users that were read once.
		Object.assign(user, updated);
		return updated;
	},
});

export const user: Resource = {
	name: 'User',
	value: 'user',
	locators: [userLocator],
	operations: [getAll, get, update],
};
