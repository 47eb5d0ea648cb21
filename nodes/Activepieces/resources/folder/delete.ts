import { deleteOperation } from '../deleteOperation';
import { folderLocator } from './folder';

export const remove = deleteOperation({
	description: 'Permanently delete a folder. Its flows are kept, without a folder.',
	hint: 'Deletes one folder per input item. This cannot be undone. Its flows are kept, without a folder.',
	toolDescription:
		'Permanently deletes the Activepieces folder with the given ID and returns {"deleted": true}. Its flows are kept, without a folder',
	endpoint: { method: 'DELETE', path: '/v1/folders/{id}' },
	target: folderLocator,
});
