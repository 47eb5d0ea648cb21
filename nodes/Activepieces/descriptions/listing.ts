import type { IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import { PAGE_SIZE } from '../transport/pages';
import { readCount, readFlag } from './value';

/** Return All and Limit, for operations that give many records. */
export const listing: INodeProperties[] = [
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

/** Options of lists that the service gives in pages; each list's own, to stand below its filters. */
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
			default: PAGE_SIZE,
			description:
				'How many records to ask for per request. Activepieces can lose records at page edges, so larger is safer.',
		},
	],
});

/** How many records the item asks for; Infinity for all. */
export function readWanted(context: IExecutePaginationFunctions): number {
	return readFlag(context, 'Return All', 'returnAll', false)
		? Infinity
		: readCount(context, 'Limit', 'limit', 50);
}

export function readPageSize(context: IExecutePaginationFunctions): number {
	return readCount(context, 'Page Size', 'options.pageSize', PAGE_SIZE);
}
