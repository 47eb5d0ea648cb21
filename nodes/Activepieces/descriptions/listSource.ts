import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest } from '../transport/request';

/** One list of the service that feeds a locator. */
export interface ListSource {
	request: ApiRequest;
	/** False for lists that the service gives in one piece */
	isPaged: boolean;
	/** Rows per request, where those of a page are large */
	pageSize?: number;
	/** Text of a record in the list; search looks in it */
	label: (record: IDataObject) => string;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The name of a record, or its id where it has none. */
export function nameOf(record: IDataObject, key = 'displayName'): string {
	return toText(record[key]) || toText(record.id);
}

/** `PENDING` as `pending`, for entries that show a state. */
export function lowerCase(value: unknown): string {
	return toText(value).toLowerCase();
}
