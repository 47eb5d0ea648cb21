import { requestTarget } from '../../descriptions/locator';
import type { ApiRequest, Endpoint } from '../../transport/request';
import { expectRecord, sendRequest } from '../../transport/send';
import type { Operation } from '../operation';
import { folderField, folderLocator } from './locator';

const endpoint: Endpoint = { method: 'GET', path: '/v1/folders/{id}' };

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get folder',
	description: 'Get a folder with the number of its flows',
	endpoint,
	properties: [folderField],
	async run(context) {
		const { client } = context;
		const request: ApiRequest = { ...endpoint, ...requestTarget(context, folderLocator) };
		return [expectRecord(client, request, await sendRequest(client, request))];
	},
};
