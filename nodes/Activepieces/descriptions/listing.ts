import type { IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { readFlag } from './flag';

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

/** Default of Page Size: few requests, and the service loses rows only at page edges. */
const PAGE_SIZE = 1000;

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

function wholeNumber(context: IExecutePaginationFunctions, label: string, value: unknown): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isInteger(number) && number >= 1) return number;
	throw new NodeOperationError(
		context.getNode(),
		`${label} must be a whole number of 1 or more, not "${String(value)}"`,
		{ description: `Change ${label}. Nothing was sent.` },
	);
}

/** How many records the item asks for; Infinity for all. */
export function readWanted(context: IExecutePaginationFunctions): number {
	if (readFlag(context, 'Return All', 'returnAll', false)) return Infinity;
	return wholeNumber(context, 'Limit', context.getNodeParameter('limit', 50));
}

export function readPageSize(context: IExecutePaginationFunctions): number {
	return wholeNumber(context, 'Page Size', context.getNodeParameter('options.pageSize', PAGE_SIZE));
}
