import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

/** The connections of a project, and those of the platform that it may use (recorded) */
export const LIST_CONNECTIONS: ApiRequest = {
	method: 'GET',
	path: '/v1/app-connections',
	subject: { noun: 'connections' },
};

/** Those of the project only. Without the scope the flows of other projects that share a global one are counted, too. */
export const LIST_PROJECT_CONNECTIONS: ApiRequest = {
	...LIST_CONNECTIONS,
	query: { scope: 'PROJECT' },
};

/** Keys are refused up to 0.73, and nothing keeps one that flows use (recorded). */
export const DELETE_CONNECTION: Endpoint = { method: 'DELETE', path: '/v1/app-connections/{id}' };
