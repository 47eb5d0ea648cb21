import type { INodeProperties } from 'n8n-workflow';

import type { OperationContext } from '../execution/item';
import { limits } from '../transport/limits';
import { getBoolean, getPositiveInteger } from './parameters';

const DEFAULT_LIMIT = 50;
const DEFAULT_PAGE_SIZE = limits.defaultPageSize;

/** Return All and Limit, for operations that return many records. */
export const returnAllOrLimit: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		displayOptions: { show: { returnAll: [false] } },
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
	},
];

/**
 * Options of lists that the service returns in pages. Each list has its own, so that they stand below its
 * filters.
 */
export const pagingOptions = (): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Page Size',
			name: 'pageSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_PAGE_SIZE,
			description:
				'Number of records to fetch per request. Activepieces can skip records between pages, so a larger page size is safer.',
		},
	],
});

/**
 * How many records the item asks for; Infinity for all.
 *
 * @throws {ValidationError} for more records than one item can return, before any are read
 */
export function getLimit(context: Pick<OperationContext, 'getParameter'>): number {
	return getBoolean(context, 'Return All', 'returnAll', false)
		? Infinity
		: getPositiveInteger(context, 'Limit', 'limit', DEFAULT_LIMIT, limits.maxRecordsPerItem);
}

/** Records per request: no more than one item returns. */
export function getPageSize(context: Pick<OperationContext, 'getParameter'>): number {
	const max = limits.maxRecordsPerItem;
	return getPositiveInteger(context, 'Page Size', 'options.pageSize', DEFAULT_PAGE_SIZE, max);
}
