import type { IDataObject } from 'n8n-workflow';

import { filtersField, getFilter } from '../../descriptions/filters';
import { getLimit, returnAllOrLimit } from '../../descriptions/listing';
import { outputFields } from '../../descriptions/output';
import { IncompleteListError } from '../../transport/errors/error';
import { listMessage } from '../../transport/errors/errorFor';
import { limits } from '../../transport/limits';
import { collect } from '../../transport/lists/pages';
import type { ApiRequest } from '../../transport/client/request';
import { TABLES_WITHOUT_KEYS } from '../../transport/errors/responseMessages';
import type { Operation } from '../operation';
import { tableFields } from '../table/table';
import { readTable, simplifyTableRecord } from './columns';
import { conditionsFilter, toCheck, toQuery } from './conditions';

/**
 * Returns the records of a table at once: there are no pages, and `next` is always null, although the
 * default limit is 10 (recorded).
 */
const LIST_RECORDS: ApiRequest['endpoint'] = {
	method: 'GET',
	path: '/v1/records',
	rules: [TABLES_WITHOUT_KEYS],
};

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
		const { table, columns, output } = await readTable(context);
		const checks = conditions.map((each) => toCheck(each, columns, context.getTimezone()));
		// More than a table can have. The service reads the whole table for any limit (recorded).
		const most = checks.length > 0 || limit === Infinity ? limits.maxRecordsPerItem : limit;
		const query: IDataObject = { tableId: table.id, limit: most, ...toQuery(checks) };
		const request: ApiRequest = { endpoint: LIST_RECORDS, query, subject: table.subject };
		let count = 0;
		const records = await collect(client, request, {
			limit,
			isUnpaged: true,
			take(record) {
				count++;
				return checks.every((check) => check.isTrue(record)) ? output.transform(record) : undefined;
			},
		});
		if (count >= most && records.length < limit) {
			const facts = { kind: 'tooManyRecords', count, most } as const;
			throw new IncompleteListError(listMessage(client, request, facts));
		}
		return output.finish(records);
	},
};
