import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { ApiClient } from './client';
import { RunEndedError } from './error';
import { errorContext, errorForConnection, errorForSignIn, toApiError } from './errorFor';
import { createExpiringMap } from './expiringMap';
import { isStatus } from './httpStatus';
import { limits } from './limits';
import { type ApiRequest, httpOptions } from './request';
import {
	type ApiResponse,
	type Attempts,
	isServiceRefusal,
	isSuccess,
	requestIdOf,
} from './response';
import { type AttemptResult, isAmbiguous, isRetryable, isTransient, nextRetryDelay } from './retry';
import { resultOfThrown } from './session';
import { isRecord, toId } from './values';

/** The error for a run that ended before the requests of a client were complete. */
export const runEnded = ({ mayHaveChanged }: ApiClient): RunEndedError =>
	new RunEndedError(mayHaveChanged);

/**
 * The result of an attempt that threw.
 *
 * @throws {RunEndedError} when the run has ended
 */
function resultOf(error: unknown, client: ApiClient, method: ApiRequest['method']): AttemptResult {
	if (error instanceof RunEndedError) throw runEnded(client);
	const result = resultOfThrown(error);
	if (!client.runState.end.isCancelled) return result;
	// Nothing shows whether a change in flight was made.
	const isUnsent = result.isSignIn === true || isRetryable(result, 'POST');
	client.mayHaveChanged ||= method !== 'GET' && !isUnsent;
	throw runEnded(client);
}

/** Whether the service itself refused the credential. */
const isCredentialRefused = (response: ApiResponse): boolean =>
	isStatus(response.status, 'unauthorized') && isServiceRefusal(response);

async function sendOnce(
	client: ApiClient,
	options: IHttpRequestOptions,
	{ method, webhook }: ApiRequest,
): Promise<AttemptResult> {
	try {
		client.runState.end.throwIfEnded();
		if (webhook === undefined) return { response: await client.request(options) };
		const response = await client.call(options, webhook);
		const isAnswered = requestIdOf(response) !== undefined;
		return { response, isAnswered, mayBeFlowResponse: !isAnswered && webhook.isFlowResponse };
	} catch (error) {
		return resultOf(error, client, method);
	}
}

/** Reports the final result of a request to the server's circuit breaker. */
function recordResult(
	{ circuitBreaker }: ApiClient,
	{ method }: ApiRequest,
	result: AttemptResult,
): void {
	if (isTransient(result, method)) circuitBreaker.recordResult(true);
	else if ('response' in result) circuitBreaker.recordResult(false);
}

/** Sends a request until another attempt would not change the result. */
async function sendWithRetry(
	client: ApiClient,
	request: ApiRequest,
	options: IHttpRequestOptions,
): Promise<{ result: AttemptResult; attempts: Attempts }> {
	const { method } = request;
	const attempts: Attempts = { count: 0, elapsedMs: 0, isAmbiguous: false };

	for (;;) {
		const start = Date.now();
		const result = await sendOnce(client, options, request);
		attempts.count++;
		attempts.elapsedMs += Date.now() - start;
		attempts.isAmbiguous ||= isAmbiguous(result, method);
		// A webhook that has received the call has run the flow, whatever the flow responds.
		const isDone =
			result.isAnswered === true || ('response' in result && isSuccess(result.response));
		client.mayHaveChanged ||= method !== 'GET' && (attempts.isAmbiguous || isDone);

		const delay = client.circuitBreaker.isOpen
			? undefined
			: nextRetryDelay(result, method, attempts, client.retryPolicy);
		if (delay === undefined) {
			recordResult(client, request, result);
			return { result, attempts };
		}
		if (!(await client.runState.end.wait(delay))) throw runEnded(client);
		attempts.elapsedMs += delay;
	}
}

/**
 * Sends a request to one path and returns the server's response, with any status. While the service or
 * the connection to it has a temporary problem, the request is repeated (`retry.ts`). It keeps its place
 * among the requests in flight meanwhile, so that the other items do not send requests to a service that
 * asked to wait.
 *
 * @throws {ValidationError} when the ID is invalid; nothing was sent then
 * @throws {RunEndedError} when the run was stopped or canceled
 * @throws {AuthenticationError} when signing in gave no session
 * @throws {ActivepiecesError} when there was no response
 */
export async function sendToPath(client: ApiClient, request: ApiRequest): Promise<ApiResponse> {
	const options = httpOptions(request);
	const { result, attempts } = await client.runState.limitRequests(
		async () => await sendWithRetry(client, request, options),
	);
	if (result.isSignIn) throw errorForSignIn(result, errorContext(client, request), attempts);
	if ('response' in result) {
		const { response } = result;
		const isWithoutKeys =
			request.webhook === undefined &&
			isCredentialRefused(response) &&
			(await client.isWithoutKeys());
		return { ...response, attempts, isWithoutKeys };
	}
	throw errorForConnection(result.connectionError, errorContext(client, request), attempts);
}

