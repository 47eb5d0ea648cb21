import type { IDataObject } from 'n8n-workflow';

import { limits } from './limits';
import { sizeOf } from './values';

export interface PageRequest {
	/** Maximum number of records on the page */
	limit: number;
	/** `next` of the page before, as the service returned it */
	cursor?: string;
}

/** A page as the service returned it. */
export interface Page {
	data: IDataObject[];
	next: unknown;
	/** Size of the response, decompressed */
	bytes?: number;
	/** The server's clock at the response, in milliseconds since 1970 */
	date?: number;
}

export type FetchPage = (request: PageRequest) => Promise<Page>;

/** Fetches the pages of a list whose first page comes from another function. */
export function withFirstPage(first: () => Promise<Page>, fetchPage: FetchPage): FetchPage {
	let isFirst = true;
	return async (request) => {
		if (!isFirst || request.cursor !== undefined) return await fetchPage(request);
		isFirst = false;
		return await first();
	};
}

/** The records of a list so far, and which ones were seen. */
export interface RecordCollector {
	/** Maximum number of records; Infinity for all */
	limit: number;
	records: IDataObject[];
	/** Shared by the lists of one input item, so that a record in two of them is returned once */
	seen: Set<unknown>;
	/**
	 * Converts a record as soon as its page arrives, so that the page can be freed: a raw flow is many
	 * times larger than its simplified record. undefined leaves the record out.
	 */
	transform: (record: IDataObject) => IDataObject | undefined;
	/** Whether `transform` leaves out records, so that a page may add fewer records than it has */
	isFiltered?: boolean;
	/** Counts the bytes that are kept; by default the run counts them */
	keep?: (bytes: number) => void;
	/** Stops reading this list: another list of the same item failed, or the rest is not needed */
	aborted?: boolean;
}

export function createRecordCollector(
	limit: number,
	transform: RecordCollector['transform'] = (record) => record,
): RecordCollector {
	return { limit, records: [], seen: new Set(), transform };
}

/** Number of records so far, in all lists of the item that share `seen`. */
export const countRecords = ({ records, seen }: RecordCollector): number =>
	Math.max(records.length, seen.size);

/**
 * Adds the records of a page that were not seen before, up to the limit.
 *
 * @param pageBytes size of the page as it arrived
 * @returns how many were not seen before; records without an ID may be counted again
 */
export function addRecords(collector: RecordCollector, rows: IDataObject[], pageBytes = 0): number {
	const { limit, records, seen, transform, keep } = collector;
	let added = 0;
	for (const row of rows) {
		if (records.length >= limit || countRecords(collector) > limits.maxRecordsPerItem) break;
		const { id } = row;
		if (id !== undefined && id !== null && id !== '') {
			if (seen.has(id)) continue;
			seen.add(id);
			added++;
		}
		const record = transform(row);
		if (record === undefined) continue;
		records.push(record);
		keep?.(record === row ? pageBytes / rows.length : sizeOf(record));
	}
	return added;
}

/** Why a list was not read to its end. */
export type IncompleteReason =
	/** The maximum number of pages was reached */
	| 'maxPages'
	/** Pages were repeated: for a cursor that the service does not know, it silently returns the first page */
	| 'repeatedPages'
	/** Page after page was empty, each with a cursor to the next */
	| 'emptyPages'
	/** There are more records than one input item can return */
	| 'tooManyRecords'
	/** The service left out records, and a larger page did not contain them */
	| 'missingRecords';

/** Whether the service says that a page is followed by more records. */
export const hasNext = (next: unknown): next is string => typeof next === 'string' && next !== '';

/** What is needed to repeat the request for a page that had records and a `next`. */
interface LastPage extends PageRequest {
	/** Number of records that it had */
	rows: number;
}

/**
 * The request for a page with more records, after its `next` led to an empty page. The service reports
 * further records only when it has seen one, but its cursor compares whole seconds: the next page skips
 * records created in the same second as the last record of a page (recorded,
 * `test/service/walks.test.ts`). A larger page contains them.
 *
 * Doubling reaches the end of a second of any size in few requests. The size is limited by the number of
 * records that are wanted, and by what one input item can return.
 *
 * @param missing number of records that are still wanted
 * @returns undefined when no larger page can be requested
 */
function enlargePage({ limit, cursor, rows }: LastPage, missing: number): PageRequest | undefined {
	const more = Math.min(2 * limit, limits.maxRecordsPerItem, rows + missing);
	return more > limit ? { limit: more, cursor } : undefined;
}

