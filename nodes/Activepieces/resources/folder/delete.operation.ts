import { requestTarget } from '../../descriptions/locator';
import { deleteRecord } from '../../transport/send';
import type { Operation } from '../operation';
import { DELETE_FOLDER, folderField, folderLocator } from './folder';

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete folder',
	description: 'Permanently delete a folder. Its flows are kept, without a folder.',
	hint: 'Deletes one folder per input item. This cannot be undone. Its flows are kept, without a folder.',
	toolDescription:
		'Permanently deletes the Activepieces folder with the given ID and returns {"deleted": true}. Its flows are kept, without a folder',
	endpoint: DELETE_FOLDER,
	properties: [folderField],
	run: async (context) =>
		await deleteRecord(context.client, {
			...DELETE_FOLDER,
			...requestTarget(context, folderLocator),
		}),
};
