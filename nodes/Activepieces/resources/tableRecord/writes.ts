import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client/client';
import { confirm } from '../../transport/client/record';
import type { Endpoint } from '../../transport/client/request';
import { isSuccess } from '../../transport/http/response';
import { toId } from '../../transport/id';
import { isRecord } from '../../transport/values';
import type { TableTarget } from '../table/table';
import type { Cell } from './columnsField';
import { RECORD_RULES } from './tableRecord';

export const CREATE_RECORDS: Endpoint = {
	method: 'POST',
	path: '/v1/records',
	rules: RECORD_RULES,
};

export const UPDATE_RECORD: Endpoint = {
	method: 'POST',
	path: '/v1/records/{id}',
	rules: RECORD_RULES,
};

export interface RecordPart {
	client: ApiClient;
	table: TableTarget;
	cells: Cell[];
}

/** A client whose requests count for all the items. */
export const clientOf = (parts: RecordPart[]): ApiClient =>
	parts[0].client.forItems(parts.map(({ client: { ledger } }) => ledger));

/**
 * Creates records with the given cells. The service creates all of them or none, and returns them in their
 * order, as long as they are no more than 50 (recorded).
 */
export async function createRecords(client: ApiClient, table: TableTarget, records: Cell[][]) {
	const request = {
		endpoint: CREATE_RECORDS,
		body: { tableId: table.id, records },
		subject: table.subject,
	};
	const response = await client.request(request);
	const { body } = response;
	const isComplete =
		isSuccess(response) &&
		Array.isArray(body) &&
		body.length === records.length &&
		body.every((each) => isRecord(each) && (toId(each.id) ?? '') !== '');
	confirm(client, request, response, isComplete);
	// The service dates each record of a request a millisecond after the one before, and sorts a table by these
	// dates. The records of a request that follows at once, also in the next run of the node, would be mixed
	// with them (observed).
	await client.nodeRun.end.wait(records.length);
	return body as IDataObject[];
}
