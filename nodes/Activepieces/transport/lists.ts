import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import { ActivepiecesError, IncompleteListError } from './error';
import { listMessage, toApiError } from './errorFor';
import { limits } from './limits';
import { countRecords, type FetchPage, type Page, paginate, type RecordCollector } from './pages';
import type { ApiRequest } from './request';
import { type ApiResponse, isSuccess } from './response';
import { sendRequest } from './send';
import { isRecord } from './values';

/**
 * The query parameters for a `next`, which is opaque and sent back as `cursor`. If a service returns an
 * absolute URL, its parameters are used with our own path, so that the key is sent to no other route.
 */
function cursorQuery(client: ApiClient, request: ApiRequest, cursor: string): IDataObject {
	if (!/^https?:\/\//i.test(cursor) || !URL.canParse(cursor)) return { cursor };
	const next = new URL(cursor);
	if (next.origin !== new URL(client.baseUrl).origin) {
		throw new ActivepiecesError(
			listMessage(client, request, 'listElsewhere', { otherHost: next.host }),
		);
	}
	const own = Object.keys(request.query ?? {});
	return Object.fromEntries(
		[...next.searchParams].filter(([name]) => name !== 'limit' && !own.includes(name)),
	);
}

/** Reads a list's response: the envelope `{data, next, previous}`. */
function parsePage(client: ApiClient, request: ApiRequest, response: ApiResponse): Page {
	const { data, next }: Record<string, unknown> = isRecord(response.body) ? response.body : {};
	const isEnvelope =
		next === undefined ||
		next === null ||
		(typeof next === 'string' && next.length <= limits.maxCursorLength);
	if (!isSuccess(response) || !Array.isArray(data) || !isEnvelope || !data.every(isRecord)) {
		throw toApiError(client, request, response);
	}
	if (data.length > limits.maxPageRows) {
		const facts = { count: data.length, most: limits.maxPageRows };
		throw new ActivepiecesError(listMessage(client, request, 'pageTooLong', facts));
	}
	return { data, next, date: response.date, bytes: response.bytes };
}

const isTooLarge = (error: unknown): boolean =>
	error instanceof ActivepiecesError && error.connectionError === 'tooLarge';

/**
 * Makes the function that fetches pages of a list, with all parameters of the request except `limit` and
 * `cursor`. If a page exceeds the maximum size of a response, it is requested again with a quarter of its
 * records, and so are later pages: the trigger and some lists have no Page Size that a person could lower.
 */
export function pageFetcher(client: ApiClient, request: ApiRequest): FetchPage {
	let mostRows = Infinity;
	const fetchPage: FetchPage = async ({ limit, cursor }) => {
		const rows = Math.min(limit, mostRows);
		const query = {
			...request.query,
			limit: rows,
			...(cursor === undefined ? {} : cursorQuery(client, request, cursor)),
		};
		const page = { ...request, query };
		const response = await sendRequest(client, page).catch((error: unknown) => {
			if (!isTooLarge(error) || rows <= 1) throw error;
			mostRows = Math.floor(rows / 4) || 1;
		});
		return response === undefined
			? await fetchPage({ limit, cursor })
			: parsePage(client, page, response);
	};
	return fetchPage;
}

/**
 * Reads a list with pages into the collector.
 *
 * @throws {ActivepiecesError} when the list cannot be read to its end
 */
export async function fetchList(
	client: ApiClient,
	request: ApiRequest,
	pageSize: number,
	collector: RecordCollector,
	fetchPage: FetchPage = pageFetcher(client, request),
): Promise<void> {
	collector.keep ??= client.runState.keep;
	const reason = await paginate(fetchPage, pageSize, collector);
	if (reason === undefined) return;
	// A list that may be incomplete is not returned as if it were complete.
	const facts = { count: countRecords(collector), most: limits.maxRecordsPerItem };
	throw new IncompleteListError(listMessage(client, request, reason, facts));
}

/**
 * Fetches a list that the service returns in one piece, in an envelope or as an array. Its `next` is
 * ignored: up to 0.72.3 it is a constant (read in the service's source).
 */
export async function fetchUnpagedList(client: ApiClient, request: ApiRequest): Promise<Page> {
	const response = await sendRequest(client, request);
	const { body } = response;
	return parsePage(
		client,
		request,
		Array.isArray(body) ? { ...response, body: { data: body } } : response,
	);
}
