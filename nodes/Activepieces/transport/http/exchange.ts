import { sleep, type IHttpRequestOptions, type IN8nHttpFullResponse } from 'n8n-workflow';

import { limits } from '../limits';
import { BodyTooLargeError, causesOf, classifyConnectionError } from './connectionError';
import type { Redactor } from './redact';
import { parseResponse, parseWebhookResponse, type AttemptResult } from './response';

/* One request and its response: the only place that sends, with the limits of time and size. */

/**
 * Waits for a task; throws the signal's reason when the signal aborts first.
 *
 * @param dispose receives the result of the task when nobody waits for it any more
 */
export async function untilAborted<T>(
	task: Promise<T>,
	signal: AbortSignal,
	dispose: (result: T) => void,
): Promise<T> {
	let abort = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		abort = () => {
			task.then(dispose, () => {});
			reject(signal.reason as Error);
		};
		if (signal.aborted) abort();
		else signal.addEventListener('abort', abort);
	});
	try {
		return await Promise.race([task, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}

/** Sleeps, and wakes at once when the signal aborts: `sleep` of n8n 1.x accepts no signal. */
const sleepUntilAborted = async (ms: number, signal: AbortSignal): Promise<void> =>
	await untilAborted(sleep(ms, signal), signal, () => {}).catch(() => {});

/** How a run waits between requests: an object, so that tests can replace the wait. */
export const waiting = { sleep: sleepUntilAborted };

/** Calls a listener when the workflow is canceled. Returns a function that removes the listener. */
export type OnCancel = (listener: () => void) => () => void;

/** How a server is reached, beside its URL. */
export interface ConnectionSettings {
	/** Only of the credential */
	headers?: Record<string, string>;
	skipSslCertificateValidation?: boolean;
	proxy?: Exclude<IHttpRequestOptions['proxy'], string>;
	timeoutMs?: number;
}

/** The longest delay of a Node.js timer, about 25 days. A longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Starts the time limit of a request, from its start to the last byte of its response. `sleep` of n8n 1.x
 * cannot be cleared, and would keep the process alive for the longest time-out of a run.
 */
export function startDeadline(ms: number, onCancel?: OnCancel) {
	const controller = new AbortController();
	const timer = AbortSignal.timeout(Math.min(ms, MAX_TIMER_MS));
	const expire = () => {
		deadline.isOver = !controller.signal.aborted;
		controller.abort();
	};
	const forget = onCancel?.(() => controller.abort());
	timer.addEventListener('abort', expire);
	const deadline = {
		/** Aborts at the time limit, or when the workflow is canceled */
		signal: controller.signal,
		/** Whether the time limit was reached before the workflow was canceled */
		isOver: false,
		/** Releases the timer and the listener, when the request has ended */
		release() {
			timer.removeEventListener('abort', expire);
			forget?.();
		},
	};
	return deadline;
}

/** A body that arrives in parts, as n8n's request helper returns it with `encoding: 'stream'`. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const isStream = (body: unknown): body is BodyStream =>
	typeof body === 'object' &&
	body !== null &&
	Symbol.asyncIterator in body &&
	'destroy' in body &&
	typeof body.destroy === 'function';

/** Reads a body. Bytes are counted after decompression, because a body of 2 kB can become 1 GB. */
async function readStream(body: BodyStream, signal: AbortSignal): Promise<Buffer> {
	const close = () => body.destroy();
	const { maxResponseBytes: maxBytes } = limits;
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	signal.addEventListener('abort', close);
	try {
		signal.throwIfAborted();
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > maxBytes) {
				throw new BodyTooLargeError(`is larger than ${maxBytes / 2 ** 20} MB`);
			}
			chunks.push(chunk);
		}
	} finally {
		signal.removeEventListener('abort', close);
		body.destroy();
	}
	return Buffer.concat(chunks, bytes);
}

/**
 * Sends a request with one of n8n's helpers; returns the head of the response, and its body as a stream.
 * A public request has no credential.
 */
export type Sender = (options: IHttpRequestOptions, isPublic?: boolean) => Promise<unknown>;

/**
 * The error for a sign-in without a session. It has no property `response`: n8n would take a status 401
 * in it for an expired token and sign in again.
 */
export class SignInError extends Error {
	constructor(readonly result: AttemptResult) {
		super('Signing in gave no session');
	}
}

export interface ExchangeOptions {
	/** Milliseconds from the start of the request to the last byte of its response */
	timeoutMs: number;
	/** Redacts the response; called after it has arrived, since a session may start with the request */
	getRedactor(): Redactor;
	onCancel?: OnCancel;
	/** Whether to send without the key or the session */
	isPublic?: boolean;
	/** Whether to return the raw response as well */
	isWebhook?: boolean;
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

/**
 * Sends a request and reads its response. It is the only place that does, and limits both size and time.
 * Resolves with any status, and with the reason when there was no response.
 */
export async function exchange(
	sender: Sender,
	options: IHttpRequestOptions,
	exchangeOptions: ExchangeOptions,
): Promise<AttemptResult> {
	const { timeoutMs, getRedactor } = exchangeOptions;
	const deadline = startDeadline(timeoutMs, exchangeOptions.onCancel);
	const { signal } = deadline;
	const start = performance.now();
	try {
		// A timer with a longer delay fires at once.
		const timeout = Math.min(options.timeout ?? timeoutMs, MAX_TIMER_MS);
		const sending = sender(
			{ ...options, ...READING, timeout, abortSignal: signal },
			exchangeOptions.isPublic,
		);
		const head = await untilAborted(sending as Promise<IN8nHttpFullResponse>, signal, (late) => {
			if (isStream(late?.body)) late.body.destroy();
		});
		const content = isStream(head.body) ? await readStream(head.body, signal) : Buffer.alloc(0);
		// Decoding removes a byte order mark, which JSON does not have.
		const body = isStream(head.body) ? new TextDecoder().decode(content) : head.body;
		const read = { ...head, body: body as IN8nHttpFullResponse['body'] };
		const response = parseResponse(read, getRedactor());
		if (exchangeOptions.isWebhook) {
			const elapsedMs = performance.now() - start;
			response.webhook = parseWebhookResponse(read, { content, elapsedMs }, getRedactor());
		}
		return { response };
	} catch (error) {
		const signIn = causesOf(error).find((cause) => cause instanceof SignInError);
		if (signIn !== undefined) return { ...signIn.result, isSignIn: true };
		if (deadline.isOver) return { connectionError: { kind: 'timeout' } };
		const { kind, text } = classifyConnectionError(error);
		return { connectionError: { kind, text: text && getRedactor().message(text) } };
	} finally {
		deadline.release();
	}
}
