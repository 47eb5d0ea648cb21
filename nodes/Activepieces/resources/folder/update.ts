import { nameField } from '../../descriptions/fields';
import { requestTarget } from '../../descriptions/locator';
import { toRecordName } from '../../descriptions/recordName';
import type { Endpoint } from '../../transport/client/endpoint';
import { requestRecord } from '../../transport/client/send';
import { recordOperation } from '../recordOperation';
import { folderField, folderLocator, simplifyFolder } from './folder';

/** The service updates by POST; PATCH and PUT are unknown routes. */
const UPDATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders/{id}' };

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Rename a folder',
	toolDescription:
		'Immediately renames the Activepieces folder with the given ID and returns the folder',
	endpoint: UPDATE_FOLDER,
	properties: [
		folderField,
		nameField('New Name', {
			placeholder: 'e.g. Marketing',
			description:
				'The new name. It must be unique in the project. Folder names are not case-sensitive.',
		}),
	],
	simplify: simplifyFolder,
	async record(context) {
		const displayName = toRecordName('New Name', context.get('displayName', ''), 'folder');
		const { id, subject } = requestTarget(context, folderLocator);
		return await requestRecord(context.client, {
			endpoint: UPDATE_FOLDER,
			id,
			subject: { ...subject, newName: displayName },
			body: { displayName },
		});
	},
});
