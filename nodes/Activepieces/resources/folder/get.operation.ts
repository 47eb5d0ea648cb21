import { targetOf } from '../../descriptions/locator';
import { folderField, folderLocator } from '../../listSearch/folders';
import type { ApiRequest, Endpoint } from '../../transport/request';
import { exchange, recordOf } from '../../transport/send';
import type { Operation } from '../resource';

const endpoint: Endpoint = { method: 'GET', path: '/v1/folders/{id}' };

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get folder',
	description: 'Get a folder with the number of its flows',
	endpoint,
	fields: [folderField],
	async run(work) {
		const request: ApiRequest = { ...endpoint, ...targetOf(work, folderLocator) };
		return [recordOf(work.session, request, await exchange(work.session, request))];
	},
};
