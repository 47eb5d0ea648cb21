import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import type { Locator } from '../descriptions/locator';
import { readProjects } from '../transport/lists';
import { lower, nameOf, openSearch, searchSources, type Source } from './search';

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

async function searchInvitations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const session = await openSearch(this);
	// A service without the list of projects has platform invitations only.
	const projects = (await readProjects(session)) ?? [];
	return await searchSources(
		session,
		[
			invitations({ type: 'PLATFORM' }, 'platform'),
			...projects.map((project) =>
				invitations(
					{ type: 'PROJECT', projectId: String(project.id) },
					`project ${nameOf(project)}`,
				),
			),
		],
		filter,
		paginationToken,
	);
}

export const invitationLocator: Locator = {
	name: 'invitationId',
	displayName: 'Invitation',
	noun: 'user invitation',
	description: 'The invitation to take back. This cannot be undone.',
	required: true,
	searchMethod: 'searchInvitations',
	search: searchInvitations,
};
