import type { ApiRequest } from '../../transport/request/request';

export const LIST_GLOBAL_CONNECTIONS: ApiRequest = {
	method: 'GET',
	path: '/v1/global-connections',
	feature: 'global connections',
	subject: { noun: 'global connections' },
};
