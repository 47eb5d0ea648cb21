import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ApiClient } from './client';
import { type ActivepiecesError, RunEndedError } from './errors/activepiecesError';
import { isCredentialRefused } from './edition';
import { errorForConnection, errorForResponse, errorForSignIn } from './errors/errorFor';
import type { ErrorContext } from './errors/messageParts';
import { type ApiRequest, httpOptions } from './request';
import { type ApiResponse, type Attempts, requestIdOf } from './response';
import { type AttemptResult, isAmbiguous, isRetryable, isTransient, nextRetryDelay } from './retry';
import { resultOfThrown } from './session';

function errorContext(
	{ baseUrl, credentialKind, place, proxyHost }: ApiClient,
	{ id, subject, method, path, feature, webhook }: ApiRequest,
): ErrorContext {
	const isText = typeof id === 'string' || typeof id === 'number';
	return {
		...subject,
		method,
		path,
		feature,
		baseUrl,
		credentialKind,
		place,
		proxyHost,
		isCall: webhook !== undefined,
		id: isText ? String(id).trim() : undefined,
	};
}

/**
 * What came of an attempt that threw.
 *
 * @throws {RunEndedError} when the run has ended
 */
function resultOf(error: unknown, client: ApiClient, method: ApiRequest['method']): AttemptResult {
	if (error instanceof RunEndedError) throw error;
	const result = resultOfThrown(error);
	if (!client.runState.isCancelled) return result;
	// Nothing tells what has become of a change that was under way.
	const isUnsent = result.isSignIn === true || isRetryable(result, 'POST');
	throw new RunEndedError(method !== 'GET' && !isUnsent);
}

async function sendOnce(
	client: ApiClient,
	options: IHttpRequestOptions,
	{ method, webhook }: ApiRequest,
): Promise<AttemptResult> {
	client.runState.throwIfEnded();
	try {
		if (webhook === undefined) return { response: await client.request(options) };
		const response = await client.call(options, webhook);
		const isAnswered = requestIdOf(response) !== undefined;
		return { response, isAnswered, mayBeOfFlow: !isAnswered && webhook.isAnswerOfFlow };
	} catch (error) {
		return resultOf(error, client, method);
	}
}

/** Tells the circuit breaker of the server what became of a request in the end. */
function recordResult(
	{ circuitBreaker }: ApiClient,
	{ method }: ApiRequest,
	result: AttemptResult,
): void {
	if (isTransient(result, method)) circuitBreaker.recordResult(true);
	else if ('response' in result) circuitBreaker.recordResult(false);
}

/** Sends a request until something comes of it that a further attempt would not change. */
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

		const delay = client.circuitBreaker.isOpen
			? undefined
			: nextRetryDelay(result, method, attempts, client.retryPolicy);
		if (delay === undefined) {
			recordResult(client, request, result);
			return { result, attempts };
		}
		const asleep = Date.now();
		const isOver = !(await client.runState.wait(delay));
		if (isOver) throw new RunEndedError(method !== 'GET' && attempts.isAmbiguous);
		// The whole wait counts, however a test waits.
		attempts.elapsedMs += Math.max(delay, Date.now() - asleep);
	}
}

/**
 * Sends one request to one place and gives whatever the server answered, with any status. While the service or the
 * way to it is down the request is repeated (`retry.ts`); it keeps its place among the requests in
 * flight meanwhile, so that a service that asks to wait is not asked by all the other items.
 *
 * @throws {ValidationError} when the id is refused; nothing was sent then
 * @throws {RunEndedError} when the run was stopped or cancelled
 * @throws {AuthenticationError} when signing in gave no session
 * @throws {ActivepiecesError} when no response came
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

/** Makes the error for a response that is not the one asked for. */
export function toApiError(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
): ActivepiecesError {
	return errorForResponse(response, errorContext(client, request));
}
