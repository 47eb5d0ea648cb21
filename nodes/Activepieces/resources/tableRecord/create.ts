import { createGroup } from '../../execution/group';
import { unconfirmed } from '../refusals';
import { limits } from '../../transport/limits';
import { recordOperation } from '../recordOperation';
import { tableFields } from '../table/table';
import { readTable, simplifyTableRecord } from './columns';
import { columnOptions, columnsField, readCells } from './columnsField';
import { expectStored } from './tableRecord';
import { clientOf, CREATE_RECORDS, createRecords, type RecordPart } from './writes';

const createParts = async (parts: RecordPart[]) =>
	await createRecords(
		clientOf(parts),
		parts[0].table,
		parts.map(({ cells }) => cells),
	);

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create a record (row) in a table',
	hint: 'Creates one record per input item, with one request for up to 50 items',
	toolDescription:
		'Immediately creates a record (row) in an Activepieces table and returns it, with a field for every column of the table',
	endpoint: CREATE_RECORDS,
	groupSize: limits.recordsPerRequest,
	properties: [...tableFields, columnsField, columnOptions],
	simplify: simplifyTableRecord([]),
	prepare: readTable,
	async record(context, { table, columns }) {
		const { client, group = createGroup(1)(), tried } = context;
		// Nothing in a record shows whether an earlier try created it.
		if (tried.isInDoubt) throw unconfirmed('the table record was created', 'the table');
		const cells = readCells(context, columns);
		// The same object for all items with this credential and table.
		const key = client.once(`new records of ${table.id}`, () => ({}));
		const record = await group.join(key, { client, table, cells }, createParts);
		expectStored(record, cells, columns);
		return record;
	},
});
