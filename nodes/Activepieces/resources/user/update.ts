import type { IDataObject } from 'n8n-workflow';

import { locatorField, requestTarget } from '../../descriptions/locator';
import { toOption } from '../../descriptions/parameters';
import { getUpdate, toNewText, updateFields } from '../../descriptions/updateFields';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/request';
import { requestRecord } from '../../transport/client/record';
import { findInList } from '../../transport/lists/pages';
import { recordOperation } from '../recordOperation';
import { refusal } from '../refusals';
import {
	assertNotOwner,
	externalIdField,
	fetchUser,
	LIST_USERS,
	platformRoleField,
	simplifyUser,
	statusField,
	userLabel,
	userLocator,
} from './user';

const UPDATE_USER: Endpoint = { method: 'POST', path: '/v1/users/{id}' };

const readers = {
	status: (value: unknown) => toOption(statusField, value),
	platformRole: (value: unknown) => toOption(platformRoleField, value),
	/** An empty external ID would be one to the service, which only one user can have (recorded). */
	externalId: (value: unknown) => toNewText(externalIdField, 'an external ID', value),
};

/** Neither an admin, whom the service keeps active as well (recorded), nor who becomes one with the same request */
function assertNoInactiveAdmin(user: IDataObject, { status, platformRole }: IDataObject): void {
	if (status !== 'INACTIVE') return;
	const { displayName: role } = platformRoleField;
	if (user.platformRole === 'ADMIN') {
		throw refusal(
			`${userLabel(user)} is an admin of the platform, which cannot be inactive`,
			`First change ${role} to Member, with an operation of its own.`,
		);
	}
	if (platformRole === 'ADMIN') {
		throw refusal(
			`${userLabel(user)} would be an admin of the platform, which cannot be inactive`,
			`Choose another ${role}, or remove ${statusField.displayName} from Update Fields.`,
		);
	}
}

/** The service responds with 500 for an external ID of another user (recorded). */
async function assertFree(client: ApiClient, externalId: string, { id }: IDataObject) {
	const request = { ...LIST_USERS, query: { externalId } };
	const other = await findInList(
		client,
		request,
		(each) => each.externalId === externalId && each.id !== id,
	);
	if (other === undefined) return;
	throw refusal(
		`${userLabel(other)} already has this external ID`,
		`Change ${externalIdField.displayName}.`,
	);
}

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Change the status, the platform role or the external ID of a user',
	hint: 'The owner of the platform is never changed. Use status Inactive to lock a user out.',
	toolDescription:
		'Immediately changes the status, platform role or external ID of the Activepieces user with the given ID or email and returns the user. An inactive user cannot sign in. The owner of the platform cannot be changed',
	endpoint: UPDATE_USER,
	properties: [
		locatorField(userLocator),
		updateFields([
			{ ...externalIdField, description: 'The new external ID. It must be unique.' },
			{ ...platformRoleField, description: 'What the user may do on the whole platform' },
			{
				...statusField,
				description:
					'Inactive users cannot sign in, and their sessions end. Admins cannot be inactive.',
			},
		]),
	],
	simplify: simplifyUser,
	async record(context) {
		const { client } = context;
		const body = getUpdate(context, readers, 'Status, Platform Role or External ID');
		const target = requestTarget(context, userLocator);
		const user = await fetchUser(client, target);
		await assertNotOwner(client, user, userLocator.displayName);
		assertNoInactiveAdmin(user, body);
		if (body.externalId !== undefined) await assertFree(client, body.externalId, user);
		const { subject } = target;
		const request = { endpoint: UPDATE_USER, id: user.id, subject, body };
		const updated = await requestRecord(client, request);
		// For the next items: it may be one of the users that were read once.
		Object.assign(user, updated);
		return updated;
	},
});
