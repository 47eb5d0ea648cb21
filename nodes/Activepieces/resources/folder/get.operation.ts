import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { requestRecord } from '../../transport/send';
import type { Operation } from '../operation';
import { outputRecord } from '../outputRecord';
import { folderField, folderLocator, GET_FOLDER, simplifyFolder } from './folder';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get folder',
	description: 'Get a folder and the number of flows in it',
	toolDescription: 'Returns one folder of Activepieces flows by its ID',
	endpoint: GET_FOLDER,
	properties: [folderField, ...outputFields],
	simplify: simplifyFolder,
	async run(context) {
		const output = getOutputMode(context, simplifyFolder);
		const request = { ...GET_FOLDER, ...requestTarget(context, folderLocator) };
		const folder = await requestRecord(context.client, request);
		return await outputRecord(context.client, output, folder);
	},
};
