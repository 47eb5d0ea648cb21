import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { classifyConnectionError, type ConnectionError } from '../errors/connectionError';
import type { Redactor } from '../errors/redact';
import { limits } from '../limits';
import type { AttemptResult } from '../request/retry';
import { BodyTooLargeError, discardBody, readBody } from '../response/readBody';
import { type ApiResponse, parseResponse, parseWebhookAnswer } from '../response/response';
import { createLimiter, createTurn, type Limiter } from '../run/limiter';
import { MAX_TIMER_MS, type OnCancel, startDeadline, untilAborted } from './deadline';

/**
 * Sends a request by one of n8n's helpers; gives the head of the answer, and its body as a stream.
 *
 * @param isPublic without the credential, for what the service tells everybody, and for webhooks
 */
export type HttpHelper = (options: IHttpRequestOptions, isPublic?: boolean) => Promise<unknown>;

export interface ExchangeOptions {
	/** Milliseconds from the start of the request to the last byte of its answer */
	timeoutMs: number;
	/** Decompressed bytes of the answer that are read at most */
	maxBytes?: number;
	/** Of what the server says; made when it has said it, since a session may begin with the request */
	getRedactor(): Redactor;
	onCancel?: OnCancel;
	/** Bounds how many large bodies a run reads at once */
	limitLargeBodies?: Limiter;
	/** Whether the answer is given as it came as well */
	isWebhook?: boolean;
}

/** No answer came, or none that could be read. */
export class NoResponseError extends Error {
	override readonly name = 'NoResponseError';

	constructor(
		readonly connectionError: ConnectionError,
		cause?: unknown,
	) {
		super('No response came', { cause });
	}
}

/** What the node wants of every answer: to judge it itself, and to read it itself. */
const READING: Partial<IHttpRequestOptions> = {
	// n8n would read the whole body, however many bytes it has and however long it takes.
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	// The engine would send the key along to another origin.
	disableFollowRedirect: true,
};

const TIMED_OUT: ConnectionError = { kind: 'timeout' };

/** Reads what a helper of n8n, or the reading of a body, threw. */
function toConnectionError(error: unknown): ConnectionError {
	if (error instanceof NoResponseError) return error.connectionError;
	return error instanceof BodyTooLargeError
		? { kind: 'tooLarge', text: error.reason }
		: classifyConnectionError(error);
}

/**
 * Sends one request and reads its answer, the only place that does: bounded in bytes and in time. Resolves
 * with any status.
 *
 * @throws {NoResponseError} when no answer came, or none that could be read
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
	const large = createTurn(limitLargeBodies);
	const start = Date.now();
	const run = async (): Promise<ApiResponse> => {
		// A time that a timer cannot wait is over at once.
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
			webhook: parseWebhookAnswer(read, { content, elapsedMs: Date.now() - start }, getRedactor()),
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

/** What came of an attempt for which `exchange` threw. */
export const toAttemptResult = (error: unknown): AttemptResult => ({
	connectionError: toConnectionError(error),
});
