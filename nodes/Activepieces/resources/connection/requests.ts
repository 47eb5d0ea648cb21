import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

/** Lists the connections of a project, and those of the platform that it may use (recorded). */
export const LIST_CONNECTIONS: ApiRequest = {
	method: 'GET',
	path: '/v1/app-connections',
	subject: { noun: 'connections' },
};

/**
 * Lists the connections of a project only. Without the scope, a global connection also counts the flows
 * of other projects that share it.
 */
export const LIST_PROJECT_CONNECTIONS: ApiRequest = {
	...LIST_CONNECTIONS,
	query: { scope: 'PROJECT' },
};

/** Up to 0.73 keys are refused. The service deletes a connection even if flows use it (recorded). */
export const DELETE_CONNECTION: Endpoint = { method: 'DELETE', path: '/v1/app-connections/{id}' };
