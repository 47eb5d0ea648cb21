/** How many records an item of a list asks for, and how many with a request. */
import { limits } from '../transport/limits';
import { flag, wholeNumber, type SimpleField } from './kinds';

/** An item returns no more. */
const MOST = { minValue: 1, maxValue: limits.maxRecordsPerItem };

const returnAll = flag(
	'Return All',
	'returnAll',
	'Whether to return all results or only up to a given limit',
);

const mostResults = wholeNumber('Limit', 'limit', {
	typeOptions: MOST,
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
});

/** How many records an item asks for; Infinity for all. */
export const limit: SimpleField<number> = {
	properties: [...returnAll.properties, ...mostResults.properties],
	read: (fields) => (returnAll.read(fields) ? Infinity : mostResults.read(fields)),
};

/** For lists that the service returns in pages. */
export const pageSize = wholeNumber('Page Size', 'pageSize', {
	typeOptions: MOST,
	default: limits.defaultPageSize,
	description: 'Number of records to fetch per request',
});
