import type { IDataObject } from 'n8n-workflow';

import { textField } from '../../descriptions/fields';
import type { RequestTarget } from '../../descriptions/locator';
import { locatorValue, toIdText } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/endpoint';
import { requestRecord } from '../../transport/client/send';
import { validationError } from '../../transport/errors/error';
import { TABLE_IS_FULL, TABLES_WITHOUT_KEYS } from '../../transport/errors/responseMessages';
import { shortName, someOf } from '../../transport/text';
import { recordOf, textOf, toId } from '../../transport/values';
import { errorOf, outcomeError } from '../refusals';
import type { TableTarget } from '../table/table';
import type { Cell, Column } from './columns';

export const RECORD_RULES = [TABLES_WITHOUT_KEYS, TABLE_IS_FULL];

export const GET_RECORD: Endpoint = {
	method: 'GET',
	path: '/v1/records/{id}',
	rules: RECORD_RULES,
};

export const recordField = textField('Record ID', 'recordId', {
	required: true,
	placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ',
	description: 'The ID of the record, as Get Many returns it',
});

export function recordTarget(context: OperationContext): RequestTarget {
	const { displayName: field, name } = recordField;
	const id = toIdText(field, locatorValue(context.get(name, '')) ?? '');
	if (id !== '') return { id, subject: { noun: 'table record', field } };
	throw validationError(`${field} is empty`, 'Enter the ID of a record of the table.');
}

/** Returns a record of the table. The service itself finds a record of any table. */
export async function fetchRecord(client: ApiClient, table: TableTarget, target: RequestTarget) {
	const record = await requestRecord(client, { ...target, endpoint: GET_RECORD });
	if (toId(record.tableId) === table.id) return record;
	const { field } = target.subject;
	throw errorOf(
		`Table record "${shortName(textOf(target.id))}" belongs to another table`,
		`Check ${table.subject.field} and ${field}.`,
		{ nothingChanged: true },
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
