import { requestTarget } from '../../descriptions/locator';
import type { Endpoint } from '../../transport/client/request';
import { deleteRecord } from '../../transport/client/record';
import type { Operation } from '../operation';
import { tableFields, tableLocator, TABLES_WITHOUT_KEYS } from './table';

const CLEAR_TABLE: Endpoint = {
	method: 'POST',
	path: '/v1/tables/{id}/clear',
	rules: [TABLES_WITHOUT_KEYS],
};

export const clear: Operation = {
	name: 'Clear',
	value: 'clear',
	description:
		'Permanently delete all records (rows) of a table. The table and its columns remain.',
	hint: 'Deletes all records of one table per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes all records (rows) of the Activepieces table with the given ID and returns {"cleared": true}. The table and its columns remain',
	isIrreversible: true,
	endpoint: CLEAR_TABLE,
	properties: tableFields,
	async run(context) {
		const target = requestTarget(context, tableLocator);
		// A response without a body, like that of a delete (recorded)
		await deleteRecord(context.client, { endpoint: CLEAR_TABLE, ...target, body: {} });
		return [{ cleared: true }];
	},
};
