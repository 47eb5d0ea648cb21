import { recordOperation } from '../recordOperation';
import { tableFields } from '../table/table';
import { readTable, simplifyTableRecord } from './columns';
import { fetchRecord, GET_RECORD, recordField, recordTarget } from './tableRecord';

export const get = recordOperation({
	name: 'Get',
	value: 'get',
	description: 'Get a record (row) of a table',
	toolDescription:
		'Returns one record (row) of an Activepieces table by its ID, with a field for every column of the table',
	endpoint: GET_RECORD,
	properties: [...tableFields, recordField],
	simplify: simplifyTableRecord([]),
	prepare: async (context) => ({ target: recordTarget(context), ...(await readTable(context)) }),
	record: async ({ client }, { table, target }) => await fetchRecord(client, table, target),
});
