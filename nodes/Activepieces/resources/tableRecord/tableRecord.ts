import type { IDataObject } from 'n8n-workflow';

import { text, type TargetField } from '../../descriptions/kinds';
import type { Part } from '../../execution/group';
import type { ApiClient } from '../../transport/api/client';
import type { ListOptions } from '../../transport/api/pages';
import type { ApiRequest, Endpoint, RequestTarget } from '../../transport/client/request';
import { outcomeError, refusal } from '../../transport/errors/error';
import type { ResponseRule } from '../../transport/errors/rule';
import { isRecordUnknown, isSuccess } from '../../transport/http/response';
import { toId } from '../../transport/ids';
import { limits } from '../../transport/limits';
import { shortName, someOf } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import type { Column } from '../table/columns';
import type { TableTarget } from '../table/table';
import type { Cell } from './columnsField';

const TABLE_IS_FULL: ResponseRule = {
	status: 'conflict',
	code: 'VALIDATION',
	says: /^max records/i,
	message: 'The table does not have room for the table records',
	description: ({ quoted }) =>
		`${quoted}The node creates up to 50 table records with one request, and none of this request were created. Delete table records, or use another table.`,
};

export const RECORD_RULES = [TABLE_IS_FULL];

export const GET_RECORD: Endpoint = {
	method: 'GET',
	path: '/v1/records/{id}',
	rules: RECORD_RULES,
};

/**
 * Returns the records of a table at once: there are no pages, and `next` is always null, although the
 * default limit is 10 (recorded).
 */
export const LIST_RECORDS: Endpoint = { method: 'GET', path: '/v1/records', order: 'oldestFirst' };

export interface RecordsToFetch extends Pick<ListOptions, 'limit' | 'convert' | 'onMore'> {
	/** How many to ask for */
	most?: number;
	query?: IDataObject;
}

/** Fetches the records of a table. Fails if the table may have more of them than were asked for. */
export async function fetchRecords(
	client: ApiClient,
	table: TableTarget,
	{
		most = limits.maxRecordsPerItem,
		query,
		limit = Infinity,
		convert,
		...options
	}: RecordsToFetch = {},
): Promise<IDataObject[]> {
	const request: ApiRequest = {
		endpoint: LIST_RECORDS,
		query: { tableId: table.id, limit: most, ...query },
		subject: table.subject,
	};
	let count = 0;
	const records = await client.fetchList(request, {
		limit,
		isUnpaged: true,
		...options,
		convert(record, page) {
			count++;
			return convert === undefined ? record : convert(record, page);
		},
	});
	if (count < most || records.length >= limit) return records;
	throw client.tooManyRecords(request, most);
}

/** The record that an item names. */
export const namedRecord: TargetField = {
	...text(
		'Record ID',
		'recordId',
		{
			required: true,
			placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ',
			description: 'The ID of the record, as Get Many returns it',
		},
		(label, given) => ({
			id: toId(given) ?? given,
			subject: { noun: 'table record', field: label },
		}),
	),
	isTarget: true,
};

/** Returns a record of the table. The service itself finds a record of any table. */
export async function fetchRecord(client: ApiClient, table: TableTarget, target: RequestTarget) {
	const record = await client.requestRecord({ ...target, endpoint: GET_RECORD });
	if (toId(record.tableId) === table.id) return record;
	const { field } = target.subject;
	throw refusal(
		`Table record "${shortName(textOf(target.id))}" belongs to another table`,
		`Check ${table.subject.field} and ${field}.`,
	);
}

/**
 * The service ignores the value of a column that was deleted after the node had read the columns, and returns the
 * record without it (recorded).
 */
export function expectStored(record: IDataObject, cells: Cell[], columns: Column[]): void {
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

export const CREATE_RECORDS: Endpoint = {
	method: 'POST',
	path: '/v1/records',
	rules: RECORD_RULES,
};

export const DELETE_RECORDS: Endpoint = {
	method: 'DELETE',
	path: '/v1/records',
	rules: RECORD_RULES,
};

/**
 * Deletes records of a table.
 *
 * @param mayBeGone whether it is no error that the first one is gone; by default if an earlier request of the item may
 * have deleted it
 * @returns whether the service did it; if it does not have the first one, it deletes none, while it ignores unknown ones
 * after that (recorded)
 * @throws {ActivepiecesError} when the service does not confirm it, for example because the table is gone
 */
export async function deleteRecords(
	client: ApiClient,
	request: ApiRequest,
	mayBeGone = client.ledger.mayHaveChangedRecord(request.id),
): Promise<boolean> {
	const response = await client.request(request);
	if (mayBeGone && isRecordUnknown(response) && response.params.entityType === 'Record')
		return false;
	// An empty list (recorded), or nothing, as for other deletes
	const isDone =
		isSuccess(response) && (response.body === undefined || Array.isArray(response.body));
	client.confirm(request, response, isDone);
	return true;
}

export const UPDATE_RECORD: Endpoint = {
	method: 'POST',
	path: '/v1/records/{id}',
	rules: RECORD_RULES,
};

/** What an item sends to a table. All items with the same credential and table share its columns. */
export interface RecordPart extends Part {
	table: TableTarget;
	cells: Cell[];
}

/**
 * Creates records with the given cells. The service creates all of them or none, and returns them in their
 * order, as long as they are no more than 50 (recorded).
 */
export async function createRecords(client: ApiClient, records: RecordPart[]) {
	const [{ table }] = records;
	const request = {
		endpoint: CREATE_RECORDS,
		body: { tableId: table.id, records: records.map(({ cells }) => cells) },
		subject: table.subject,
	};
	const response = await client.request(request);
	const { body } = response;
	const isComplete =
		isSuccess(response) &&
		Array.isArray(body) &&
		body.length === records.length &&
		body.every((each) => isRecord(each) && (toId(each.id) ?? '') !== '');
	client.confirm(request, response, isComplete);
	// The service dates each record of a request a millisecond after the one before, and sorts a table by these
	// dates. The records of a request that follows at once, also in the next run of the node, would be mixed
	// with them (observed).
	await client.nodeRun.end.wait(records.length);
	return body as IDataObject[];
}
