import { hasCode, hasStatus, says, when } from '../../transport/errors/rule';
import { deleteOperation } from '../deleteOperation';
import { keysRefused } from '../refusals';
import { FEATURE, invitationLocator } from './userInvitation';

export const remove = deleteOperation({
	description: 'Permanently revoke a user invitation',
	hint: 'Revokes one invitation per input item. This cannot be undone.',
	toolDescription:
		'Permanently revokes the Activepieces user invitation with the given ID and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/user-invitations/{id}',
		feature: FEATURE,
		rules: [
			// Up to 0.73 every API key is refused for project invitations with this text.
			when(
				[hasStatus('forbidden'), hasCode('AUTHORIZATION'), says(/project id is required/i)],
				({ record }) =>
					keysRefused(
						`${record} cannot be deleted`,
						'Deleting invitations to a project with an API key requires Activepieces 0.79 or later. Update Activepieces, or delete the invitation in Activepieces.',
					),
			),
		],
	},
	target: invitationLocator,
});
