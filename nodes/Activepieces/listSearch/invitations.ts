import type { IDataObject } from 'n8n-workflow';

import type { Locator } from '../descriptions/locator';
import { readProjects } from '../transport/lists';
import { lower, nameOf, searchOf, type Source } from './search';

const invitations = (query: IDataObject, where: string): Source => ({
	request: {
		method: 'GET',
		path: '/v1/user-invitations',
		query,
		subject: { noun: 'user invitations' },
	},
	paged: true,
	label: (invitation) => `${nameOf(invitation, 'email')} (${where}, ${lower(invitation.status)})`,
});

export const invitationLocator: Locator = {
	name: 'invitationId',
	displayName: 'Invitation',
	noun: 'user invitation',
	description:
		'The invitation to take back; the list shows those to the platform and to all projects',
	required: true,
	searchMethod: 'searchInvitations',
	search: searchOf(async (session) => {
		// A service without the list of projects has platform invitations only.
		const projects = (await readProjects(session)) ?? [];
		return [
			invitations({ type: 'PLATFORM' }, 'platform'),
			...projects.map((project) =>
				invitations(
					{ type: 'PROJECT', projectId: String(project.id) },
					`project ${nameOf(project)}`,
				),
			),
		];
	}),
};
