import { targetOf } from '../../descriptions/locator';
import { folderField, folderLocator } from '../../listSearch/folders';
import type { ApiRequest, Endpoint } from '../../transport/request';
import { exchange, recordOf } from '../../transport/send';
import type { Operation } from '../resource';

/** The service updates by POST; PATCH and PUT are unknown routes. */
const endpoint: Endpoint = { method: 'POST', path: '/v1/folders/{id}' };

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update folder',
	description: 'Rename a folder',
	endpoint,
	fields: [
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
			routing: { send: { type: 'body', property: 'displayName' } },
		},
	],
	async run(work) {
		const { session, body } = work;
		const given = body.displayName ?? '';
		const displayName = typeof given === 'number' ? String(given) : given;
		if (typeof displayName !== 'string') {
			throw session.refusal('New Name must be text', 'Change New Name. Nothing was sent.');
		}
		// The service would accept an empty name, and a folder without a name cannot be found again.
		if (displayName.trim() === '') {
			throw session.refusal(
				'New Name is empty',
				'Enter the new name of the folder. Nothing was sent.',
			);
		}
		const target = targetOf(work, folderLocator);
		const request: ApiRequest = {
			...endpoint,
			...target,
			subject: { ...target.subject, newName: displayName },
			body: { displayName },
		};
		return [recordOf(session, request, await exchange(session, request))];
	},
};
