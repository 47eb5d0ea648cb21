import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { BodyTooLargeError, discardBody, readBody } from './body';
import { classifyConnectionError, type ConnectionError } from './connectionError';
import { MAX_TIMER_MS, type OnCancel, startDeadline, untilAborted } from './deadline';
import { createLimiter, createSlot, type Limiter } from './limiter';
import { limits } from './limits';
import type { Redactor } from './redact';
import { type ApiResponse, parseResponse, parseWebhookResponse } from './response';
import type { AttemptResult } from './retry';

/**
 * Sends a request with one of n8n's helpers; returns the head of the response, and its body as a stream.
 *
 * @param isPublic sends without the credential, for what the service tells every client, and for
 * webhooks
 */
export type HttpHelper = (options: IHttpRequestOptions, isPublic?: boolean) => Promise<unknown>;

export interface ExchangeOptions {
	/** Milliseconds from the start of the request to the last byte of its response */
	timeoutMs: number;
	/** Maximum size of the response in bytes, decompressed */
	maxBytes?: number;
	/** Redacts the response; called after it has arrived, since a session may start with the request */
	getRedactor(): Redactor;
	onCancel?: OnCancel;
	/** Limits how many large bodies a run reads at once */
	limitLargeBodies?: Limiter;
	/** Whether to return the raw response as well */
	isWebhook?: boolean;
}

/** The error when there was no response, or none that could be read. */
class NoResponseError extends Error {
	override readonly name = 'NoResponseError';

	constructor(
		readonly connectionError: ConnectionError,
		cause?: unknown,
	) {
		super('No response came', { cause });
	}
}

/** Request options with which n8n leaves the status and the body of a response to the node. */
const READING: Partial<IHttpRequestOptions> = {
	// Otherwise n8n would read the whole body, whatever its size and duration.
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	// n8n would send the key to another origin.
	disableFollowRedirect: true,
};

const TIMED_OUT: ConnectionError = { kind: 'timeout' };

/** Classifies an error of n8n's helper, or of reading the body. */
function toConnectionError(error: unknown): ConnectionError {
	if (error instanceof NoResponseError) return error.connectionError;
	return error instanceof BodyTooLargeError
		? { kind: 'tooLarge', text: error.reason }
		: classifyConnectionError(error);
}

/**
 * Sends a request and reads its response. It is the only place that does, and limits both size and time.
 * Resolves with any status.
 *
 * @throws {NoResponseError} when there was no response, or none that could be read
 */
export async function exchange(
	send: HttpHelper,
	options: IHttpRequestOptions,
	{
		timeoutMs,
		maxBytes = limits.maxResponseBytes,
		getRedactor,
		onCancel,
		limitLargeBodies = createLimiter(limits.maxLargeResponses),
		isWebhook = false,
	}: ExchangeOptions,
): Promise<ApiResponse> {
	const deadline = startDeadline(timeoutMs, onCancel);
	const { signal } = deadline;
	const large = createSlot(limitLargeBodies);
	const start = Date.now();
	const run = async (): Promise<ApiResponse> => {
		// A timer with a longer delay fires at once.
		const timeout = Math.min(options.timeout ?? timeoutMs, MAX_TIMER_MS);
		const sending = send({ ...options, ...READING, timeout, abortSignal: signal });
		const response = await untilAborted(sending as Promise<IN8nHttpFullResponse>, signal, (late) =>
			discardBody(late?.body),
		);
		const { text, bytes, content } = await readBody(
			response.body,
			{ maxBytes, maxValues: limits.maxResponseValues, beginLarge: large.begin },
			signal,
		);
		const body = text as IN8nHttpFullResponse['body'];
		const read = { ...response, body };
		const parsed = { ...parseResponse(read, getRedactor()), bytes };
		if (!isWebhook) return parsed;
		return {
			...parsed,
			webhook: parseWebhookResponse(
				read,
				{ content, elapsedMs: Date.now() - start },
				getRedactor(),
			),
		};
	};
	return await run()
		.catch((error: unknown) => {
			const { kind, text } = deadline.isOver ? TIMED_OUT : toConnectionError(error);
			throw new NoResponseError({ kind, text: text && getRedactor().message(text) }, error);
		})
		.finally(() => {
			deadline.release();
			large.end();
		});
}

/** The result of an attempt for which `exchange` threw. */
export const toAttemptResult = (error: unknown): AttemptResult => ({
	connectionError: toConnectionError(error),
});
