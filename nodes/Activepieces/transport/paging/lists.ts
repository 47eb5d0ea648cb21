import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { ActivepiecesError, IncompleteListError } from '../errors/activepiecesError';
import { toApiError } from '../errors/errorFor';
import { limits } from '../limits';
import type { ApiRequest } from '../request/request';
import { sendRequest } from '../request/send';
import { type ApiResponse, isSuccess } from '../response/response';
import { isRecord } from '../values/isRecord';
import type { FetchPage, Page } from './page';
import { type IncompleteReason, paginate } from './paginate';
import { type RecordCollector, countRecords } from './recordCollector';

/**
 * `next` as query parameters. It is an opaque pointer, given back as `cursor`. Should a service give
 * an absolute URL, its parameters are used on our own path, so that the key cannot leave the route.
 */
function cursorQuery(
	{ baseUrl }: ApiClient,
	{ subject, query }: ApiRequest,
	cursor: string,
): IDataObject {
	if (!/^https?:\/\//i.test(cursor) || !URL.canParse(cursor)) return { cursor };
	const next = new URL(cursor);
	if (next.origin !== new URL(baseUrl).origin) {
		throw new ActivepiecesError({
			message: `The list of ${subject.noun} continues on another server, ${next.host}`,
			description:
				'The node sends the credential only to the server in Base URL. Set Base URL in the credential to the address that the server uses for itself.',
		});
	}
	const own = Object.keys(query ?? {});
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
		throw new ActivepiecesError({
			message: `The server returned ${data.length} ${request.subject.noun} at once, more than the node reads (${limits.maxPageRows})`,
			description: 'Check that Base URL in the credential is the address of the Activepieces API.',
		});
	}
	return { data, next, date: response.date, bytes: response.bytes };
}

const isTooLarge = (error: unknown): boolean =>
	error instanceof ActivepiecesError && error.connectionError === 'tooLarge';

/**
 * Fetches pages of a list; all parameters but `limit` and `cursor` stay as they are. A page of more bytes
 * than an answer may have is asked for again with a quarter of its rows, and so are those that follow: the
 * trigger, and some lists of the node, have no Page Size that a person could lower.
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

/** What helps when a list was left before its end; elsewhere than in the node nothing sets how it is read. */
const adviceFor = ({ place }: ApiClient): string =>
	place === 'node'
		? 'Use Limit, filters or a larger Page Size if the node has them, so that it needs fewer pages.'
		: 'Check that nothing in front of Activepieces, such as a proxy or a cache, changes or repeats its responses.';

/** What the person reads when a list was left before its end. */
const MESSAGES: Record<IncompleteReason, (noun: string) => string> = {
	maxPages: (noun) => `The list of ${noun} never ends`,
	repeatedPages: (noun) => `The server repeats pages of the list of ${noun}`,
	emptyPages: (noun) => `The server returns only empty pages of the list of ${noun}`,
	missingRecords: (noun) => `The server leaves records out of the list of ${noun}`,
	tooManyRecords: (noun) =>
		`There are more ${noun} than the node accepts for one input item (${limits.maxRecordsPerItem})`,
};

/** A list that may be incomplete is not given as if it were whole. */
function assertComplete(
	client: ApiClient,
	{ subject }: ApiRequest,
	collector: RecordCollector,
	reason?: IncompleteReason,
): void {
	if (reason === undefined) return;
	const count = countRecords(collector);
	if (reason === 'tooManyRecords' && collector.ifTooMany !== undefined) {
		throw new IncompleteListError({
			message: `There are more ${subject.noun} than the node reads at once (${limits.maxRecordsPerItem})`,
			description: collector.ifTooMany,
		});
	}
	throw new IncompleteListError({
		message: MESSAGES[reason](subject.noun),
		description:
			reason === 'tooManyRecords'
				? 'Use Limit or filters, or list each project with its own input item.'
				: `The node stopped after ${count} records. ${adviceFor(client)}`,
	});
}

/**
 * Reads a paged list into the collector.
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
	assertComplete(client, request, collector, reason);
}

/**
 * Fetches a list that the service gives in one piece, as an envelope or as a bare array. Its `next` is
 * not to be followed: releases up to 0.72.3 give a constant one (read in the service's source).
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
