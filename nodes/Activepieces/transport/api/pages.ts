import type { IDataObject } from 'n8n-workflow';

import type { HttpClient } from '../client/httpClient';
import type { ApiRequest } from '../client/request';
import { ActivepiecesError } from '../errors/error';
import { incompleteListError, toApiError } from '../errors/errorFor';
import type { IncompleteReason } from '../errors/rule';
import { isStatus, isSuccess, type ApiResponse, type StatusName } from '../http/response';
import { limits } from '../limits';
import { isRecord } from '../values';

/* A list read page by page: never a part of it as the whole, and never without end. */

export interface Page {
	data: IDataObject[];
	next: unknown;
	date?: number;
}

export interface PageRequest {
	limit: number;
	/** `next` of the page before, as the service returned it */
	cursor?: string;
}

/** Whether the service says that a page is followed by more records. */
export const hasNext = (next: unknown): next is string => typeof next === 'string' && next !== '';

/** The query parameters for a `next`, which is opaque and sent back as `cursor`. */
function cursorQuery(request: ApiRequest, cursor: string): IDataObject {
	if (request.endpoint.continuesByTime) {
		// A server may store parts of a millisecond, which its times do not have.
		return { createdBefore: new Date(Date.parse(cursor) + 1).toISOString() };
	}
	return { cursor };
}

/** Reads a list's response: the envelope `{data, next, previous}`. */
function parsePage(client: HttpClient, request: ApiRequest, response: ApiResponse): Page {
	const { body } = response;
	const { data, next }: Record<string, unknown> = isRecord(body) ? body : {};
	const isEnvelope = (next ?? '') === '' || typeof next === 'string';
	if (!isSuccess(response) || !Array.isArray(data) || !isEnvelope || !data.every(isRecord)) {
		throw toApiError(client, request, response);
	}
	const isByTime = request.endpoint.continuesByTime && hasNext(next);
	const last = data.at(-1)?.created;
	if (isByTime && Number.isNaN(Date.parse(String(last)))) {
		throw toApiError(client, request, response);
	}
	return {
		data,
		next: isByTime ? last : next,
		date: response.date,
	};
}

/** Refusals of a large page: of a proxy by its size, of a server that has a maximum (read in the source of 0.92). */
const PAGE_REFUSED: StatusName[] = ['badRequest', 'contentTooLarge'];

/**
 * Makes the function that fetches pages of a list, with all parameters of the request except `limit` and
 * `cursor`. If a page exceeds the maximum size of a response, it is requested again with a quarter of its
 * records, and so are later pages: the trigger and most lists have no Page Size that a person could lower. A large page
 * that is refused is requested again as one of the usual size.
 */
export function pageFetcher(client: HttpClient, request: ApiRequest) {
	let mostRows = Infinity;
	const fetchPage = async ({ limit, cursor }: PageRequest): Promise<Page> => {
		// Not as small as what is still wanted, because the last records of the page before come again.
		const isByTime = cursor !== undefined && request.endpoint.continuesByTime === true;
		const rows = Math.min(isByTime ? Math.max(limit, limits.leastPageByTime) : limit, mostRows);
		const query = {
			...request.query,
			limit: rows,
			...(cursor === undefined ? {} : cursorQuery(request, cursor)),
		};
		const page = { ...request, query };
		const response = await client.request(page).catch((error: unknown) => {
			const isTooLarge = error instanceof ActivepiecesError && error.connectionError === 'tooLarge';
			if (!isTooLarge || rows <= 1) throw error;
			mostRows = Math.floor(rows / 4) || 1;
		});
		if (response === undefined) return await fetchPage({ limit, cursor });
		if (rows > limits.defaultPageSize && isStatus(response.status, ...PAGE_REFUSED)) {
			mostRows = limits.defaultPageSize;
			return await fetchPage({ limit, cursor });
		}
		return parsePage(client, page, response);
	};
	return fetchPage;
}

/**
 * Fetches a list that the service returns in one piece, in an envelope or as an array. Its `next` is
 * ignored: up to 0.72.3 it is a constant (read in the service's source).
 */
export async function fetchOnlyPage(client: HttpClient, request: ApiRequest): Promise<Page> {
	const response = await client.request(request);
	const { body } = response;
	return parsePage(
		client,
		request,
		Array.isArray(body) ? { ...response, body: { data: body } } : response,
	);
}

/**
 * Makes the function that checks each page of a list with a `next`, so that no service can make reading it
 * endless: undefined when it can be followed, otherwise why the list cannot be read further.
 */
function createLoopGuard() {
	const cursors = new Set<string>();
	let knownPages = 0;
	return (addedNothing: boolean, next: string): IncompleteReason | undefined => {
		knownPages = addedNothing ? knownPages + 1 : 0;
		if (knownPages >= limits.maxRepeatedPages) return 'repeatedPages';
		// Not the end of the list, because the service says that more follows. The service itself never repeats a
		// cursor: it identifies the last record of a page, which comes after that of the page before (recorded).
		if (cursors.has(next)) return 'repeatedPages';
		cursors.add(next);
		return undefined;
	};
}

