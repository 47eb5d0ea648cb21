import type { IDataObject } from 'n8n-workflow';

import type { HttpClient } from '../client/httpClient';
import { ActivepiecesError } from '../errors/error';
import { incompleteListError, toApiError } from '../errors/errorFor';
import { limits } from '../limits';
import type { IncompleteReason } from '../errors/rule';
import type { ApiRequest } from '../client/request';
import { type ApiResponse, isSuccess } from '../http/response';
import { isRecord } from '../values';

export interface Page {
	data: IDataObject[];
	next: unknown;
	/** The cursor for the records before the page, as the service returned it */
	previous?: unknown;
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
	const { data, next, previous }: Record<string, unknown> = isRecord(body) ? body : {};
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
		previous,
		date: response.date,
	};
}

/**
 * Makes the function that fetches pages of a list, with all parameters of the request except `limit` and
 * `cursor`. If a page exceeds the maximum size of a response, it is requested again with a quarter of its
 * records, and so are later pages: the trigger and some lists have no Page Size that a person could lower.
 */
export function pageFetcher(client: HttpClient, request: ApiRequest) {
	let mostRows = Infinity;
	const fetchPage = async ({ limit, cursor }: PageRequest): Promise<Page> => {
		// Not as small as what is still wanted, because the last records of the page before come again. Such a list, of
		// audit events, has no Page Size.
		const isLater = cursor !== undefined && request.endpoint.continuesByTime === true;
		const rows = Math.min(isLater ? limits.defaultPageSize : limit, mostRows);
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
		return response === undefined
			? await fetchPage({ limit, cursor })
			: parsePage(client, page, response);
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

/** Records before a page that show whether one is missing there. Of those that have the same time, some may come first */
const RECORDS_BEFORE = 10;

type FetchPage = (request: PageRequest) => Promise<Page>;

/**
 * Whether a cursor contains only a time of creation, which the service compares by whole seconds. Others name the record
 * by more, for example by its ID, or by a time with milliseconds (recorded).
 */
function comparesSeconds(cursor: unknown): cursor is string {
	if (!hasNext(cursor)) return false;
	// Base64 of `next_` or `prev_` and a Base64 of `created:` and a time.
	const [, inner = ''] = Buffer.from(cursor, 'base64').toString().split('_');
	return Buffer.from(inner, 'base64').toString().startsWith('created:');
}

/**
 * Whether no record is missing between a page and those before it: the nearest records before it, which the service
 * returns for its `previous` as cursor (recorded), were read already.
 */
async function isConnected(
	fetchPage: FetchPage,
	{ data, previous }: Page,
	seen: Set<unknown>,
): Promise<boolean> {
	if (data.length === 0 || !comparesSeconds(previous)) return true;
	const own = new Set(data.map(({ id }) => id));
	for (let limit = RECORDS_BEFORE; ; limit *= 2) {
		const before = await fetchPage({ limit, cursor: previous });
		// Up to 0.73 flows are sorted by another time: some of the page itself may come first.
		const others = before.data.filter(({ id }) => hasId(id) && !own.has(id));
		const isLast = before.data.length < limit || limit > data.length;
		if (others.length > 0 || isLast) return others.every(({ id }) => seen.has(id));
	}
}

/**
 * Reads a list page by page, until `next` is absent, null or empty, or no more records are wanted. It
 * requests no more records than are still wanted. Returns why the list may be incomplete, or that others follow.
 *
 * The service's cursor compares whole seconds: the next page skips the records created in the same second as the last
 * record of a page (recorded). So the records just before each page are requested, too. If one of them is new, or the
 * next page is empty, the page before it is requested again with more records. Doubling reaches the end of a second of
 * any size in few requests. The size is limited by the number of records that are wanted, and by what one input item
 * can return.
 *
 * The comments below show the responses for a page size of 3 and the records A to E, of which C, D and E are of one
 * second.
 */
export async function* paginate(
	fetchPage: FetchPage,
	options: PageOptions & { pageSize: number },
): AsyncGenerator<PageRows, IncompleteReason | 'unwanted' | undefined> {
	const { pageSize, seen = new Set(), wanted = () => Infinity, isStopped } = options;
	const guard = createLoopGuard();
	let read = 0;
	/** Of the next page */
	let cursor: string | undefined;
	/** The last page that had records, to request it again */
	let lastPage: (PageRequest & { rows: number }) | undefined;
	/** That page with more records, when one may be missing after it; `cursor` stays that of the page after it */
	let refetch: PageRequest | undefined;

	for (;;) {
		const asked: PageRequest = refetch ?? { limit: Math.min(pageSize, wanted()), cursor };
		const isRefetch = refetch !== undefined;
		refetch = undefined;
		const page = await fetchPage(asked);
		const { data, next, date } = page;
		// Before the first page there are none; what comes before the last page was checked when it was read first.
		const needsNoCheck = lastPage === undefined || isRefetch;
		if (needsNoCheck || (await isConnected(fetchPage, page, seen))) {
			const { rows, added } = unseen(data, seen);
			read += rows.length;
			if (rows.length > 0) yield { rows, date };
			if (wanted() <= 0 && hasNext(next)) return 'unwanted';
			if (wanted() <= 0 || isStopped?.()) return undefined;
			// `seen` may be shared with other lists, and has only records with an ID.
			if (Math.max(seen.size, read) > limits.maxRecordsPerItem) return 'tooManyRecords';

			if (hasNext(next)) {
				if (isRefetch && lastPage !== undefined && added === 0) {
					// Limit 6: A B C, next: C, of a server that has no more and sends a `next` after its last record, too. The page
					// before was full, and this one has room for more.
					const { limit, rows: had } = lastPage;
					const wasFull = had >= limit;
					const hasRoom = data.length >= had && data.length < asked.limit;
					return wasFull && hasRoom ? undefined : 'missingRecords';
				}
				// Limit 3: A B C, next: C.
				if (data.length > 0) lastPage = { ...asked, rows: data.length };
				// The larger page may have the `next` that led to the empty page, if all its records are of
				// one second: it would lead there again.
				if (!isRefetch || lastPage === undefined || next !== cursor) {
					const end = guard(added === 0, next);
					if (end !== undefined) return end;
					cursor = next;
					continue;
				}
			} else if (data.length > 0 || lastPage === undefined) {
				// Limit 6: A B C D E, no next.
				return undefined;
			}
		}

		// Records that existed a moment ago are missing on the larger page.
		if (lastPage === undefined || (isRefetch && data.length === 0)) return 'missingRecords';
		// Limit 3, cursor C: no records, no next, or only older ones, although D and E are missing.
		const { limit, rows: had } = lastPage;
		const larger = Math.min(2 * limit, limits.maxRecordsPerItem, had + wanted());
		if (larger <= limit) return 'missingRecords';
		refetch = { limit: larger, cursor: lastPage.cursor };
	}
}

/** @throws {IncompleteListError} after the last page, if the list may be incomplete */
export async function* fetchPages(
	client: HttpClient,
	request: ApiRequest,
	{
		pageSize = limits.defaultPageSize,
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
