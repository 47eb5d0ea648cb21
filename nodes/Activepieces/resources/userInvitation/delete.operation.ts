import { locatorField, targetOf } from '../../descriptions/locator';
import { invitationLocator } from '../../listSearch/invitations';
import { deleteRecord } from '../../transport/deletion';
import type { Endpoint } from '../../transport/request';
import type { Operation } from '../resource';

const endpoint: Endpoint = { method: 'DELETE', path: '/v1/user-invitations/{id}' };

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete user invitation',
	description: 'Take back an invitation permanently',
	hint: 'Takes back one invitation per input item, which cannot be undone',
	endpoint,
	fields: [locatorField(invitationLocator)],
	async run(work) {
		return await deleteRecord(work.session, { ...endpoint, ...targetOf(work, invitationLocator) });
	},
};
