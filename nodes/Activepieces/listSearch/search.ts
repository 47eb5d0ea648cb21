import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Locator } from '../descriptions/locator';
import { pageFetcher, readWhole } from '../transport/lists';
import { createLoopGuard } from '../transport/loopGuard';
import { type Page, PAGE_SIZE } from '../transport/pages';
import { patience } from '../transport/patience';
import { readProxy } from '../transport/proxy';
import type { ApiRequest } from '../transport/request';
import { openSession, runOf, type Session } from '../transport/session';

/** One list of the service that feeds a locator. */
export interface Source {
	request: ApiRequest;
	/** False for lists that the service gives in one piece */
	paged: boolean;
	/** Text of a record in the list; search looks in it */
	label: (record: IDataObject) => string;
}

/** Where a search stopped: in which source, after which page. Opaque to n8n. */
interface Position {
	source: number;
	cursor?: string;
}

/** Entries the editor gets at once; it asks for more when the person scrolls. */
const ENTRIES = 50;

/** Lists read ahead at once while nothing was found yet. */
const AHEAD = 10;

function readPosition(token: string | undefined): Position {
	try {
		return token === undefined ? { source: 0 } : (JSON.parse(token) as Position);
	} catch {
		return { source: 0 };
	}
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The search method of a locator whose entries come from these lists. */
export function searchOf(
	sourcesOf: (session: Session) => Source[] | Promise<Source[]>,
): Locator['search'] {
	return async function (filter, paginationToken) {
		const session = await openSearch(this);
		return await searchSources(session, await sourcesOf(session), filter, paginationToken);
	};
}

/** Opens the session of a locator with what the node's own Options say about the connection. */
async function openSearch(context: ILoadOptionsFunctions): Promise<Session> {
	const options = context.getNodeParameter('requestOptions', {}) as IDataObject;
	return await openSession(
		context,
		{
			skipSslCertificateValidation: options.allowUnauthorizedCerts === true,
			...(typeof options.timeout === 'number' ? { timeout: options.timeout } : {}),
			...readProxy(options.proxy),
		},
		runOf(context),
		patience.list,
	);
}

/** The page of a source that comes after a cursor; the first one without. */
async function fetchPage(session: Session, { request, paged }: Source, cursor?: string) {
	if (paged) return await pageFetcher(session, request)({ limit: PAGE_SIZE, cursor });
	return await readWhole(session, request);
}

/** Reads the first pages of the next sources ahead, for searches that find nothing for a while. */
function readAhead(session: Session, sources: Source[]): (index: number) => Promise<Page> {
	const pages = new Map<number, Promise<Page>>();
	return async (index) => {
		for (let ahead = index; ahead < Math.min(index + AHEAD, sources.length); ahead++) {
			if (pages.has(ahead)) continue;
			const page = fetchPage(session, sources[ahead]);
			// Whoever comes to it hears of it; until then it is nobody's.
			page.catch(() => {});
			pages.set(ahead, page);
		}
		return await (pages.get(index) ?? fetchPage(session, sources[index]));
	};
}

/**
 * Collects entries for a locator from several lists, one after the other. The service has no search
 * for most of them, so the text is looked for here, and pages are read until enough is found: an
 * empty list could not be scrolled any further in the editor.
 *
 * @throws {NodeApiError} saying why the list cannot be shown, for example a plan without it
 */
async function searchSources(
	session: Session,
	sources: Source[],
	filter: string | undefined,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const wanted = filter?.trim().toLowerCase() ?? '';
	const results: INodeListSearchResult['results'] = [];
	const seen = new Set<string>();
	let guard = createLoopGuard();
	const firstPage =
		wanted === ''
			? async (index: number) => await fetchPage(session, sources[index])
			: readAhead(session, sources);
	let { source, cursor } = readPosition(paginationToken);

	while (source < sources.length) {
		if (results.length >= ENTRIES) {
			return { results, paginationToken: JSON.stringify({ source, cursor } satisfies Position) };
		}
		const current = sources[source];
		const page =
			cursor === undefined ? await firstPage(source) : await fetchPage(session, current, cursor);

		const known = seen.size;
		for (const record of page.data) {
			const value = toText(record.id);
			const name = current.label(record);
			if (value === '' || seen.has(value)) continue;
			seen.add(value);
			if (`${name} ${value}`.toLowerCase().includes(wanted)) results.push({ name, value });
		}

		const next = current.paged ? toText(page.next) : '';
		if (next === '' || guard(page.data.length, seen.size === known, next) !== undefined) {
			source++;
			cursor = undefined;
			guard = createLoopGuard();
		} else {
			cursor = next;
		}
	}
	return { results };
}

/** The name of a record, or its id where it has none. */
export function nameOf(record: IDataObject, key = 'displayName'): string {
	return toText(record[key]).trim() || toText(record.id);
}

/** `PENDING` as `pending`, for entries that show a state. */
export function lower(value: unknown): string {
	return toText(value).toLowerCase();
}
