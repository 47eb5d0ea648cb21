import type { IDataObject } from 'n8n-workflow';

import { outputFields } from '../../descriptions/output';
import { createGroup } from '../../execution/group';
import { unconfirmed } from '../refusals';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/endpoint';
import { sendRequest } from '../../transport/client/send';
import { toApiError } from '../../transport/errors/errorFor';
import { isSuccess } from '../../transport/http/response';
import { limits } from '../../transport/limits';
import { isRecord, toId } from '../../transport/values';
import { outputRecord } from '../recordOperation';
import type { Operation } from '../operation';
import { tableFields, type TableTarget } from '../table/table';
import {
	type Cell,
	columnOptions,
	columnsField,
	readCells,
	readTable,
	simplifyTableRecord,
} from './columns';
import { expectStored, RECORD_RULES } from './tableRecord';

const CREATE_RECORDS: Endpoint = { method: 'POST', path: '/v1/records', rules: RECORD_RULES };

interface NewRecord {
	client: ApiClient;
	table: TableTarget;
	cells: Cell[];
}

/**
 * Creates the records of several items. The service creates all of them or none, and returns them in
 * their order, as long as they are no more than 50 (recorded).
 */
async function createRecords(records: NewRecord[]): Promise<IDataObject[]> {
	const [{ client: first, table }] = records;
	const client = first.forItems(records.map(({ client: { ledger } }) => ledger));
	const request = {
		endpoint: CREATE_RECORDS,
		body: { tableId: table.id, records: records.map(({ cells }) => cells) },
		subject: table.subject,
	};
	const response = await sendRequest(client, request);
	const { body } = response;
	const isComplete =
		isSuccess(response) &&
		Array.isArray(body) &&
		body.length === records.length &&
		body.every((each) => isRecord(each) && (toId(each.id) ?? '') !== '');
	if (!isComplete) throw toApiError(client, request, response);
	client.ledger.note('done');
	// The service dates each record of a request a millisecond after the one before, and sorts a table by these
	// dates. The records of a request that follows at once, also in the next run of the node, would be mixed
	// with them (observed).
	await client.run.end.wait(records.length);
	return body as IDataObject[];
}

export const create: Operation = {
	name: 'Create',
	value: 'create',
	description: 'Create a record (row) in a table',
	hint: 'Creates one record per input item, with one request for up to 50 items',
	toolDescription:
		'Immediately creates a record (row) in an Activepieces table and returns it, with a field for every column of the table',
	endpoint: CREATE_RECORDS,
	groupSize: limits.recordsPerRequest,
	properties: [...tableFields, columnsField, ...outputFields, columnOptions],
	simplify: simplifyTableRecord([]),
	async run(context) {
		const { client, group = createGroup(1)(), tried } = context;
		// Nothing in a record shows whether an earlier try created it.
		if (tried.isInDoubt) throw unconfirmed('the table record was created', 'the table');
		const { table, columns, output } = await readTable(context);
		const cells = readCells(context, columns);
		// The same object for all items with this credential and table.
		const key = client.memo(`new records of ${table.id}`, () => ({}));
		const record = await group.join(key, { client, table, cells }, createRecords);
		expectStored(record, cells, columns);
		return await outputRecord(client, output, record);
	},
};
