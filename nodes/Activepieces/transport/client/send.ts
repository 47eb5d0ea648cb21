import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { type ApiClient, serverOf } from './client';
import { RunEndedError } from '../errors/error';
import { errorForConnection, toApiError } from '../errors/errorFor';
import { isStatus } from '../http/httpStatus';
import { limits } from '../limits';
import { type ApiRequest, httpOptions, type WebhookRequest, webhookOptions } from './request';
import {
	type ApiResponse,
	type Attempts,
	isRecordUnknown,
	isServiceRefusal,
	isSuccess,
} from '../http/response';
import { nextRetryDelay } from '../http/retry';
import { errorForSignIn } from './session';
import { isRecord, toId } from '../values';
import { verdictOf } from '../http/verdict';

type Call = ApiRequest | WebhookRequest;

/**
 * Sends a request until another attempt would not change the result. While the service or the connection
 * to it has a temporary problem, the request is repeated (`retry.ts`). It keeps its slot among the
 * requests in flight meanwhile, so that the other items do not send requests to a service that asked to
 * wait.
 */
async function sendWithRetry(client: ApiClient, request: Call, options: IHttpRequestOptions) {
	const { end, failuresInARow, responded } = client.run;
	const { method } = request.endpoint;
	const attempts: Attempts = { count: 0, elapsedMs: 0 };
	for (;;) {
		if (end.isEnded) throw new RunEndedError();
		const start = performance.now();
		const result =
			'json' in request ? await client.call(options, request) : await client.request(options);
		attempts.count++;
		attempts.elapsedMs += performance.now() - start;
		if ('response' in result) responded.add(client.baseUrl);
		const { outcome, repeat } = verdictOf(result, method);
		if (method !== 'GET') client.ledger.note(outcome, request.id);
		// Nothing shows whether a request that was canceled in flight was carried out.
		if ('connectionError' in result && end.isCancelled) throw new RunEndedError();

		// The flow may have sent this response, so that another call would run it again.
		const mayBeOfFlow = 'json' in request && request.isFlowResponse && 'response' in result;
		const failures = failuresInARow.get(client.baseUrl) ?? 0;
		// A server that is down for longer: otherwise a run of thousands of items would wait for hours.
		const isDown = failures >= limits.maxConsecutiveFailures;
		const delay =
			isDown || mayBeOfFlow
				? undefined
				: nextRetryDelay(result, method, attempts, client.retryPolicy);
		if (delay === undefined) {
			if (repeat !== 'none') failuresInARow.set(client.baseUrl, failures + 1);
			else if ('response' in result) failuresInARow.delete(client.baseUrl);
			return { result, attempts };
		}
		if (!(await end.wait(delay))) throw new RunEndedError();
		attempts.elapsedMs += delay;
	}
}

async function sendToPath(client: ApiClient, request: Call): Promise<ApiResponse> {
	const isCall = 'json' in request;
	const options = isCall ? webhookOptions(request) : httpOptions(request);
	const { result, attempts } = await client.run.limitRequests(
		async () => await sendWithRetry(client, request, options),
	);
	if (result.isSignIn) throw errorForSignIn(client, result, attempts);
	if ('connectionError' in result) {
		throw errorForConnection(client, request, result.connectionError, attempts);
	}
	const { response } = result;
	response.attempts = attempts;
	if (!isCall && isStatus(response.status, 'unauthorized') && isServiceRefusal(response)) {
		response.isWithoutKeys = await client.isWithoutKeys();
	}
	return response;
}

/** Calls a webhook; a response without a request ID is not that of the flow. */
export async function callWebhook(client: ApiClient, request: WebhookRequest) {
	const response = await sendToPath(client, request);
	const { repeat } = verdictOf({ response }, request.endpoint.method);
	const isOfProxy = repeat !== 'none' || isStatus(response.status, 'redirect');
	if (request.isFlowResponse && isOfProxy) {
		client.ledger.note('maybe');
	}
	return response;
}

