import { toRecordName } from '../../descriptions/recordName';
import { type Endpoint } from '../../transport/client/request';
import { requestRecord } from '../../transport/client/record';
import { hasCode, hasStatus, says, when } from '../../transport/errors/rule';
import { recordOf, textOf } from '../../transport/values';
import { recordOperation } from '../recordOperation';
import { nameField } from '../../descriptions/fields';
import { locatorField, requestTarget } from '../../descriptions/locator';
import { folderLocator, simplifyFolder } from './folder';

/** The service updates by POST; PATCH and PUT are unknown routes. */
const UPDATE_FOLDER: Endpoint = {
	method: 'POST',
	path: '/v1/folders/{id}',
	rules: [
		when([hasStatus('conflict'), hasCode('VALIDATION'), says(/is used/)], ({ body }) => ({
			message: `Another folder in the project already has the name "${textOf(recordOf(body).displayName)}"`,
			description: 'Names are not case-sensitive. Change New Name and run the node again.',
		})),
	],
};

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Rename a folder',
	toolDescription:
		'Immediately renames the Activepieces folder with the given ID and returns the folder',
	endpoint: UPDATE_FOLDER,
	properties: [
		locatorField(folderLocator),
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
			subject,
			body: { displayName },
		});
	},
});
