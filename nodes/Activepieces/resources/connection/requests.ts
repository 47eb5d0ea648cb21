import type { ApiRequest } from '../../transport/request';

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
