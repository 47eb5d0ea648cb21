import type { IDataObject } from 'n8n-workflow';

import { bounds, MOST_RECORDS } from './bounds';
import { createLoopGuard } from './loopGuard';
import { longer, type Stretch } from './stretch';

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

/** Why a list was left before its end. */
export type Stop =
	/** The cap on pages was reached */
	| 'endless'
	/** Pages of known records came again: the service does so silently for a cursor it does not know */
	| 'circling'
	/** Page after page was empty, each with a cursor to another one */
	| 'empty'
	/** There are more records than one input item can give */
	| 'tooMany'
	/** The service left out records, and a larger page did not bring them */
	| 'losing';

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

/** How many records there are so far, in all lists of the item that share what was seen. */
export const countOf = ({ records, seen }: Tally): number => Math.max(records.length, seen.size);

/**
 * Rows per request: few requests, and the service loses rows only at page edges. It sets no cap of
 * its own (recorded, `test/contract`).
 */
export const PAGE_SIZE = 1000;

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

const hasNext = (next: unknown): next is string => typeof next === 'string' && next !== '';

/**
 * Reads one list page by page into the tally, until `next` is absent, null or empty, or enough
 * records are there. Asks for no more rows than are still wanted. An empty page at the end of a list
 * means that rows were left out, so the page before it is asked for again, longer (`stretch.ts`).
 *
 * @param maxPages ends the reading of a service that never stops
 * @returns why the list may be incomplete; nothing when it is not
 */
export async function readPages(
	fetchPage: FetchPage,
	pageSize: number,
	tally: Tally,
	maxPages = bounds.pages,
): Promise<Stop | undefined> {
	const guard = createLoopGuard();
	let cursor: string | undefined;
	let stretch: Stretch | undefined;
	let again: PageRequest | undefined;

	for (let page = 0; page < maxPages; page++) {
		const wanted = tally.wanted - tally.records.length;
		if (wanted <= 0 || tally.abandoned) return undefined;

		const isAgain = again !== undefined;
		const request: PageRequest = again ?? { limit: Math.min(pageSize, wanted), cursor };
		again = undefined;
		const { data, next } = await fetchPage(request);
		const added = addRecords(tally, data);
		if (added >= wanted) return undefined;
		if (countOf(tally) > MOST_RECORDS) return 'tooMany';

		if (hasNext(next)) {
			// Nothing new on a longer page, and yet a `next` to more.
			if (isAgain && added === 0) return 'losing';
			if (data.length > 0) stretch = { ...request, rows: data.length };
			// On a longer page it may be the `next` that led to the empty one: its rows are of one second.
			if (!isAgain || stretch === undefined || next !== cursor) {
				const end = guard(data.length, added === 0, next);
				if (end !== undefined) return end === 'end' ? undefined : end;
				cursor = next;
				continue;
			}
		} else if (data.length > 0 || stretch === undefined) {
			return undefined;
		}

		// Rows that were there a moment ago are not on the longer page.
		if (isAgain && data.length === 0) return 'losing';
		again = longer(stretch, wanted - added);
		if (again === undefined) return 'losing';
	}
	return 'endless';
}
