import { requestTarget } from '../../descriptions/locator';
import type { Endpoint } from '../../transport/endpoint';
import type { ApiRequest } from '../../transport/request';
import { requestRecord } from '../../transport/send';
import type { Operation } from '../operation';
import { getFolderName } from './folderName';
import { folderField, folderLocator } from './locator';

/** The service updates by POST; PATCH and PUT are unknown routes. */
const endpoint: Endpoint = { method: 'POST', path: '/v1/folders/{id}' };

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update folder',
	description: 'Rename a folder',
	endpoint,
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
				'The new name. No other folder of the project may have it, whatever the letter case.',
		},
	],
	async run(context) {
		const { client } = context;
		const displayName = getFolderName(context, 'New Name');
		const target = requestTarget(context, folderLocator);
		const request: ApiRequest = {
			...endpoint,
			...target,
			subject: { ...target.subject, newName: displayName },
			body: { displayName },
		};
		return [await requestRecord(client, request)];
	},
};
