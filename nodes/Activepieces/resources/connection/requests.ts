import type { ApiRequest } from '../../transport/request';

/** The connections of a project, and those of the platform that it may use (recorded) */
export const LIST_CONNECTIONS: ApiRequest = {
	method: 'GET',
	path: '/v1/app-connections',
	subject: { noun: 'connections' },
};
