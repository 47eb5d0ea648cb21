import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readPage } from '../transport/lists';
import { exchangeMoved } from '../transport/movedEndpoints';
import type { ApiRequest } from '../transport/request';
import { openSession, type Session } from '../transport/session';

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

/** Rows asked for per request; more than shown, because the search is done here. */
const PAGE_SIZE = 100;

/** Requests made at most for one answer, so that a rare search text cannot hold the editor. */
const REQUESTS = 60;

function readPosition(token: string | undefined): Position {
	try {
		return token === undefined ? { source: 0 } : (JSON.parse(token) as Position);
	} catch {
		return { source: 0 };
	}
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Opens the session of a locator with the node's own Ignore SSL Issues and Timeout options. */
export async function openSearch(context: ILoadOptionsFunctions): Promise<Session> {
	const options = context.getNodeParameter('requestOptions', {}) as IDataObject;
	return await openSession(context, {
		skipSslCertificateValidation: options.allowUnauthorizedCerts === true,
		...(typeof options.timeout === 'number' ? { timeout: options.timeout } : {}),
	});
}

/**
 * Collects entries for a locator from several lists, one after the other. The service has no search
 * for most of them, so the text is looked for here, and pages are read until enough is found.
 *
 * @throws {NodeApiError} saying why the list cannot be shown, for example a plan without it
 */
export async function searchSources(
	session: Session,
	sources: Source[],
	filter: string | undefined,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const wanted = filter?.trim().toLowerCase() ?? '';
	const results: INodeListSearchResult['results'] = [];
	const seen = new Set<string>();
	let { source, cursor } = readPosition(paginationToken);

	for (let request = 0; source < sources.length; request++) {
		if (results.length >= ENTRIES || request >= REQUESTS) {
			return { results, paginationToken: JSON.stringify({ source, cursor } satisfies Position) };
		}
		const current = sources[source];
		const asked: ApiRequest = current.paged
			? {
					...current.request,
					query: {
						...current.request.query,
						limit: PAGE_SIZE,
						...(cursor === undefined ? {} : { cursor }),
					},
				}
			: current.request;
		const page = readPage(session, asked, await exchangeMoved(session, asked));

		for (const record of page.data) {
			const value = toText(record.id);
			const name = current.label(record);
			if (value === '' || seen.has(value)) continue;
			seen.add(value);
			if (`${name} ${value}`.toLowerCase().includes(wanted)) results.push({ name, value });
		}

		const next = current.paged ? toText(page.next) : '';
		if (next === '' || next === cursor) {
			source++;
			cursor = undefined;
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
