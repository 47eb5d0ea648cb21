import { locatorField } from '../../descriptions/locator';
import { deleteOperation } from '../deleteOperation';
import { FEATURE, invitationLocator } from './userInvitation';

export const remove = deleteOperation({
	description: 'Permanently revoke a user invitation',
	hint: 'Revokes one invitation per input item. This cannot be undone.',
	toolDescription:
		'Permanently revokes the Activepieces user invitation with the given ID and returns {"deleted": true}',
	endpoint: { method: 'DELETE', path: '/v1/user-invitations/{id}', feature: FEATURE },
	properties: [locatorField(invitationLocator)],
	target: invitationLocator,
});