/** Sends a request to an endpoint that some servers lack. Such a server is not asked again for some time. */
export async function requestIfPresent(client: ApiClient, request: ApiRequest) {
	const { endpoint } = request;
	const { paths } = serverOf(client.baseUrl);
	const key = `${endpoint.method} ${endpoint.path}`;
	if (paths.has(key) && paths.get(key) === undefined) return undefined;
	const response = await sendToPath(client, request);
	if (!response.isRouteMissing) return response;
	paths.set(key, undefined);
	return undefined;
}

/**
 * Sends a request to the path where the server has its endpoint. Only the framework's own 404 leads to the
 * other path; a missing record is a final response. The right path is remembered per Base URL for some time.
 */
export async function sendRequest(client: ApiClient, request: ApiRequest): Promise<ApiResponse> {
	const { endpoint } = request;
	const { otherPath: moved } = endpoint;
	if (moved === undefined) return await sendToPath(client, request);

	const { paths } = serverOf(client.baseUrl);
	const key = `${endpoint.method} ${endpoint.path}`;
	const movedRequest: ApiRequest = {
		...request,
		endpoint: { ...endpoint, path: moved.path },
		query: { ...request.query, ...moved.query },
	};
	const isMovedFirst = paths.has(key) ? paths.get(key) === moved.path : moved.isTriedFirst;
	const [first, second] = isMovedFirst ? [movedRequest, request] : [request, movedRequest];
	const response = await sendToPath(client, first);
	if (
		moved.alsoIfForbidden === true &&
		isStatus(response.status, 'forbidden') &&
		response.code === 'AUTHORIZATION' &&
		client.tokenProjectId !== undefined
	) {
		// Not remembered, because other users of the server are not refused.
		return await sendToPath(client, second);
	}
	const isAbsent = first === movedRequest && isStatus(response.status, moved.absentStatus);
	if (!response.isRouteMissing && !isAbsent) return response;

	const fallback = await sendToPath(client, second);
	if (isAbsent && fallback.isRouteMissing) return response;
	if (second === movedRequest && isStatus(fallback.status, moved.absentStatus)) return response;
	if (fallback.isRouteMissing) paths.delete(key);
	else paths.set(key, second.endpoint.path);
	return fallback;
}

/**
 * The record of a successful response. One that was requested by ID, created or changed has an ID; an
 * object without one does not come from the API of Activepieces.
 */
export function expectRecord(client: ApiClient, request: ApiRequest, response: ApiResponse) {
	const { id: asked, endpoint } = request;
	const { method, mayReturnNewRecord } = endpoint;
	const body = isSuccess(response) && isRecord(response.body) ? response.body : undefined;
	const id = toId(body?.id) ?? '';
	const mayBeNew = asked === undefined || mayReturnNewRecord === true;
	// A cache may return another record.
	const isRequested =
		(asked === undefined && method !== 'POST') || (mayBeNew ? id !== '' : id === toId(asked));
	if (body === undefined || !isRequested) throw toApiError(client, request, response);
	if (method !== 'GET') client.ledger.note('done');
	return body;
}

export async function requestRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject> {
	return expectRecord(client, request, await sendRequest(client, request));
}

/** The service confirms a delete with a response without a body, in every release (recorded). */
const isDeleted = ({ status, body }: ApiResponse): boolean =>
	isStatus(status, 'ok', 'noContent') && body === undefined;

/**
 * The output of n8n's nodes for a deleted record. One that is unknown now, but was there before, was deleted
 * by an earlier request of the item whose response was lost.
 */
export function expectDeleted(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
	wasThere = client.ledger.mayHaveChangedRecord(request.id),
): IDataObject[] {
	if (!isDeleted(response) && !(wasThere && isRecordUnknown(response))) {
		throw toApiError(client, request, response);
	}
	client.ledger.note('done');
	return [{ deleted: true }];
}

export async function deleteRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	return expectDeleted(client, request, await sendRequest(client, request));
}
