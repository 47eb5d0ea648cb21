import type { IDataObject } from 'n8n-workflow';

/** What is asked of one page. */
export interface PageRequest {
	/** Rows wanted on the page */
	limit: number;
	/** `next` of the page before, as the service gave it */
	cursor?: string;
}

/** One page as the service gave it. */
export interface Page {
	data: IDataObject[];
	next: unknown;
}

export type FetchPage = (request: PageRequest) => Promise<Page>;

/**
 * Why a list was left before its end: the cap on pages was reached, or the service gave pages of
 * known records again instead of going on (it does so silently for a cursor it does not understand).
 */
export type Stop = 'endless' | 'circling';

/** Keeps count over all the lists of one input item: how many records, and which were seen. */
export interface Tally {
	/** How many records are wanted; Infinity for all */
	wanted: number;
	records: IDataObject[];
	seen: Set<unknown>;
	/**
	 * Makes of a record what is kept of it. Done as its page comes in, so that the page can be let go:
	 * a raw flow is many times as large as what people look at.
	 */
	keep: (record: IDataObject) => IDataObject;
	/** Set when another list of the same item went wrong, so that this one need not go on */
	abandoned?: boolean;
}

export function createTally(wanted: number, keep: Tally['keep'] = (record) => record): Tally {
	return { wanted, records: [], seen: new Set(), keep };
}

/** A page may repeat what is known, since rows move while they are read; so many in a row may not. */
const BARREN_PAGES = 3;

/**
 * Rows per request: few requests, and the service loses rows only at page edges. It sets no cap of
 * its own (recorded, `test/contract`).
 */
export const PAGE_SIZE = 1000;

/** No list of the service is this long; a service that goes on has lost its way. */
const MAX_PAGES = 100_000;

/**
 * Adds the records of a page that were not seen before, up to what is wanted.
 *
 * @returns how many were added
 */
export function addRecords(tally: Tally, rows: IDataObject[]): number {
	const before = tally.records.length;
	for (const row of rows) {
		if (tally.records.length >= tally.wanted) break;
		const { id } = row;
		if (id !== undefined && id !== null) {
			if (tally.seen.has(id)) continue;
			tally.seen.add(id);
		}
		tally.records.push(tally.keep(row));
	}
	return tally.records.length - before;
}

/**
 * Reads one list page by page into the tally, until `next` is absent, null or empty, or enough
 * records are there. Asks for no more rows than are still wanted. Ends as well when `next` repeats
 * or when several pages in a row bring nothing new, so that no service can keep it in a loop.
 *
 * @returns why the list may be incomplete; nothing when it is not
 */
export async function readPages(
	fetchPage: FetchPage,
	pageSize: number,
	tally: Tally,
	maxPages = MAX_PAGES,
): Promise<Stop | undefined> {
	const cursors = new Set<string>();
	let cursor: string | undefined;
	let barren = 0;

	for (let page = 0; page < maxPages; page++) {
		const missing = tally.wanted - tally.records.length;
		if (missing <= 0 || tally.abandoned) return undefined;

		const { data, next } = await fetchPage({ limit: Math.min(pageSize, missing), cursor });
		const isKnown = addRecords(tally, data) === 0;
		if (typeof next !== 'string' || next === '') return undefined;
		if (tally.records.length >= tally.wanted) return undefined;

		barren = isKnown ? barren + 1 : 0;
		if (cursors.has(next) || barren >= BARREN_PAGES) {
			// A last page that repeats its cursor is an end; known records again are not.
			return isKnown && data.length > 0 ? 'circling' : undefined;
		}
		cursors.add(next);
		cursor = next;
	}
	return 'endless';
}