export interface PageOptions {
	/** Records per request */
	pageSize?: number;
	/** Whether the service returns the list in one piece */
	isUnpaged?: boolean;
	/** IDs of the records that were read; lists that share it return each record once */
	seen?: Set<unknown>;
	/** How many more records are wanted; by default all */
	wanted?: () => number;
	/** Whether to stop between two pages, because another list of the same item failed */
	isStopped?: () => boolean;
	/** Called with what the list contains, if it goes on after the records that are wanted */
	onMore?: (noun: string) => void;
}

/** The records of a page that were on no page before. */
interface PageRows {
	rows: IDataObject[];
	/** The server's clock at the response, in milliseconds since 1970 */
	date?: number;
}

const hasId = (id: unknown) => id !== undefined && id !== null && id !== '';

function unseen(data: IDataObject[], seen: Set<unknown>): { rows: IDataObject[]; added: number } {
	const before = seen.size;
	const rows: IDataObject[] = [];
	for (const row of data) {
		const { id } = row;
		if (hasId(id)) {
			if (seen.has(id)) continue;
			// More than the maximum are not counted: the list fails.
			if (seen.size > limits.maxRecordsPerItem) break;
			seen.add(id);
		}
		rows.push(row);
	}
	return { rows, added: seen.size - before };
}

type FetchPage = (request: PageRequest) => Promise<Page>;

/**
 * Reads a list page by page, until `next` is absent, null or empty, or no more records are wanted. It
 * requests no more records than are still wanted. Returns why the list may be incomplete, or that others follow.
 *
 * A poll reads lists with a filter `createdAfter` by periods instead: `readByCreation` in `trigger/lists.ts`.
 */
export async function* paginate(
	fetchPage: FetchPage,
	options: PageOptions & { pageSize: number },
): AsyncGenerator<PageRows, IncompleteReason | 'unwanted' | undefined> {
	const { pageSize, seen = new Set(), wanted = () => Infinity, isStopped } = options;
	const guard = createLoopGuard();
	let read = 0;
	let cursor: string | undefined;
	for (;;) {
		const page = await fetchPage({ limit: Math.min(pageSize, wanted()), cursor });
		const { data, next, date } = page;
		// Up to 0.79 all that follows may be of the second in which the page before ended, and is skipped (recorded).
		if (data.length === 0 && cursor !== undefined) return 'missingRecords';
		const { rows, added } = unseen(data, seen);
		read += rows.length;
		if (rows.length > 0) yield { rows, date };
		if (wanted() <= 0 && hasNext(next)) return 'unwanted';
		if (wanted() <= 0 || isStopped?.()) return undefined;
		// `seen` may be shared with other lists, and has only records with an ID.
		if (Math.max(seen.size, read) > limits.maxRecordsPerItem) return 'tooManyRecords';
		if (!hasNext(next)) return undefined;
		const end = guard(added === 0, next);
		if (end !== undefined) return end;
		cursor = next;
	}
}

/** @throws {IncompleteListError} after the last page, if the list may be incomplete */
export async function* fetchPages(
	client: HttpClient,
	request: ApiRequest,
	{
		pageSize = request.endpoint.hasLargeRecords ? limits.defaultPageSize : limits.largePageSize,
		isUnpaged,
		seen = new Set(),
		onMore,
		...options
	}: PageOptions,
): AsyncGenerator<PageRows, void> {
	let kind: IncompleteReason | 'unwanted' | undefined;
	if (isUnpaged) {
		const { data, date } = await fetchOnlyPage(client, request);
		yield { rows: unseen(data, seen).rows, date };
		if (data.length > limits.maxRecordsPerItem) kind = 'tooManyRecords';
	} else kind = yield* paginate(pageFetcher(client, request), { pageSize, seen, ...options });
	if (kind === 'unwanted') return onMore?.(request.subject.noun);
	if (kind === undefined) return;
	const facts = { kind, count: seen.size, most: limits.maxRecordsPerItem };
	throw incompleteListError(client, request, facts);
}

export interface ListOptions extends PageOptions {
	limit?: number;
	/**
	 * Converts a record as soon as its page arrives, so that the page can be freed: a raw flow is many
	 * times larger than its simplified record. undefined leaves the record out
	 */
	convert?: (record: IDataObject, page: PageRows) => IDataObject | undefined;
	/** Whether `convert` leaves out records, so that a page may add none, and small pages would add few */
	mayDrop?: boolean;
}

/** How many records to read for those that are missing: a page of a filtered list may add none of its records. */
export const toRead = (missing: number, mayDrop = false): number =>
	mayDrop && missing > 0 ? Infinity : missing;

/** The records of a list, up to a limit. */
export async function fetchList(
	client: HttpClient,
	request: ApiRequest,
	{ limit = Infinity, convert, mayDrop = false, ...options }: ListOptions = {},
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const { wanted = () => toRead(limit - records.length, mayDrop) } = options;
	for await (const page of fetchPages(client, request, { ...options, wanted })) {
		for (const row of page.rows) {
			const record = convert === undefined ? row : convert(row, page);
			if (record === undefined) continue;
			if (records.length >= limit) {
				options.onMore?.(request.subject.noun);
				break;
			}
			records.push(record);
		}
	}
	return records;
}
