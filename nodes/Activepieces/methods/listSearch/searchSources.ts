import type { INodeListSearchResult } from 'n8n-workflow';

import type { ListSource } from '../../descriptions/listSource';
import type { ApiClient } from '../../transport/client';
import { isListRefused } from '../../transport/errors/isListRefused';
import { limits } from '../../transport/limits';
import { createLoopGuard } from '../../transport/paging/loopGuard';
import type { Page } from '../../transport/paging/page';
import { createReadAhead } from '../../transport/paging/readAhead';
import { sleepUntilAborted } from '../../transport/sleep';
import { isAboutServer } from '../../transport/errors/isAboutServer';
import { fetchPage, planReads } from './listReads';
import { formatPosition, parsePosition } from './position';

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
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const start = Date.now();
	const text = filter.trim();
	const wanted = text.toLowerCase();
	const results: INodeListSearchResult['results'] = [];
	const seen = new Set<string>();

	const { first, rest } = planReads(sources, text);
	const reads = [...first, ...rest];
	const position = parsePosition(paginationToken);
	const known = reads.findIndex(
		({ source, isWhole }) => source.key === position?.list && isWhole === position.isWhole,
	);
	let index = Math.max(0, known);
	let cursor = known < 0 ? undefined : position?.cursor;
	// Nobody scrolls a list that could not be read.
	let isReadable = known >= 0;
	let isFound = known >= 0;
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
			paginationToken: formatPosition({ list: source.key, cursor, isWhole: read.isWhole }),
		});
		const remainingMs = start + maxElapsedMs(results.length) - Date.now();
		if (results.length >= limits.locatorEntries || remainingMs < 0) return stop();

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
				const value = typeof record.id === 'string' ? record.id : '';
				if (value === '' || seen.has(value)) continue;
				seen.add(value);
				const name = source.label(record);
				if (`${name} ${value}`.toLowerCase().includes(wanted)) results.push({ name, value });
			}
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
