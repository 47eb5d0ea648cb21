import { limits } from '../limits';
import type { FetchPage, PageRequest } from './page';
import { addRecords, type RecordCollector, countRecords } from './recordCollector';

/** Why a list was left before its end. */
export type IncompleteReason =
	/** The cap on pages was reached */
	| 'maxPages'
	/** Pages came again: the service gives the first one silently for a cursor that it does not know */
	| 'repeatedPages'
	/** Page after page was empty, each with a cursor to another one */
	| 'emptyPages'
	/** There are more records than one input item can give */
	| 'tooManyRecords'
	/** The service left out records, and a larger page did not bring them */
	| 'missingRecords';

/** Whether the service says that more records follow a page. */
export const hasNext = (next: unknown): next is string => typeof next === 'string' && next !== '';

/** A page that gave records and a `next`, as far as it is needed to ask for it again. */
interface LastPage extends PageRequest {
	/** Rows that it gave */
	rows: number;
}

/**
 * The request for a page once more with more rows, after it led to an empty one. The service says that
 * more rows follow only when it has seen one, but its cursor compares whole seconds: rows created in
 * the second of a page's last row are skipped by the next page (recorded, `test/service/walks.test.ts`).
 * On a longer page they are no longer behind its edge.
 *
 * Doubling reaches the end of a second of any size in few requests. It is bounded by what is wanted, and
 * by the records that one input item can give.
 *
 * @param missing how many records are still wanted
 * @returns nothing when a longer page is not to be had
 */
function enlargePage({ limit, cursor, rows }: LastPage, missing: number): PageRequest | undefined {
	const more = Math.min(2 * limit, limits.maxRecordsPerItem, rows + missing);
	return more > limit ? { limit: more, cursor } : undefined;
}

/** Judges each page that has a `next`: nothing when it may be followed, else why the list cannot be read on. */
export type LoopGuard = (
	rows: number,
	isKnown: boolean,
	next: string,
) => 'repeatedPages' | 'emptyPages' | undefined;

/** Watches over one list, so that no service can keep its reading in a loop. */
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
		// No end, since it says that more follows. The service itself repeats none: it stands for the last row
		// of a page, which lies behind that of the page before (recorded).
		if (cursors.has(next)) return 'repeatedPages';
		cursors.add(next);
		return undefined;
	};
}

/**
 * Reads one list page by page into the collector, until `next` is absent, null or empty, or enough
 * records are there. Asks for no more rows than are still wanted. An empty page at the end of a list
 * means that rows were left out, so the page before it is asked for again, longer (`enlargePage`).
 *
 * @returns why the list may be incomplete; nothing when it is not
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
				// The page before was full, and on the longer one nothing is missing and nothing new: the list
				// ends there, whatever its `next` says.
				const before = lastPage ?? { limit: Infinity, rows: 0 };
				const isLast =
					before.rows >= before.limit && data.length >= before.rows && data.length < request.limit;
				return isLast ? undefined : 'missingRecords';
			}
			if (data.length > 0) lastPage = { ...request, rows: data.length };
			// On a longer page it may be the `next` that led to the empty one: its rows are of one second.
			if (!isRefetch || lastPage === undefined || next !== cursor) {
				const end = guard(data.length, added === 0, next);
				if (end !== undefined) return end;
				cursor = next;
				continue;
			}
		} else if (data.length > 0 || lastPage === undefined) {
			return undefined;
		}

		// Rows that were there a moment ago are not on the longer page.
		if (isRefetch && data.length === 0) return 'missingRecords';
		refetch = enlargePage(lastPage, collector.limit - collector.records.length);
		if (refetch === undefined) return 'missingRecords';
	}
	return 'maxPages';
}