/** Endpoints that a server does not have, as `<base URL> <method> <path>`. */
const absent = createExpiringMap<true>(() => limits.serverKnowledgeTtlMs);

/**
 * Sends a request to an endpoint that only some servers have. A server without it is not asked again for
 * some time.
 *
 * @returns undefined when the server does not have it
 */
export async function requestIfPresent(
	client: ApiClient,
	request: ApiRequest,
): Promise<ApiResponse | undefined> {
	const key = `${client.baseUrl} ${request.method} ${request.path}`;
	if (absent.get(key)) return undefined;
	const response = await sendToPath(client, request);
	if (!response.isRouteMissing) return response;
	absent.set(key, true);
	return undefined;
}

/**
 * Maps `<base URL> <method> <contract path>` to the path that the server has, which is then requested first.
 */
const preferredPaths = createExpiringMap<string>(() => limits.serverKnowledgeTtlMs);

/**
 * Sends a request to the path where the server has its endpoint. Only the framework's own 404 leads to the
 * other path; a missing record is a final response. The right path is remembered per Base URL for some time.
 */
export async function sendRequest(client: ApiClient, request: ApiRequest): Promise<ApiResponse> {
	const { movedTo: moved } = request;
	if (moved === undefined) return await sendToPath(client, request);

	const movedRequest: ApiRequest = {
		...request,
		path: moved.path,
		query: { ...request.query, ...moved.query },
	};
	const order = moved.isFirst ? [movedRequest, request] : [request, movedRequest];
	const key = `${client.baseUrl} ${request.method} ${request.path}`;
	const remembered = preferredPaths.get(key);
	if (remembered !== undefined) {
		order.sort((a, b) => Number(b.path === remembered) - Number(a.path === remembered));
	}

	const [first, second] = order;
	const response = await sendToPath(client, first);
	if (
		moved.isForOwnProject === true &&
		isStatus(response.status, 'forbidden') &&
		response.code === 'AUTHORIZATION' &&
		client.tokenProjectId() !== undefined
	) {
		// Not remembered, because other users of the server are not refused.
		return await sendToPath(client, second);
	}
	const isAbsent = first === movedRequest && isStatus(response.status, moved.absentStatus);
	if (!response.isRouteMissing && !isAbsent) return response;

	const fallback = await sendToPath(client, second);
	if (isAbsent && fallback.isRouteMissing) return response;
	if (second === movedRequest && isStatus(fallback.status, moved.absentStatus)) return response;
	if (fallback.isRouteMissing) preferredPaths.delete(key);
	else preferredPaths.set(key, second.path);
	return fallback;
}

/**
 * Sends a request for one record and returns it, as `expectRecord` does.
 *
 * @throws {ActivepiecesError} when there is none
 */
export async function requestRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject> {
	return expectRecord(client, request, await sendRequest(client, request));
}

/** Whether a record is the requested one: a cache may return another. */
function isAbout(
	{ id: asked, method, mayReturnNewRecord }: ApiRequest,
	body: IDataObject,
): boolean {
	if (asked === undefined && method !== 'POST') return true;
	const id = toId(body.id) ?? '';
	return asked === undefined || mayReturnNewRecord === true ? id !== '' : id === toId(asked);
}

/**
 * Returns the JSON object of a successful response. A record that was requested by ID, created or
 * changed has an ID; an object without one does not come from the API of Activepieces.
 *
 * @throws {ActivepiecesError} for any other response
 */
export function expectRecord(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
): IDataObject {
	const { body } = response;
	if (!isSuccess(response) || !isRecord(body) || !isAbout(request, body)) {
		throw toApiError(client, request, response);
	}
	return body;
}

/** The service confirms a delete with a response without a body, in every release (recorded). */
const isDeleted = ({ status, body }: ApiResponse): boolean =>
	isStatus(status, 'ok', 'noContent') && body === undefined;

/**
 * The service does not know the record. A proxy that has lost its server responds with a 404 of its own,
 * and 0.73 sends no code for folders (recorded).
 */
const isUnknown = (response: ApiResponse): boolean =>
	isStatus(response.status, 'notFound') && isServiceRefusal(response) && !response.isRouteMissing;

/**
 * The output of n8n's nodes for a deleted record.
 *
 * @param wasThere whether the record existed at the start of the request, so that a 404 means that it is
 * deleted
 * @throws {ActivepiecesError} for any other response
 */
export function expectDeleted(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
	wasThere = response.attempts?.isAmbiguous === true,
): IDataObject[] {
	if (!isDeleted(response) && !(wasThere && isUnknown(response))) {
		throw toApiError(client, request, response);
	}
	return [{ deleted: true }];
}

/**
 * Deletes one record. If the response of an earlier attempt was lost, that attempt deleted a record that
 * is unknown now. If the earlier attempts certainly did nothing, it was unknown before.
 */
export async function deleteRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	return expectDeleted(client, request, await sendRequest(client, request));
}
