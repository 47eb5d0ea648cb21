import { invitationsRequest, simplifyInvitation } from '../../resources/userInvitation';
import { watchedProjectId, inWatchedProject, fetchOneList } from '../eventKinds/watchedList';
import { recordEvent } from '../eventKinds/recordEvent';

export const userInvitationCreated = recordEvent({
	name: 'User Invitation Created',
	value: 'userInvitationCreated',
	description: 'When someone is invited to the platform or to a project',
	fields: ['projectId', 'simplify', 'options.maxItems'],
	watched: ['projectId'],
	async fetchRecords(context, query) {
		const project = watchedProjectId(context);
		if (project !== undefined) {
			const request = inWatchedProject(invitationsRequest('PROJECT'), project);
			return { records: await fetchOneList(context, request, query) };
		}
		// Without a project the service returns the invitations of all projects (recorded).
		const listed = new Set<string>();
		const types = ['PLATFORM', 'PROJECT'] as const;
		const lists = await Promise.all(
			types.map(
				async (type) =>
					await fetchOneList(context, invitationsRequest(type), {
						...query,
						transform(record) {
							const { projectId } = record;
							if (typeof projectId !== 'string' || projectId === '') return query.transform(record);
							listed.add(projectId);
							return query.transform(record, projectId);
						},
					}),
			),
		);
		return { records: lists.flat(), listed: [...listed] };
	},
	timeOf: ({ created }) => created,
	simplify: simplifyInvitation,
	// The service lists the oldest first.
	exampleLimit: Infinity,
	noExample: {
		message: 'There are no user invitations yet',
		description:
			'Invite someone in Activepieces and try again, or publish the n8n workflow (activate it in n8n 1) and then invite someone.',
	},
});
