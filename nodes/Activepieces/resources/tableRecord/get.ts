import { outputFields } from '../../descriptions/output';
import { outputRecord } from '../recordOperation';
import type { Operation } from '../operation';
import { tableFields } from '../table/table';
import { readTable, simplifyTableRecord } from './columns';
import { fetchRecord, GET_RECORD, recordField, recordTarget } from './tableRecord';

export const get: Operation = {
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
