import { limits } from '../limits';
import type { PageRequest } from './page';

/** A page that gave records and a `next`, as far as it is needed to ask for it again. */
export interface LastPage extends PageRequest {
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
export function enlargePage(
	{ limit, cursor, rows }: LastPage,
	missing: number,
): PageRequest | undefined {
	const more = Math.min(2 * limit, limits.maxRecordsPerItem, rows + missing);
	return more > limit ? { limit: more, cursor } : undefined;
}
