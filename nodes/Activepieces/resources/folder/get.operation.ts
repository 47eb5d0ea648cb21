import { requestTarget } from '../../descriptions/locator';
import type { Operation } from '../operation';
import { folderEndpoint, getFolder } from './getFolder';
import { folderField, folderLocator } from './locator';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get folder',
	description: 'Get a folder with the number of its flows',
	endpoint: folderEndpoint,
	properties: [folderField],
	run: async (context) => [await getFolder(context.client, requestTarget(context, folderLocator))],
};
