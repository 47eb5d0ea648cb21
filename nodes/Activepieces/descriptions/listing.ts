import type { INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import { limits } from '../transport/limits';
import { booleanField, collectionField, numberField } from './fields';
import { getBoolean, toWholeNumber } from './parameters';

const DEFAULT_LIMIT = 50;
const DEFAULT_PAGE_SIZE = limits.defaultPageSize;

const returnAll = booleanField(
	'Return All',
	'returnAll',
	'Whether to return all results or only up to a given limit',
);

export const returnAllOrLimit: INodeProperties[] = [
	returnAll,
	numberField('Limit', 'limit', {
		displayOptions: { show: { returnAll: [false] } },
		default: DEFAULT_LIMIT,
		description: 'Max number of results to return',
	}),
];

/**
 * Options of lists that the service returns in pages. Each list has its own, so that they stand below its
 * filters.
 */
export const pagingOptions = (): INodeProperties =>
	collectionField('Options', 'options', 'Add option', [
		numberField('Page Size', 'pageSize', {
			default: DEFAULT_PAGE_SIZE,
			description: 'Number of records to fetch per request',
		}),
	]);

/** How many records the item asks for; Infinity for all. More than it can return are refused. */
export function getLimit(fields: FieldReader): number {
	if (getBoolean(fields, returnAll)) return Infinity;
	const max = limits.maxRecordsPerItem;
	return toWholeNumber('Limit', fields.get('limit', DEFAULT_LIMIT), { max });
}

/** Records per request: no more than one item returns. */
export function getPageSize(fields: FieldReader): number {
	const max = limits.maxRecordsPerItem;
	return toWholeNumber('Page Size', fields.get('options.pageSize', DEFAULT_PAGE_SIZE), { max });
}
