import type { IDataObject } from 'n8n-workflow';

import { choices, namedOptions, optionsField, textField } from '../../descriptions/fields';
import {
	inBrackets,
	type Locator,
	lowerCase,
	nameOf,
	type RequestTarget,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint, ApiRequest } from '../../transport/client/request';
import { expectRecord, requestRecord } from '../../transport/client/record';
import { isStatus } from '../../transport/http/httpStatus';
import { fetchList } from '../../transport/lists/pages';
import { nameAndId } from '../../transport/text';
import { toId } from '../../transport/id';
import { orNull, textOf } from '../../transport/values';
import { notFoundError, refusal } from '../refusals';

/** Lists the users of the platform, the newest first (recorded). */
export const LIST_USERS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/users' },
	subject: { noun: 'users' },
};

/** Missing in 0.73, and up to 0.79 refused for keys (recorded). */
export const GET_USER: Endpoint = { method: 'GET', path: '/v1/users/{id}' };

/** Accepts keys in every release (read in the service's source; recorded for a session). */
const GET_PLATFORM: Endpoint = { method: 'GET', path: '/v1/platforms/{id}' };

export const simplifyUser: Simplify = (user) => ({
	...orNull(user, 'email', 'firstName', 'lastName', 'status', 'platformRole', 'created'),
	lastActiveDate: user.lastActiveDate || null,
	externalId: user.externalId || null,
	id: user.id ?? null,
});

export const statusField = optionsField('Status', 'status', {
	options: namedOptions('ACTIVE', 'INACTIVE'),
	default: 'ACTIVE',
});

export const platformRoleField = optionsField('Platform Role', 'platformRole', {
	// What an operator may do is read in the service's source.
	options: choices(
		['Admin', 'ADMIN', 'Manages the platform and all team projects'],
		[
			'Member',
			'MEMBER',
			'Has access only to their personal project, and to projects in which they have a role',
		],
		['Operator', 'OPERATOR', 'Edits all team projects, but does not manage the platform'],
	),
	default: 'MEMBER',
});

export const externalIdField = textField('External ID', 'externalId', {
	placeholder: 'e.g. employee-42',
});

export const userLocator: Locator = {
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
	await client.once('users', async () => await fetchList(client, LIST_USERS));

/** Fetches a user, from the list if the item names an email, or if the server does not return a single user. */
export async function fetchUser(client: ApiClient, target: RequestTarget): Promise<IDataObject> {
	const given = textOf(target.id);
	if (!given.includes('@')) {
		const request = { endpoint: GET_USER, ...target };
		const response = await client.requestIfPresent(request);
		const refusesKeys =
			isStatus(response?.status, 'forbidden') && /principal/i.test(response?.message ?? '');
		if (response !== undefined && !refusesKeys) return expectRecord(client, request, response);
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
	const { ownerId } = await client.once(`platform ${id}`, async () => {
		const subject = { noun: 'platform of the user' };
		return await requestRecord(client, { endpoint: GET_PLATFORM, id, subject });
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
