import type { ConnectionError, ConnectionErrorKind } from './connectionError';
import type { Endpoint } from './endpoint';
import { isStatus, transienceOf } from './httpStatus';
import { limits, type RetryPolicy } from './limits';
import { type ApiResponse, type Attempts, isServiceRefusal } from './response';

/** The result of one attempt: a response, or why there was none. */
export type AttemptResult = ({ response: ApiResponse } | { connectionError: ConnectionError }) & {
	/** It is that of the preceding sign-in; the request itself was not sent */
	isSignIn?: boolean;
	/** The webhook received the call, so the response may be the flow's own and a 503 is not a refusal */
	isAnswered?: boolean;
	/** The response may come from the called flow or from something in front of it, so a 429 is not a refusal */
	mayBeFlowResponse?: boolean;
	/** All attempts have been made */
	isFinal?: boolean;
};

/** A result that may change soon. */
interface Transient {
	/** The service did nothing, or says so: any request may be repeated */
	mayRepeatPost: boolean;
	/** The service may have carried out the request */
	isAmbiguous: boolean;
}

const NOTHING_DONE: Transient = { mayRepeatPost: true, isAmbiguous: false };
const AMBIGUOUS: Transient = { mayRepeatPost: false, isAmbiguous: true };
/**
 * The service says that it did nothing, so a rename is repeated. But a record that is missing afterwards
 * may still have been deleted by this attempt.
 */
const UNAVAILABLE: Transient = { mayRepeatPost: true, isAmbiguous: true };

/**
 * Statuses that may change soon; docs/faults.md lists them. `trigger/failure.ts` decides which ones a
 * poll tolerates.
 */
function transientStatus(status: number): Transient | undefined {
	const transience = transienceOf(status);
	return transience && (transience === 'nothingDone' ? NOTHING_DONE : AMBIGUOUS);
}

const CONNECTION_ERRORS: Partial<Record<ConnectionErrorKind, Transient>> = {
	unknownHost: NOTHING_DONE,
	connectionRefused: NOTHING_DONE,
	connectTimeout: NOTHING_DONE,
	unreachable: AMBIGUOUS,
	timeout: AMBIGUOUS,
	connectionReset: AMBIGUOUS,
};

/** Responses that the server would repeat: it has responded, and may have carried out the request. */
const UNREADABLE: ConnectionErrorKind[] = ['tooLarge', 'undecodable'];

/**
 * undefined for a result that another attempt would not change: other statuses, redirects, certificates,
 * and complete but malformed JSON, which the sender would send again.
 */
function transient(result: AttemptResult, method: Endpoint['method']): Transient | undefined {
	if (result.isSignIn) {
		return transient({ ...result, isSignIn: false }, 'GET') && NOTHING_DONE;
	}
	if ('connectionError' in result) return CONNECTION_ERRORS[result.connectionError.kind];
	const { response } = result;
	// Only a GET needs the body; other methods have taken effect when the status arrives.
	if (method === 'GET' && response.maybeTruncated) return AMBIGUOUS;
	const { status } = response;
	if (isStatus(status, 'serviceUnavailable') && isServiceRefusal(response)) return UNAVAILABLE;
	return transientStatus(status);
}

/** Whether the service, or the connection to it, has a temporary problem. */
export function isTransient(result: AttemptResult, method: Endpoint['method']): boolean {
	return result.isAnswered !== true && transient(result, method) !== undefined;
}

/** Whether the service may have carried out the request without confirming it. */
export function isAmbiguous(result: AttemptResult, method: Endpoint['method']): boolean {
	const isUnreadable =
		'connectionError' in result &&
		result.isSignIn !== true &&
		UNREADABLE.includes(result.connectionError.kind);
	const kind = transient(result, method);
	return (
		isUnreadable || (kind !== undefined && (kind.isAmbiguous || result.mayBeFlowResponse === true))
	);
}

/** Whether a request may be repeated: GET and DELETE always, a POST only if it certainly did nothing. */
export function isRetryable(result: AttemptResult, method: Endpoint['method']): boolean {
	const { isFinal, isAnswered, mayBeFlowResponse } = result;
	const isLast = isFinal === true || isAnswered === true || mayBeFlowResponse === true;
	const kind = isLast ? undefined : transient(result, method);
	return kind !== undefined && (method !== 'POST' || kind.mayRepeatPost);
}

/**
 * When to send a request again.
 *
 * @param random a number from 0 to 1. The whole wait is random, so that clients that the service refused
 * together do not return together
 * @returns milliseconds to wait; undefined to give up
 */
export function nextRetryDelay(
	result: AttemptResult,
	method: Endpoint['method'],
	{ count, elapsedMs }: Pick<Attempts, 'count' | 'elapsedMs'>,
	policy: RetryPolicy,
	random = Math.random(),
): number | undefined {
	if (!isRetryable(result, method) || count >= policy.maxAttempts) return undefined;
	if (policy.remainingMs !== undefined && policy.remainingMs() <= 0) return undefined;

	const { firstMs, factor, maxMs } = limits.backoff;
	const backoff = random * Math.min(maxMs, firstMs * factor ** (count - 1));
	const asked = 'response' in result ? (result.response.retryAfterMs ?? 0) : 0;
	if (asked > limits.maxRetryAfterMs) return undefined;
	// Never earlier than the server asked, plus a random part: all refused clients received the same value.
	const delay = Math.ceil(asked > 0 ? asked + random * firstMs : backoff);
	return elapsedMs + delay > policy.maxElapsedMs ? undefined : delay;
}

/** Counts consecutive failed requests to one server, over all input items of a run. */
export interface CircuitBreaker {
	/** Whether the server is down for longer, so that requests are not repeated */
	readonly isOpen: boolean;
	/** @param isTransient whether the last attempt failed because the server is down */
	recordResult(isTransient: boolean): void;
}

/** Without it, a server that is down would make a run of thousands of items wait for hours. */
export function createCircuitBreaker(): CircuitBreaker {
	let consecutiveFailures = 0;
	return {
		get isOpen() {
			return consecutiveFailures >= limits.maxConsecutiveFailures;
		},
		recordResult(isTransient) {
			consecutiveFailures = isTransient ? consecutiveFailures + 1 : 0;
		},
	};
}
