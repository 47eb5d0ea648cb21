import { MOST_RECORDS } from './bounds';
import type { PageRequest } from './pages';

/** A page that gave records and a `next`, as far as it is needed to ask for it again. */
export interface Stretch extends PageRequest {
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
 * by `MOST_RECORDS`: a second with more records than that could not be given from one input item anyway.
 *
 * @param missing how many records are still wanted
 * @returns nothing when a longer page is not to be had
 */
export function longer({ limit, cursor, rows }: Stretch, missing: number): PageRequest | undefined {
	const more = Math.min(2 * limit, MOST_RECORDS, rows + missing);
	return more > limit ? { limit: more, cursor } : undefined;
}