/**
 * Checks each page that has a `next`: undefined when it can be followed, otherwise why the list cannot be
 * read further.
 */
type LoopGuard = (
	rows: number,
	isKnown: boolean,
	next: string,
) => 'repeatedPages' | 'emptyPages' | undefined;

/** Checks one list, so that no service can make reading it endless. */
export function createLoopGuard(): LoopGuard {
	const cursors = new Set<string>();
	let known = 0;
	let empty = 0;

	return (rows, isKnown, next) => {
		if (!isKnown) known = empty = 0;
		else if (rows > 0) known++;
		else empty++;
		if (empty >= limits.maxEmptyPages) return 'emptyPages';
		if (known >= limits.maxRepeatedPages) return 'repeatedPages';
		// Not the end of the list, because the service says that more follows. The service itself never repeats a
		// cursor: it identifies the last record of a page, which comes after that of the page before (recorded).
		if (cursors.has(next)) return 'repeatedPages';
		cursors.add(next);
		return undefined;
	};
}

/**
 * Reads a list page by page into the collector, until `next` is absent, null or empty, or there are
 * enough records. It requests no more records than are still wanted. An empty page at the end of a list
 * means that records were left out, so the page before it is requested again with more records
 * (`enlargePage`).
 *
 * @returns why the list may be incomplete; undefined when it is complete
 */
export async function paginate(
	fetchPage: FetchPage,
	pageSize: number,
	collector: RecordCollector,
): Promise<IncompleteReason | undefined> {
	const guard = createLoopGuard();
	let cursor: string | undefined;
	let lastPage: LastPage | undefined;
	let refetch: PageRequest | undefined;

	for (let page = 0; page < limits.maxPages; page++) {
		const wanted = collector.limit - collector.records.length;
		if (wanted <= 0 || collector.aborted) return undefined;

		const isRefetch = refetch !== undefined;
		const limit = collector.isFiltered ? pageSize : Math.min(pageSize, wanted);
		const request: PageRequest = refetch ?? { limit, cursor };
		refetch = undefined;
		const { data, next, bytes } = await fetchPage(request);
		const added = addRecords(collector, data, bytes);
		if (collector.records.length >= collector.limit) return undefined;
		if (countRecords(collector) > limits.maxRecordsPerItem) {
			return 'tooManyRecords';
		}

		if (hasNext(next)) {
			if (isRefetch && added === 0) {
				// The page before was full, and the larger page has nothing missing and nothing new: the list ends
				// here, whatever its `next` says.
				const before = lastPage ?? { limit: Infinity, rows: 0 };
				const isLast =
					before.rows >= before.limit && data.length >= before.rows && data.length < request.limit;
				return isLast ? undefined : 'missingRecords';
			}
			if (data.length > 0) lastPage = { ...request, rows: data.length };
			// The larger page may have the `next` that led to the empty page, if all its records are of one second.
			if (!isRefetch || lastPage === undefined || next !== cursor) {
				const end = guard(data.length, added === 0, next);
				if (end !== undefined) return end;
				cursor = next;
				continue;
			}
		} else if (data.length > 0 || lastPage === undefined) {
			return undefined;
		}

		// Records that existed a moment ago are missing on the larger page.
		if (isRefetch && data.length === 0) return 'missingRecords';
		refetch = enlargePage(lastPage, collector.limit - collector.records.length);
		if (refetch === undefined) return 'missingRecords';
	}
	return 'maxPages';
}

/**
 * Fetches pages ahead that are read one after the other, in parallel up to the number of requests that a
 * run may have in flight.
 *
 * @param count number of pages, from index 0
 * @param width number of pages to fetch in parallel, from an index on
 * @returns a function that returns the page of an index. A page is fetched ahead once; a second call
 * fetches it again
 */
export function createReadAhead<Page>(
	count: number,
	fetch: (index: number) => Promise<Page>,
	width: (index: number) => number = () => limits.maxConcurrency,
): (index: number) => Promise<Page> {
	const ahead = new Map<number, Promise<Page>>();
	let end = 0;
	return async (index) => {
		for (end = Math.max(end, index); end < Math.min(index + width(index), count); end++) {
			const page = fetch(end);
			// Its error is thrown in its turn; nothing awaits it before.
			page.catch(() => {});
			ahead.set(end, page);
		}
		const page = ahead.get(index) ?? fetch(index);
		ahead.delete(index);
		return await page;
	};
}
