import type { IDataObject } from 'n8n-workflow';

import { options } from '../../descriptions/field';
import { flag } from '../../descriptions/kinds';
import type { OperationContext } from '../../execution/operationContext';
import { ActivepiecesError, outcomeError } from '../../transport/errors/error';
import { isRecordUnknown } from '../../transport/http/response';
import { limits } from '../../transport/limits';
import { recordOf, textOf } from '../../transport/values';
import { itemsOperation, operation } from '../operation';
import {
	assertTable,
	simplifyMarked,
	simplifyTableRecord,
	tableWithColumns,
} from '../table/columns';
import { columnsToSet, readCells, readingOptions, type Cell } from './columnsField';
import { combine, fetchMatching, someConditions } from './conditions';
import { DELETE_RECORDS, deleteRecords, expectStored, UPDATE_RECORD } from './tableRecord';

const isDryRun = flag(
	'Dry Run',
	'dryRun',
	'Whether to only return the records that fulfill the conditions, as they are and as they would be, and change nothing',
);

const markAs = (dryRun: 'before' | 'after') => (record: IDataObject) => ({ ...record, dryRun });

/** A record with the values that it would get. */
function withCells(record: IDataObject, cells: Cell[]): IDataObject {
	const stored = recordOf(record.cells);
	const changed = cells.map(({ fieldId, value }) => [
		fieldId,
		{ ...recordOf(stored[fieldId]), value },
	]);
	return { ...record, cells: { ...stored, ...(Object.fromEntries(changed) as IDataObject) } };
}

function hintAtDryRun({ showHint }: OperationContext, { length }: IDataObject[], verb: string) {
	const records = length === 1 ? '1 record' : `${length} records`;
	showHint(`Nothing was ${verb}, because Dry Run is on. ${records} would be ${verb}`);
}

/**
 * Changes records one request after the other; a step returns how many its request has changed, none if the first one
 * is gone.
 *
 * @throws {ActivepiecesError} with how many were changed before a request failed
 */
async function changeAll(
	ids: unknown[],
	changed: string,
	step: (done: number) => Promise<number>,
): Promise<void> {
	let done = 0;
	while (done < ids.length) {
		const count = await step(done).catch((error: unknown) => {
			if (done === 0 || !(error instanceof ActivepiecesError)) throw error;
			const isOpen = error.outcome !== 'nothing' && error.outcome !== 'said';
			throw outcomeError(
				`${done} of ${ids.length} table records were ${changed}`,
				`The next request failed: ${error.sentences}${isOpen ? ` It may have ${changed} records as well.` : ''} When you run the node again, it looks for the records that then fulfill the conditions.`,
			);
		});
		if (count === 0) ids.splice(done, 1);
		done += count;
	}
}

export const updateMany = operation({
	name: 'Update by Condition',
	value: 'updateMany',
	action: 'Update table records by condition',
	description: 'Change values of all records (rows) of a table that fulfill conditions',
	hint: 'Changes all records that fulfill the conditions, one after the other. With Dry Run it only returns them.',
	toolDescription:
		'Immediately changes values of all records (rows) of an Activepieces table that fulfill the conditions, and returns these records. If Dry Run is on, it changes nothing, and returns each record before and after the change. An empty text keeps the value of a column, and a single space empties it. Columns that are not given keep their values',
	endpoint: UPDATE_RECORD,
	fields: {
		table: tableWithColumns,
		conditions: someConditions,
		combine,
		columns: columnsToSet,
		options: options({ isDryRun, ...readingOptions }),
	},
	simplify: simplifyTableRecord([]),
	simplifyBy: ({ table }) => simplifyMarked(table.columns, 'dryRun'),
	async record(given, context) {
		const { table } = given;
		const { client } = context;
		const cells = await readCells(context, table, given, { isUpdate: true });
		const found = await fetchMatching(table, given, context);
		if (given.options.isDryRun) {
			hintAtDryRun(context, found, 'changed');
			return found.flatMap((record) => [
				markAs('before')(record),
				markAs('after')(withCells(record, cells)),
			]);
		}
		const changed = (client.ledger.remembered<Map<unknown, IDataObject>>('changed').value ??=
			new Map());
		// Those that an earlier try may have changed need not fulfill the conditions any more.
		const ids = [...new Set([...client.ledger.ids, ...found.map(({ id }) => id)])];
		const { length } = ids;
		await changeAll(ids, 'changed', async (done) => {
			const id = ids[done];
			if (changed.has(id)) return 1;
			const subject = { ...table.subject, noun: 'table record' };
			const body = { tableId: table.id, cells };
			const request = { endpoint: UPDATE_RECORD, id, body, subject };
			const response = await client.request(request);
			if (isRecordUnknown(response)) return 0;
			const record = client.expectRecord(request, response);
			expectStored(record, cells, table.columns);
			changed.set(id, record);
			return 1;
		});
		// The records of a table that was deleted are gone as well.
		if (ids.length < length) await assertTable(client, table);
		return [...changed.values()];
	},
});

export const deleteMany = itemsOperation({
	name: 'Delete by Condition',
	value: 'deleteMany',
	action: 'Delete table records by condition',
	description: 'Permanently delete all records (rows) of a table that fulfill conditions',
	hint: 'Deletes all records that fulfill the conditions. This cannot be undone. With Dry Run it only returns them.',
	toolDescription:
		'Permanently deletes all records (rows) of an Activepieces table that fulfill the conditions and returns {"deleted": true} with the ID of each. If Dry Run is on, it deletes nothing and returns the records',
	endpoint: DELETE_RECORDS,
	// The conditions of two items may be true for the same records.
	isParallel: false,
	fields: {
		table: tableWithColumns,
		conditions: someConditions,
		combine,
		options: options({ isDryRun }),
	},
	async items(given, context) {
		const { client } = context;
		const { table } = given;
		const found = await fetchMatching(table, given, context);
		if (given.options.isDryRun) {
			hintAtDryRun(context, found, 'deleted');
			const simplify = simplifyMarked(table.columns, 'dryRun');
			return found.map((record) => simplify(markAs('before')(record)));
		}
		const ids = found.map(({ id }) => textOf(id));
		await changeAll(ids, 'deleted', async (done) => {
			const batch = ids.slice(done, done + limits.recordsPerRequest);
			const body = { tableId: table.id, ids: batch };
			const request = { endpoint: DELETE_RECORDS, ids: batch, body, subject: table.subject };
			const isDone = await deleteRecords(client, request, true);
			return isDone ? batch.length : Number(client.ledger.mayHaveChangedRecord(batch[0]));
		});
		// Also those of an earlier try.
		return [...client.ledger.ids].map((id) => ({ deleted: true, id: textOf(id) }));
	},
});
