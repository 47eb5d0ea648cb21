import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

/** What the plan may lack: invitations to projects need it, those to the platform do not (recorded) */
const FEATURE = 'project roles';

/**
 * The invitations of one type. Without a project the service gives those to all projects, which needs no
 * feature of the plan either (recorded).
 */
export const listInvitations = (type: string): ApiRequest => ({
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
