import type { INodeListSearchResult } from 'n8n-workflow';

import type { ListSource } from '../../descriptions/listSource';
import type { ApiClient } from '../../transport/client';
import { isAboutServer, isListRefused } from '../../transport/errors/errorScope';
import { limits } from '../../transport/limits';
import { createLoopGuard } from '../../transport/paging/loopGuard';
import type { Page } from '../../transport/paging/page';
import { createReadAhead } from '../../transport/paging/readAhead';
import { plainText } from '../../transport/plainText';
import { sleepUntilAborted } from '../../transport/sleep';
import { toId } from '../../transport/toId';
import { type PageKind, pageUrl } from '../../transport/webPage';
import { fetchPage, isWholeId, type ListRead, planReads } from './listReads';
import { formatPosition, type ListName, parsePosition } from './position';
import { searchText } from './searchText';

type Outcome = { page: Page } | { error: unknown };

/** The outcome of fetching a page; nothing when it is not there in time. */
async function within(ms: number, page: Promise<Page>): Promise<Outcome | undefined> {
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
interface SearchBounds {
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

const locatorBounds = (): SearchBounds => ({
	entries: limits.locatorEntries,
	pageSize: limits.locatorEntries,
	maxElapsedMs,
});

const nameOf = ({ source, isWhole }: ListRead): ListName => ({ list: source.key, isWhole });

/** What the editor asks of a locator's list. */
interface SearchRequest {
	/** The page that an entry leads to, which n8n opens by an arrow */
	page?: PageKind;
	filter?: string;
	paginationToken?: string;
	/** By default those of a locator */
	bounds?: SearchBounds;
}

/**
 * Collects entries for a locator from several lists, one after the other. It gives what it has found
 * after a while and goes on when the person scrolls. A list that cannot be read is left out.
 *
 * @throws {ActivepiecesError} saying why, when none of the lists can be read, and at once when the reason
 * holds for all of them
 */
export async function searchSources(
	client: ApiClient,
	sources: ListSource[],
	{ page, filter = '', paginationToken, bounds = locatorBounds() }: SearchRequest,
): Promise<INodeListSearchResult> {
	const start = Date.now();
	const text = filter.trim();
	const wanted = searchText(text);
	const results: INodeListSearchResult['results'] = [];
	const seen = new Set<string>();

	const { first, rest } = planReads(sources, text, bounds.pageSize);
	const reads = [...first, ...rest];
	const position = parsePosition(paginationToken);
	const indexOf = (name: ListName | undefined): number =>
		reads.findIndex(
			({ source, isWhole }) => source.key === name?.list && isWhole === (name.isWhole === true),
		);
	const known = indexOf(position);
	let index = known < 0 ? indexOf(position?.following) : known;
	// n8n shows what comes twice twice, so nothing begins anew after entries were shown.
	if (position !== undefined && index < 0) return { results };
	index = Math.max(0, index);
	let cursor = known < 0 ? undefined : position?.cursor;
	// Nobody scrolls a list that could not be read.
	let isReadable = position !== undefined;
	let isFound = position !== undefined;
	let reason: Error | undefined;
	let failures = 0;
	let lists = 0;

	const firstPage = createReadAhead(
		reads.length,
		async (each) => await fetchPage(client, reads[each]),
		// The first list may fill the page by itself, so without a text the others come in slowly. None of
		// the rest is read before it is needed.
		(each) =>
			Math.min(
				text === '' ? 2 ** Math.min(lists, 10) : Infinity,
				limits.maxConcurrency,
				each < first.length ? first.length - each : Infinity,
			),
	);
	let guard = createLoopGuard();
	if (cursor !== undefined) guard(1, false, cursor);

	while (index < reads.length && !(isFound && index === first.length && cursor === undefined)) {
		const read = reads[index];
		const { source } = read;
		const stop = (): INodeListSearchResult => ({
			results,
			paginationToken: formatPosition({
				...nameOf(read),
				cursor,
				following: index + 1 < reads.length ? nameOf(reads[index + 1]) : undefined,
			}),
		});
		const remainingMs = start + bounds.maxElapsedMs(results.length) - Date.now();
		if (results.length >= bounds.entries || remainingMs < 0) return stop();

		const outcome = await within(
			remainingMs,
			cursor === undefined ? firstPage(index) : fetchPage(client, read, cursor),
		);
		if (outcome === undefined) return stop();

		let next = '';
		if ('page' in outcome) {
			const { data, next: pageNext } = outcome.page;
			isReadable = true;
			const before = seen.size;
			for (const record of data) {
				const value = toId(source.value?.(record) ?? record.id) ?? '';
				if (value === '' || seen.has(value)) continue;
				seen.add(value);
				const label = source.label(record);
				if (searchText(`${value} ${label}`).includes(wanted)) {
					const url = page && pageUrl(client.baseUrl, page, record);
					const name = plainText(label, limits.locatorLabelLength);
					results.push({ name, value, ...(url ? { url } : {}) });
				}
			}
			// There is one of an ID.
			if (isWholeId(text) && seen.has(text)) return { results };
			isFound ||= results.length > 0;
			next = source.isPaged && typeof pageNext === 'string' ? pageNext : '';
			if (next !== '' && guard(data.length, seen.size === before, next) !== undefined) next = '';
		} else {
			const { error } = outcome;
			if (isAboutServer(error)) throw error;
			reason ??= error as Error;
			if (!isListRefused(error)) failures++;
			if (!isReadable && failures >= limits.maxConsecutiveFailures) throw reason;
		}

		if (next === '') {
			index++;
			lists++;
			cursor = undefined;
			guard = createLoopGuard();
		} else {
			cursor = next;
		}
	}
	if (!isReadable && reason !== undefined) throw reason;
	return { results };
}
