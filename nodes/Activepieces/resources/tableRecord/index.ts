import type { IDataObject } from 'n8n-workflow';

import { filterValues, output } from '../../descriptions/field';
import { limit } from '../../descriptions/limit';
import { limits } from '../../transport/limits';
import { textOf } from '../../transport/values';
import { deleteOperation, itemsOperation, operation, type Resource } from '../operation';
import { simplifyByColumns, simplifyTableRecord, tableWithColumns } from '../table/columns';
import { tableOfRecord } from '../table/table';
import { deleteMany, updateMany } from './byCondition';
import { changedCells, newCells } from './columnsField';
import { combine, conditionsFilter, fetchMatching } from './conditions';
import {
	CREATE_RECORDS,
	createRecords,
	DELETE_RECORDS,
	deleteRecords,
	expectStored,
	fetchRecord,
	GET_RECORD,
	LIST_RECORDS,
	namedRecord,
	UPDATE_RECORD,
	type RecordPart,
} from './tableRecord';
import { upsert } from './upsert';

const create = operation({
	name: 'Create',
	value: 'create',
	description: 'Create a record (row) in a table',
	hint: 'Creates one record per input item, with one request for up to 50 items',
	toolDescription:
		'Immediately creates a record (row) in an Activepieces table and returns it, with a field for every column of the table',
	endpoint: CREATE_RECORDS,
	grouping: { size: limits.recordsPerRequest, send: createRecords },
	fields: { table: tableWithColumns, cellsOf: newCells },
	simplify: simplifyTableRecord([]),
	simplifyBy: simplifyByColumns,
	async record({ table, cellsOf }, { client, group }) {
		const cells = await cellsOf(table);
		if (cells.length === 0) return [];
		const part: RecordPart = { client, to: table.columns, table, cells };
		const record = await client.makeChange({
			// Nothing in a record shows whether an earlier try created it.
			idempotency: {
				name: 'table record',
				key: cells,
				change: 'the table record was created',
				lookIn: 'the table',
			},
			send: async () => (await group!.join(part)) as IDataObject,
		});
		expectStored(record, cells, table.columns);
		return record;
	},
});

const remove = deleteOperation({
	description: 'Permanently delete a record (row) of a table',
	hint: 'Deletes one record per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes the record (row) of an Activepieces table with the given ID and returns {"deleted": true}',
	endpoint: DELETE_RECORDS,
	fields: { table: tableOfRecord, record: namedRecord },
	async remove(client, target, { table }) {
		// The service deletes a record of any table of the project (recorded).
		await fetchRecord(client, table, target);
		const body = { tableId: table.id, ids: [textOf(target.id)] };
		await deleteRecords(client, { ...target, body });
		return [{ deleted: true }];
	},
});

const get = operation({
	name: 'Get',
	value: 'get',
	description: 'Get a record (row) of a table',
	toolDescription:
		'Returns one record (row) of an Activepieces table by its ID, with a field for every column of the table',
	endpoint: GET_RECORD,
	fields: { table: tableWithColumns, record: namedRecord },
	simplify: simplifyTableRecord([]),
	simplifyBy: simplifyByColumns,
	record: async ({ table, record }, { client }) => await fetchRecord(client, table, record),
});

const getAll = itemsOperation({
	name: 'Get Many',
	value: 'getAll',
	description: 'Get the records (rows) of a table',
	hint: 'One item per record. A column named id, created or updated is in the output only if Simplify is off.',
	toolDescription:
		'Returns the records (rows) of an Activepieces table, oldest first, each with a field for every column of the table',
	endpoint: LIST_RECORDS,
	fields: {
		table: tableWithColumns,
		limit,
		outputBy: output,
		filters: filterValues({ conditions: conditionsFilter, combine }),
	},
	simplify: simplifyTableRecord([]),
	async items(
		{ table, limit: wanted, outputBy, filters: { conditions = [], ...filters } },
		context,
	) {
		const { transform, finish } = outputBy(simplifyTableRecord(table.columns));
		// One more shows that there are others. The service reads the whole table for any limit (recorded).
		const most = conditions.length > 0 ? Infinity : wanted + 1;
		const records = await fetchMatching(table, { conditions, ...filters }, context, {
			// More than a table can have.
			most: Math.min(most, limits.maxRecordsPerItem),
			limit: wanted,
			onMore: context.onMore,
			convert: transform,
		});
		return finish(records);
	},
});

const update = operation({
	name: 'Update',
	value: 'update',
	description: 'Change values of a record (row) of a table',
	hint: 'Changes only the columns that you fill in. To empty one, use an expression that returns an empty text.',
	toolDescription:
		'Immediately changes values of the record (row) of an Activepieces table with the given ID and returns the record. An empty text keeps the value of a column, and a single space empties it. Columns that are not given keep their values',
	endpoint: UPDATE_RECORD,
	fields: { table: tableWithColumns, record: namedRecord, cellsOf: changedCells },
	simplify: simplifyTableRecord([]),
	simplifyBy: simplifyByColumns,
	async record({ table, record: target, cellsOf }, { client }) {
		const cells = await cellsOf(table);
		if (cells.length === 0) return [];
		const body = { tableId: table.id, cells };
		// The service refuses a record of another table.
		const record = await client.requestRecord({ endpoint: UPDATE_RECORD, ...target, body });
		expectStored(record, cells, table.columns);
		return record;
	},
});

export const tableRecord: Resource = {
	name: 'Table Record',
	value: 'tableRecord',
	operations: [getAll, get, create, upsert, update, updateMany, remove, deleteMany],
};
