import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

/**
 * The feature that a plan may lack: invitations to projects need it, invitations to the platform do not
 * (recorded)
 */
const FEATURE = 'project roles';

/**
 * Lists the invitations of one type. Without a project the service returns those of all projects, which
 * does not need the plan's feature either (recorded).
 */
export const invitationsRequest = (type: string): ApiRequest => ({
	method: 'GET',
	path: '/v1/user-invitations',
	query: { type },
	feature: FEATURE,
	subject: { noun: 'user invitations' },
});

export const DELETE_INVITATION: Endpoint = {
	method: 'DELETE',
	path: '/v1/user-invitations/{id}',
	feature: FEATURE,
};
