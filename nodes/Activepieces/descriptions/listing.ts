import type { INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import { limits } from '../transport/limits';
import { collectionField } from './fields';
import { flag, wholeNumber } from './kinds';

/** An item returns no more. */
const MOST = { minValue: 1, maxValue: limits.maxRecordsPerItem };

const returnAll = flag(
	'Return All',
	'returnAll',
	'Whether to return all results or only up to a given limit',
);

const limit = wholeNumber('Limit', 'limit', {
	typeOptions: MOST,
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
});

export const returnAllOrLimit = [...returnAll.properties, ...limit.properties];

const pageSize = wholeNumber('Page Size', 'pageSize', {
	typeOptions: MOST,
	default: limits.defaultPageSize,
	description: 'Number of records to fetch per request',
});

/**
 * Options of lists that the service returns in pages. Each list has its own, so that they stand below its
 * filters.
 */
export const pagingOptions = (): INodeProperties =>
	collectionField('Options', 'options', 'Add option', pageSize.properties);

/** How many records the item asks for; Infinity for all. */
export const getLimit = (fields: FieldReader): number =>
	returnAll.read(fields) ? Infinity : limit.read(fields);

/** Records per request. */
export const getPageSize = (fields: FieldReader): number =>
	pageSize.parse(fields.get('options.pageSize', limits.defaultPageSize), fields);
