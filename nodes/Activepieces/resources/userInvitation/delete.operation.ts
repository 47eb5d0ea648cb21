import { locatorField, requestTarget } from '../../descriptions/locator';
import { deleteRecord } from '../../transport/deleteRecord';
import type { Endpoint } from '../../transport/endpoint';
import type { Operation } from '../operation';
import { invitationLocator } from './locator';

const endpoint: Endpoint = { method: 'DELETE', path: '/v1/user-invitations/{id}' };

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete user invitation',
	description: 'Take back an invitation permanently',
	hint: 'Takes back one invitation per input item, which cannot be undone',
	endpoint,
	properties: [locatorField(invitationLocator)],
	async run(context) {
		const target = requestTarget(context, invitationLocator);
		// What the plan may lack: invitations to projects need it, those to the platform do not (recorded).
		const subject = { ...target.subject, feature: 'project roles' };
		return await deleteRecord(context.client, { ...endpoint, ...target, subject });
	},
};
