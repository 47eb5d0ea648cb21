import { limits } from '../../transport/limits';
import type { Page } from '../../transport/paging/page';
import { sleepUntilAborted } from '../../transport/run/sleep';

/** What came of the fetching of a page. */
export type Outcome = { page: Page } | { error: unknown };

/** The outcome of fetching a page; nothing when it is not there in time. */
export async function within(ms: number, page: Promise<Page>): Promise<Outcome | undefined> {
	const outcome = page.then(
		(fetched): Outcome => ({ page: fetched }),
		(error: unknown): Outcome => ({ error }),
	);
	if (ms === Infinity) return await outcome;
	const isDone = new AbortController();
	try {
		return await Promise.race([
			outcome,
			sleepUntilAborted(Math.max(0, ms), isDone.signal).then(() => undefined),
		]);
	} finally {
		isDone.abort();
	}
}

/** Where a search stops, which goes on when the person scrolls. */
export interface SearchBounds {
	entries: number;
	/** Rows per request of a list that says nothing else */
	pageSize: number;
	/** For how long a search goes on that has found so many entries */
	maxElapsedMs: (entries: number) => number;
}

/**
 * For how long a search goes on that has found so many entries. Of an empty list, and of a short one with
 * a text in its search field, n8n's editor asks for no more: n8n 1 never, n8n 2 with a text (read in
 * 1.123.81 and 2.40.7). It shows that it is loading instead, and in n8n 2 a notice.
 */
function maxElapsedMs(entries: number): number {
	if (entries === 0) return Infinity;
	return entries < limits.locatorFullList
		? limits.locatorShortListMs
		: limits.locatorFirstEntriesMs;
}

export const locatorBounds = (): SearchBounds => ({
	entries: limits.locatorEntries,
	pageSize: limits.locatorEntries,
	maxElapsedMs,
});
