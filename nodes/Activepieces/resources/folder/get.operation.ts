import { requestTarget } from '../../descriptions/locator';
import { requestRecord } from '../../transport/record';
import type { Operation } from '../operation';
import { folderField, folderLocator } from './locator';
import { GET_FOLDER } from './requests';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get folder',
	description: 'Get a folder with the number of its flows',
	toolDescription: 'Returns one folder of Activepieces flows by its ID',
	endpoint: GET_FOLDER,
	properties: [folderField],
	async run(context) {
		const request = { ...GET_FOLDER, ...requestTarget(context, folderLocator) };
		return [await requestRecord(context.client, request)];
	},
};
