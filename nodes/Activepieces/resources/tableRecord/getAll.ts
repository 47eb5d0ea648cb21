import { filtersField, getFilter } from '../../descriptions/filters';
import { getLimit, returnAllOrLimit } from '../../descriptions/listing';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { limits } from '../../transport/limits';
import type { Operation } from '../operation';
import { tableFields } from '../table/table';
import { readTable, simplifyTableRecord } from './columns';
import { conditionsFilter, toCheck, toQuery } from './conditions';
import { fetchRecords, LIST_RECORDS } from './tableRecord';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	description: 'Get the records (rows) of a table',
	hint: 'One item per record. A column named id, created or updated is in the output only if Simplify is off.',
	toolDescription:
		'Returns the records (rows) of an Activepieces table, oldest first, each with a field for every column of the table',
	endpoint: LIST_RECORDS,
	properties: [
		...tableFields,
		...returnAllOrLimit,
		...outputFields,
		filtersField([conditionsFilter]),
	],
	simplify: simplifyTableRecord([]),
	async run(context) {
		const { client } = context;
		const limit = getLimit(context);
		const conditions = getFilter(context, conditionsFilter) ?? [];
		const { table, columns, simplify } = await readTable(context);
		const output = getOutputMode(context, simplify);
		const checks = conditions.map((each) => toCheck(each, columns, context.getTimezone()));
		// More than a table can have. The service reads the whole table for any limit (recorded).
		const most = checks.length > 0 || limit === Infinity ? limits.maxRecordsPerItem : limit;
		const records = await fetchRecords(client, table, {
			most,
			query: toQuery(checks),
			limit,
			countOutput: context.countOutput,
			take: (record) =>
				checks.every((check) => check.isTrue(record)) ? output.transform(record) : undefined,
		});
		return output.finish(records);
	},
};
