import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';
import type { ApiRequest } from '../transport/request/request';

/** The service's own search in a list. */
export interface ServiceSearch {
	/** Query parameter that takes part of a name */
	parameter: string;
	/** What labels show beside the name. Text found in it is not searched by the service */
	labelDetails?: string;
}

/** One list of the service that feeds a locator. */
export interface ListSource {
	/**
	 * Identifies the list while others appear and disappear, such as a project's ID. n8n keeps it between
	 * two pages of a locator
	 */
	key: string;
	request: ApiRequest;
	/** False for lists that the service returns in one piece */
	isPaged: boolean;
	/** Records per request, for lists with large records */
	pageSize?: number;
	/** Label of a record in the list; search looks in it */
	label: (record: IDataObject) => string;
	/** The value that a chosen record puts into the field; by default its ID */
	value?: (record: IDataObject) => unknown;
	/** Set where the service can search the list */
	search?: ServiceSearch;
}

/**
 * Returns the lists of a field in the order in which the editor shows them, limited to one project if
 * that is chosen
 */
export type GetSources = (
	client: ApiClient,
	projectId?: string,
) => ListSource[] | Promise<ListSource[]>;

const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The name of a record, or its ID if it has no name. */
export function nameOf(record: IDataObject, key = 'displayName'): string {
	return toText(record[key]) || toText(record.id);
}

/** The details of an entry in brackets, with a leading space; an empty text when there are none. */
export function inBrackets(...parts: string[]): string {
	const shown = parts.filter((part) => part !== '');
	return shown.length === 0 ? '' : ` (${shown.join(', ')})`;
}

/** Turns `PENDING` into `pending`, for entries that show a state. */
export function lowerCase(value: unknown): string {
	return toText(value).toLowerCase();
}
