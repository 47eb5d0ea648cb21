import type { IDataObject } from 'n8n-workflow';

import { textField } from '../../descriptions/fields';
import type { RequestTarget } from '../../descriptions/locator';
import { outputFields } from '../../descriptions/output';
import { locatorValue, toIdText } from '../../descriptions/parameters';
import { createGroup } from '../../execution/group';
import type { OperationContext } from '../../execution/item';
import { unconfirmed } from '../../execution/retryOnFail';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/endpoint';
import { validationError } from '../../transport/errors/error';
import { toApiError } from '../../transport/errors/errorFor';
import { limits } from '../../transport/limits';
import { isSuccess } from '../../transport/http/response';
import { TABLE_IS_FULL, TABLES_WITHOUT_KEYS } from '../../transport/errors/responseMessages';
import { expectDeleted, requestRecord, sendRequest } from '../../transport/client/send';
import { shortName, someOf } from '../../transport/text';
import { isRecord, recordOf, textOf, toId } from '../../transport/values';
import { deleteOperation, outputRecord } from '../builders';
import { errorOf, outcomeError } from '../refusals';
import type { Operation, Resource } from '../operation';
import { tableFields, type TableTarget, tableTarget } from '../table/table';
import {
	type Cell,
	type Column,
	columnOptions,
	columnsField,
	readCells,
	readTable,
	simplifyTableRecord,
} from './columns';
import { getAll } from './getAll';

const rules = [TABLES_WITHOUT_KEYS, TABLE_IS_FULL];

const GET_RECORD: Endpoint = { method: 'GET', path: '/v1/records/{id}', rules };

const CREATE_RECORDS: Endpoint = { method: 'POST', path: '/v1/records', rules };

const UPDATE_RECORD: Endpoint = { method: 'POST', path: '/v1/records/{id}', rules };

const DELETE_RECORDS: Endpoint = { method: 'DELETE', path: '/v1/records', rules };

const recordField = textField('Record ID', 'recordId', {
	required: true,
	placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ',
	description: 'The ID of the record, as Get Many returns it',
});

function recordTarget(context: OperationContext): RequestTarget {
	const { displayName: field, name } = recordField;
	const id = toIdText(field, locatorValue(context.get(name, '')) ?? '');
	if (id !== '') return { id, subject: { noun: 'table record', field } };
	throw validationError(`${field} is empty`, 'Enter the ID of a record of the table.');
}

/** Returns a record of the table. The service itself finds a record of any table. */
async function fetchRecord(client: ApiClient, table: TableTarget, target: RequestTarget) {
	const record = await requestRecord(client, { ...target, endpoint: GET_RECORD });
	if (toId(record.tableId) === table.id) return record;
	const { field } = target.subject;
	throw errorOf(
		`Table record "${shortName(textOf(target.id))}" belongs to another table`,
		`Check ${table.subject.field} and ${field}.`,
		{ nothingChanged: true },
	);
}

const get: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get a record (row) of a table',
	toolDescription:
		'Returns one record (row) of an Activepieces table by its ID, with a field for every column of the table',
	endpoint: GET_RECORD,
	properties: [...tableFields, recordField, ...outputFields],
	simplify: simplifyTableRecord([]),
	async run(context) {
		const { client } = context;
		const target = recordTarget(context);
		const { table, output } = await readTable(context);
		return await outputRecord(client, output, await fetchRecord(client, table, target));
	},
};

/**
 * The service ignores the value of a column that was deleted after the node had read the columns, and returns the
 * record without it (recorded).
 */
function expectStored(record: IDataObject, cells: Cell[], columns: Column[]): void {
	const stored = recordOf(record.cells);
	const lost = cells.filter(({ fieldId }) => !Object.hasOwn(stored, fieldId));
	if (lost.length === 0) return;
	const names = columns
		.filter(({ id }) => lost.some(({ fieldId }) => fieldId === id))
		.map(({ name }) => `"${shortName(name)}"`);
	throw outcomeError(
		`Activepieces did not store the value for ${someOf(names)}`,
		`The column may have been deleted while the node was running. Table record "${shortName(textOf(record.id))}" has the other values. Change Columns before you run the node again.`,
	);
}

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

const create: Operation = {
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

const update: Operation = {
	name: 'Update',
	value: 'update',
	description: 'Change values of a record (row) of a table',
	hint: 'Changes only the columns that you fill in. To empty one, use an expression that returns an empty text.',
	toolDescription:
		'Immediately changes values of the record (row) of an Activepieces table with the given ID and returns the record. Other columns keep their values',
	endpoint: UPDATE_RECORD,
	properties: [...tableFields, recordField, columnsField, ...outputFields, columnOptions],
	simplify: simplifyTableRecord([]),
	async run(context) {
		const { client } = context;
		const target = recordTarget(context);
		const { table, columns, output } = await readTable(context);
		const cells = readCells(context, columns, true);
		const body = { tableId: table.id, cells };
		const record = await requestRecord(client, { endpoint: UPDATE_RECORD, ...target, body });
		expectStored(record, cells, columns);
		return await outputRecord(client, output, record);
	},
};

const remove = deleteOperation({
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

export const tableRecord: Resource = {
	name: 'Table Record',
	value: 'tableRecord',
	operations: [getAll, get, create, update, remove],
};
