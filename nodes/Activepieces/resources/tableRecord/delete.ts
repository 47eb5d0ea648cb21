import type { Endpoint } from '../../transport/client/endpoint';
import { expectDeleted, sendRequest } from '../../transport/client/send';
import { isSuccess } from '../../transport/http/response';
import { textOf } from '../../transport/values';
import { deleteOperation } from '../deleteOperation';
import { tableFields, tableTarget } from '../table/table';
import { fetchRecord, recordField, recordTarget, RECORD_RULES } from './tableRecord';

const DELETE_RECORDS: Endpoint = { method: 'DELETE', path: '/v1/records', rules: RECORD_RULES };

export const remove = deleteOperation({
	description: 'Permanently delete a record (row) of a table',
	hint: 'Deletes one record per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes the record (row) of an Activepieces table with the given ID and returns {"deleted": true}',
	endpoint: DELETE_RECORDS,
	properties: [...tableFields, recordField],
	target: recordTarget,
	async remove(client, target, context) {
		const table = tableTarget(context);
		// The service deletes a record of any table of the project (recorded).
		await fetchRecord(client, table, target);
		const body = { tableId: table.id, ids: [textOf(target.id)] };
		const request = { ...target, body };
		const response = await sendRequest(client, request);
		// 204 in 0.73, an empty list later (recorded)
		const isList = isSuccess(response) && Array.isArray(response.body);
		const confirmed = isList ? { ...response, body: undefined } : response;
		return expectDeleted(client, request, confirmed);
	},
});
