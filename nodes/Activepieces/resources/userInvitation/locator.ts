import type { IDataObject } from 'n8n-workflow';

import { type ListSource, lowerCase, nameOf } from '../../descriptions/listSource';
import type { Locator } from '../../descriptions/locator';
import { textOf } from '../../transport/values/textOf';
import { fetchProjectNames } from '../project/projectNames';
import { listInvitations } from './requests';

const source = (
	type: 'PLATFORM' | 'PROJECT',
	place: (invitation: IDataObject) => string,
): ListSource => ({
	key: type,
	request: listInvitations(type),
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
	// Without a project the service gives the invitations to all of them; personal projects, which it
	// refuses to list one by one with 409, have none (recorded).
	sources: async (client) => {
		// The names are only beside the invitations, so they may be missing for whatever reason.
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
