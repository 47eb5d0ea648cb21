/** Who is invited, and who joins. */
import { LIST_USERS, simplifyUser } from '../../resources/user';
import {
	invitationsRequest,
	simplifyInvitation,
} from '../../resources/userInvitation/userInvitation';
import { recordEvent } from '../listEvent';
import { projectLists, readLists } from '../lists';

export const userInvitationCreated = recordEvent({
	name: 'User Invitation Created',
	value: 'userInvitationCreated',
	description: 'When someone is invited to the platform or to a project',
	watchedFields: ['projectId'],
	async readRecords(context, query) {
		// Without a project the service returns the invitations of all projects (recorded).
		const lists =
			context.value('projectId') === undefined
				? ['PLATFORM', 'PROJECT'].map((type) => ({ listId: '', request: invitationsRequest(type) }))
				: await projectLists(context, invitationsRequest('PROJECT'));
		return await readLists(context, lists, query);
	},
	outputOf: (context, invitation) => context.output(invitation, simplifyInvitation),
	noExample: {
		message: 'There are no user invitations yet',
		description:
			'Invite someone in Activepieces and try again, or publish the n8n workflow (activate it in n8n 1) and then invite someone.',
	},
});

export const userJoined = recordEvent({
	name: 'User Joined',
	value: 'userJoined',
	description: 'When someone joins the platform, for example by accepting an invitation',
	watchedFields: [],
	readRecords: async (context, query) =>
		await readLists(context, [{ listId: '', request: LIST_USERS }], query),
	outputOf: (context, user) => context.output(user, simplifyUser),
	noExample: {
		message: 'There are no users yet',
		description: 'Publish the n8n workflow (activate it in n8n 1). It starts when someone joins.',
	},
});
