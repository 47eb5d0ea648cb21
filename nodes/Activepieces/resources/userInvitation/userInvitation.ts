import type { IDataObject } from 'n8n-workflow';

import { lowerCase, nameOf, type Locator } from '../../descriptions/locator';
import type { ApiRequest } from '../../transport/client/request';
import type { ResponseRule } from '../../transport/errors/rule';
import { orNull, recordOf, textOf } from '../../transport/values';
import { loadProjectNames } from '../project/project';

/**
 * The feature that a plan may lack: invitations to projects need it, invitations to the platform do not
 * (recorded)
 */
export const FEATURE = 'project roles';

/** For the invitations to a project */
export const PERSONAL_PROJECT: ResponseRule = {
	status: 'conflict',
	says: /team project/i,
	message: ({ recordAtStart }) =>
		`${recordAtStart} is a personal project, so you cannot invite users to it`,
	description: ({ field }) => `Choose a team project in ${field ?? 'Project'}.`,
};

/**
 * Lists the invitations of one type. Without a project the service returns those of all projects, which
 * does not need the plan's feature either (recorded).
 */
export const invitationsRequest = (type: string): ApiRequest => ({
	endpoint: {
		method: 'GET',
		path: '/v1/user-invitations',
		order: 'oldestFirst',
		worksOn073: true,
		feature: FEATURE,
		rules: [PERSONAL_PROJECT],
	},
	query: { type },
	subject: { noun: 'user invitations' },
});

/** The role that the person gets, by its name; the response to a create lacks that of a project (recorded). */
export const roleOf = ({ platformRole, projectRole }: IDataObject): unknown =>
	platformRole ?? recordOf(projectRole).name;

export const simplifyInvitation = (invitation: IDataObject): IDataObject => ({
	...orNull(invitation, 'email', 'status', 'type'),
	role: (roleOf(invitation) as string | undefined) ?? null,
	...orNull(invitation, 'created', 'updated', 'projectId', 'id'),
});

const source = (type: 'PLATFORM' | 'PROJECT', place: (invitation: IDataObject) => string) => ({
	key: type,
	request: invitationsRequest(type),
	label: (invitation: IDataObject) =>
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
		await loadProjectNames(client);
		return [
			source('PLATFORM', () => 'platform'),
			source('PROJECT', ({ projectId }) => {
				const id = textOf(projectId);
				return `project ${client.projectNames.get(id) ?? id}`;
			}),
		];
	},
};
