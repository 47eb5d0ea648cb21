import { requestRecord } from '../../transport/client/record';
import { recordOperation } from '../recordOperation';
import { tableFields } from '../table/table';
import { readTable, simplifyTableRecord } from './columns';
import { columnOptions, columnsField, readCells } from './columnsField';
import { expectStored, recordField, recordTarget } from './tableRecord';
import { UPDATE_RECORD } from './writes';

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Change values of a record (row) of a table',
	hint: 'Changes only the columns that you fill in. To empty one, use an expression that returns an empty text.',
	toolDescription:
		'Immediately changes values of the record (row) of an Activepieces table with the given ID and returns the record. An empty text empties a column. Columns that are not given keep their values',
	endpoint: UPDATE_RECORD,
	properties: [...tableFields, recordField, columnsField, columnOptions],
	simplify: simplifyTableRecord([]),
	prepare: async (context) => ({ target: recordTarget(context), ...(await readTable(context)) }),
	async record(context, { table, columns, target }) {
		const { client } = context;
		const cells = readCells(context, columns, { isUpdate: true });
		const body = { tableId: table.id, cells };
		const record = await requestRecord(client, { endpoint: UPDATE_RECORD, ...target, body });
		expectStored(record, cells, columns);
		return record;
	},
});
