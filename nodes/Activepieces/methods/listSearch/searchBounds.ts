import { limits } from '../../transport/limits';
import type { Page } from '../../transport/pages';
import { sleepUntilAborted } from '../../transport/run';

/** The outcome of fetching a page. */
export type Outcome = { page: Page } | { error: unknown };

/** The outcome of fetching a page; undefined when it does not arrive in time. */
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

/** When a search stops until the person scrolls. */
export interface SearchBounds {
	entries: number;
	/** Records per request, for lists without a page size of their own */
	pageSize: number;
	/** How long a search continues once it has found this many entries */
	maxElapsedMs: (entries: number) => number;
}

/**
 * How long a search continues once it has found this many entries. n8n's editor asks for no further page
 * when a list is empty, or short with a text in its search field: n8n 1 never does, n8n 2 does not with
 * a text (read in 1.123.81 and 2.40.7). It shows a loading state instead, and in n8n 2 a notice.
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
