import type { IDataObject } from 'n8n-workflow';

import { type ListSource, lowerCase, nameOf } from '../../descriptions/listSource';
import type { Locator } from '../../descriptions/locator';
import { textOf } from '../../transport/values/textOf';
import { fetchProjectNames } from '../project/projectNames';
import { invitationsRequest } from './requests';

const source = (
	type: 'PLATFORM' | 'PROJECT',
	place: (invitation: IDataObject) => string,
): ListSource => ({
	key: type,
	request: invitationsRequest(type),
	isPaged: true,
	label: (invitation) =>
		`${nameOf(invitation, 'email')} (${place(invitation)}, ${lowerCase(invitation.status)})`,
});

export const invitationLocator: Locator = {
	name: 'invitationId',
	displayName: 'Invitation',
	noun: 'user invitation',
	description:
		'The invitation to revoke. The list shows invitations to the platform and to all projects.',
	required: true,
	searchMethod: 'searchInvitations',
	// Without a project the service returns the invitations of all projects. Personal projects have none,
	// and the service refuses to list theirs with 409 (recorded).
	sources: async (client) => {
		// Names are shown beside the invitations only, so a failed read is ignored.
		const names = await fetchProjectNames(client).catch(() => new Map<string, string>());
		return [
			source('PLATFORM', () => 'platform'),
			source('PROJECT', ({ projectId }) => {
				const id = textOf(projectId);
				return `project ${names.get(id) ?? id}`;
			}),
		];
	},
};
