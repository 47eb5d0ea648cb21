import type { INodeListSearchResult } from 'n8n-workflow';

import type { ListSource } from '../../descriptions/listSource';
import type { ApiClient } from '../../transport/client';
import type { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { isListRefused } from '../../transport/errors/isListRefused';
import { limits } from '../../transport/limits';
import { pageFetcher, readUnpagedList } from '../../transport/paging/lists';
import { createLoopGuard } from '../../transport/paging/loopGuard';
import type { Page } from '../../transport/paging/page';
import { createReadAhead } from '../../transport/paging/readAhead';

/** Where a search stopped: in which source, after which page. Opaque to n8n. */
interface Position {
	source: number;
	cursor?: string;
}

function parsePosition(token: string | undefined): Position {
	try {
		return token === undefined ? { source: 0 } : (JSON.parse(token) as Position);
	} catch {
		return { source: 0 };
	}
}

/** The page of a source that comes after a cursor; the first one without. */
async function fetchPage(
	client: ApiClient,
	{ request, isPaged, pageSize = limits.defaultPageSize }: ListSource,
	cursor?: string,
): Promise<Page> {
	return isPaged
		? await pageFetcher(client, request)({ limit: pageSize, cursor })
		: await readUnpagedList(client, request);
}

/**
 * Collects entries for a locator from several lists, one after the other. The service has no search
 * for most of them, so the text is looked for here. It gives what it has found after a while and goes
 * on when the person scrolls; as long as nothing is found it reads on, since the editor cannot scroll
 * an empty list.
 *
 * @throws {ActivepiecesError} saying why, when none of the lists can be read
 */
export async function searchSources(
	client: ApiClient,
	sources: ListSource[],
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const start = Date.now();
	const wanted = filter.trim().toLowerCase();
	const results: INodeListSearchResult['results'] = [];
	const seen = new Set<string>();
	const firstPage = createReadAhead(
		sources.length,
		async (index) => await fetchPage(client, sources[index]),
	);
	let guard = createLoopGuard();
	let { source, cursor } = parsePosition(paginationToken);
	let isReadable = source > 0 || cursor !== undefined;
	let refusal: ActivepiecesError | undefined;

	while (source < sources.length) {
		const isLate = Date.now() - start > limits.locatorFirstEntriesMs;
		if (results.length >= limits.locatorEntries || (isLate && results.length > 0)) {
			return { results, paginationToken: JSON.stringify({ source, cursor } satisfies Position) };
		}
		const current = sources[source];
		const page = await (
			cursor === undefined ? firstPage(source) : fetchPage(client, current, cursor)
		).catch((error: unknown) => {
			if (!isListRefused(error)) throw error;
			refusal ??= error;
		});
		isReadable ||= page !== undefined;

		const known = seen.size;
		for (const record of page?.data ?? []) {
			const value = typeof record.id === 'string' ? record.id : '';
			const name = current.label(record);
			if (value === '' || seen.has(value)) continue;
			seen.add(value);
			if (`${name} ${value}`.toLowerCase().includes(wanted)) results.push({ name, value });
		}

		const next = current.isPaged && typeof page?.next === 'string' ? page.next : '';
		const rows = page?.data.length ?? 0;
		if (next === '' || guard(rows, seen.size === known, next) !== undefined) {
			source++;
			cursor = undefined;
			guard = createLoopGuard();
		} else {
			cursor = next;
		}
	}
	if (!isReadable && refusal !== undefined) throw refusal;
	return { results };
}
