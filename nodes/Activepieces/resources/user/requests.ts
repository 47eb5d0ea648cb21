import type { ApiRequest } from '../../transport/request/request';

export const LIST_USERS: ApiRequest = {
	method: 'GET',
	path: '/v1/users',
	subject: { noun: 'users' },
};
