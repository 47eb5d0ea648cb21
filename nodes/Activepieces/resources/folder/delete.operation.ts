import { requestTarget } from '../../descriptions/locator';
import { deleteRecord } from '../../transport/deleteRecord';
import type { Endpoint } from '../../transport/endpoint';
import type { Operation } from '../operation';
import { folderField, folderLocator } from './locator';

const endpoint: Endpoint = { method: 'DELETE', path: '/v1/folders/{id}' };

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete folder',
	description: 'Delete a folder permanently. Its flows stay and are in no folder.',
	hint: 'Deletes one folder per input item, which cannot be undone. Its flows stay, in no folder.',
	endpoint,
	properties: [folderField],
	run: async (context) =>
		await deleteRecord(context.client, { ...endpoint, ...requestTarget(context, folderLocator) }),
};
