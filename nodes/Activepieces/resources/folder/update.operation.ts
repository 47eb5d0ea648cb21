import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { toRecordName } from '../../descriptions/parameters';
import { requestRecord } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import type { Operation } from '../operation';
import { outputRecord } from '../outputRecord';
import { folderField, folderLocator, simplifyFolder, UPDATE_FOLDER } from './folder';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update folder',
	description: 'Rename a folder',
	toolDescription:
		'Immediately renames the Activepieces folder with the given ID and returns the folder',
	endpoint: UPDATE_FOLDER,
	properties: [
		folderField,
		{
			displayName: 'New Name',
			name: 'displayName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Marketing',
			description:
				'The new name. It must be unique in the project. Folder names are not case-sensitive.',
		},
		...outputFields,
	],
	simplify: simplifyFolder,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyFolder);
		const displayName = toRecordName('New Name', context.get('displayName', ''), 'folder');
		const target = requestTarget(context, folderLocator);
		const request: ApiRequest = {
			...UPDATE_FOLDER,
			...target,
			subject: { ...target.subject, newName: displayName },
			body: { displayName },
		};
		return await outputRecord(client, output, await requestRecord(client, request));
	},
};
