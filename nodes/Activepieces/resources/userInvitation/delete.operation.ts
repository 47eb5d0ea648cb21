import { locatorField, requestTarget } from '../../descriptions/locator';
import { deleteRecord } from '../../transport/request/record';
import type { Operation } from '../operation';
import { invitationLocator } from './locator';
import { DELETE_INVITATION } from './requests';

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete user invitation',
	description: 'Permanently revoke a user invitation',
	hint: 'Revokes one invitation per input item. This cannot be undone.',
	toolDescription:
		'Permanently revokes the Activepieces user invitation with the given ID and returns {"deleted": true}',
	endpoint: DELETE_INVITATION,
	properties: [locatorField(invitationLocator)],
	async run(context) {
		const target = requestTarget(context, invitationLocator);
		return await deleteRecord(context.client, { ...DELETE_INVITATION, ...target });
	},
};
