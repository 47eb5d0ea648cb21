import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';
import type { ApiRequest } from '../transport/request/request';

/** The service's own search of a list. */
export interface ServiceSearch {
	/** Query parameter that takes a part of the name */
	parameter: string;
	/** What the labels hold beside the name: text in it is not left to the service */
	besideName?: string;
}

/** One list of the service that feeds a locator. */
export interface ListSource {
	/** Names the list while others appear and go, such as a project's ID; n8n keeps it as one scrolls */
	key: string;
	request: ApiRequest;
	/** False for lists that the service gives in one piece */
	isPaged: boolean;
	/** Rows per request, where those of a page are large */
	pageSize?: number;
	/** Text of a record in the list; search looks in it */
	label: (record: IDataObject) => string;
	/** What choosing a record puts into the field; its ID where left out */
	value?: (record: IDataObject) => unknown;
	/** Where the service has one */
	search?: ServiceSearch;
}

/** Gives the lists of an editor's field, in the order in which they are shown; of one project where that is chosen */
export type GetSources = (
	client: ApiClient,
	projectId?: string,
) => ListSource[] | Promise<ListSource[]>;

const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The name of a record, or its id where it has none. */
export function nameOf(record: IDataObject, key = 'displayName'): string {
	return toText(record[key]) || toText(record.id);
}

/** What an entry has beside its name, in brackets with a space before them; nothing where there is nothing. */
export function beside(...parts: string[]): string {
	const shown = parts.filter((part) => part !== '');
	return shown.length === 0 ? '' : ` (${shown.join(', ')})`;
}

/** `PENDING` as `pending`, for entries that show a state. */
export function lowerCase(value: unknown): string {
	return toText(value).toLowerCase();
}
