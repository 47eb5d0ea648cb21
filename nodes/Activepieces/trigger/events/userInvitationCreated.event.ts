import { listRecords } from '../../resources/project/listByProject';
import { simplifyInvitation } from '../../resources/userInvitation/simplify';
import type { ApiRequest } from '../../transport/request';
import { chosenProject, inChosenProject, toRecordList } from '../eventKinds/watchedList';
import { recordEvent } from '../eventKinds/recordEvent';

const invitations = (type: 'PLATFORM' | 'PROJECT'): ApiRequest => ({
	method: 'GET',
	path: '/v1/user-invitations',
	query: { type },
	subject: { noun: 'user invitations', feature: 'project roles' },
});

export const userInvitationCreated = recordEvent({
	name: 'User Invitation Created',
	value: 'userInvitationCreated',
	description: 'When somebody has been invited to the platform or to a project',
	fields: ['projectId', 'simplify', 'options.maxItems'],
	watched: ['projectId'],
	async list(context, query) {
		const project = chosenProject(context);
		// Without a project the service gives the invitations to all projects (recorded).
		const requests =
			project === undefined
				? [invitations('PLATFORM'), invitations('PROJECT')]
				: [inChosenProject(invitations('PROJECT'), project)];
		const lists = await Promise.all(
			requests.map(
				async (request) => await listRecords(context.client, toRecordList(request, query)),
			),
		);
		return lists.flat();
	},
	timeOf: ({ created }) => created,
	simplify: simplifyInvitation,
	// The service lists the oldest first.
	exampleLimit: Infinity,
	noExample: {
		message: 'There is no user invitation',
		description:
			'Invite somebody in Activepieces, or activate the workflow and invite somebody then.',
	},
});
