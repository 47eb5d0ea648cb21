import type { ConnectionError, ConnectionErrorKind } from '../errors/connectionError';
import { limits, type RetryPolicy } from '../limits';
import { isStatus, transienceOf } from '../response/httpStatus';
import { type ApiResponse, type Attempts, isServiceRefusal } from '../response/response';
import type { Endpoint } from './endpoint';

/** What one attempt gave: a response, or why none came. */
export type AttemptResult = ({ response: ApiResponse } | { connectionError: ConnectionError }) & {
	/** It is of the sign-in that had to come first: the request itself was not sent */
	isSignIn?: boolean;
	/** It came to the webhook, and what came back may be the flow's own: a 503 is no refusal then */
	isAnswered?: boolean;
	/** The flow that was called may have made it, or something in front of it: a 429 is no refusal then */
	mayBeOfFlow?: boolean;
	/** All its attempts have been made already */
	isFinal?: boolean;
};

/** A result that may be another one a moment later. */
interface Transient {
	/** The service did nothing, so that any request may be repeated */
	nothingDone: boolean;
	/** The service may have done it all the same */
	isAmbiguous: boolean;
}

const NOTHING_DONE: Transient = { nothingDone: true, isAmbiguous: false };
const AMBIGUOUS: Transient = { nothingDone: false, isAmbiguous: true };
/**
 * In the service's own words it did nothing, which lets a rename be repeated. That is not trusted so far
 * as to take a record that is gone afterwards for one that never was.
 */
const UNAVAILABLE: Transient = { nothingDone: true, isAmbiguous: true };

/** docs/faults.md names the statuses; `trigger/failure.ts` says which of them a poll of the trigger waits out. */
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

/** What the server would answer again: it has had its say, and may have done what it was asked. */
const UNREADABLE: ConnectionErrorKind[] = ['tooLarge', 'undecodable'];

/**
 * Nothing for a result that a further attempt would not change: other statuses, redirects, certificates,
 * and JSON that came whole but is malformed, since whoever made it would make it again.
 */
function transient(result: AttemptResult, method: Endpoint['method']): Transient | undefined {
	if (result.isSignIn) {
		return transient({ ...result, isSignIn: false }, 'GET') && NOTHING_DONE;
	}
	if ('connectionError' in result) return CONNECTION_ERRORS[result.connectionError.kind];
	const { response } = result;
	// Only a GET is about the body; the other methods have had their effect with the status.
	if (method === 'GET' && response.maybeTruncated) return AMBIGUOUS;
	const { status } = response;
	if (isStatus(status, 'serviceUnavailable') && isServiceRefusal(response)) return UNAVAILABLE;
	return transientStatus(status);
}

/** Whether the service, or the way to it, is at fault for the moment. */
export function isTransient(result: AttemptResult, method: Endpoint['method']): boolean {
	return result.isAnswered !== true && transient(result, method) !== undefined;
}

/** Whether the service may have done what it was asked although it did not say so. */
export function isAmbiguous(result: AttemptResult, method: Endpoint['method']): boolean {
	const isUnreadable =
		'connectionError' in result &&
		result.isSignIn !== true &&
		UNREADABLE.includes(result.connectionError.kind);
	const kind = transient(result, method);
	return isUnreadable || (kind !== undefined && (kind.isAmbiguous || result.mayBeOfFlow === true));
}

/** GET and DELETE may be repeated whatever became of an attempt; a POST only when it surely did nothing. */
export function isRetryable(result: AttemptResult, method: Endpoint['method']): boolean {
	const { isFinal, isAnswered, mayBeOfFlow } = result;
	const isLast = isFinal === true || isAnswered === true || mayBeOfFlow === true;
	const kind = isLast ? undefined : transient(result, method);
	return kind !== undefined && (method !== 'POST' || kind.nothingDone);
}

/**
 * When a request is sent again.
 *
 * @param random a number from 0 to 1; the whole of each wait is left to it, so that clients whom the
 * service turned away together do not come back together
 * @returns milliseconds to wait; nothing when the request is to be given up
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
	// Never earlier than asked, and some at random later: all who were turned away heard the same.
	const delay = Math.ceil(asked > 0 ? asked + random * firstMs : backoff);
	return elapsedMs + delay > policy.maxElapsedMs ? undefined : delay;
}

/** Counts the requests in a row that were given up on one server, over all input items of a run. */
export interface CircuitBreaker {
	/** The server is down for more than a moment: requests are sent once and not repeated */
	readonly isOpen: boolean;
	/** @param isTransient whether the last attempt met a server that is down */
	recordResult(isTransient: boolean): void;
}

/** A server that is down would cost a run of thousands of items hours of waiting. */
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
