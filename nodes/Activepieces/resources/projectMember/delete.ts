import { requestTarget } from '../../descriptions/locator';
import type { Endpoint } from '../../transport/client/request';
import { deleteRecord } from '../../transport/client/record';
import { deleteOperation } from '../deleteOperation';
import { FEATURE } from '../userInvitation/userInvitation';
import { findMember, memberFields, memberLocator } from './projectMember';

const DELETE_MEMBER: Endpoint = {
	method: 'DELETE',
	path: '/v1/project-members/{id}',
	feature: FEATURE,
};

export const remove = deleteOperation({
	description: 'Remove a member from a project. The user remains on the platform.',
	hint: 'Removes one member per input item. This cannot be undone. The user remains on the platform.',
	toolDescription:
		'Removes the member with the given ID or email from an Activepieces project and returns {"deleted": true}. The user remains on the platform',
	endpoint: DELETE_MEMBER,
	properties: memberFields,
	target: (context) => requestTarget(context, memberLocator),
	async remove(client, request, context) {
		const { id } = await findMember(
			context,
			(invitationId) =>
				`To take the invitation back, use User Invitation → Delete with the ID ${invitationId}.`,
		);
		return await deleteRecord(client, { ...request, id }).finally(() => {
			// In another try, the member with this email may be gone.
			if (client.ledger.mayHaveChangedRecord(id)) client.ledger.note('maybe', request.id);
		});
	},
});
