import type { ConnectionErrorKind } from './connectionError';
import type { Endpoint } from './endpoint';
import type { AttemptResult } from './exchange';
import { isStatus, isSuccessStatus, isTurnedAway, transienceOf } from './httpStatus';
import type { Outcome } from './ledger';
import { limits, type RetryPolicy } from './limits';
import { type Attempts, isServiceRefusal, requestIdOf } from './response';

/** What a result says about the request and about the next one. */
interface Judgement {
	/** What the request may have done, if it is no GET */
	outcome: Outcome;
	/** Whether the service, or the connection to it, has a temporary problem */
	isTransient: boolean;
	/** Whether even a POST may be repeated, because the service did nothing, or says so */
	mayRepeatPost?: boolean;
}

const NOTHING_DONE: Judgement = { outcome: 'nothing', isTransient: true, mayRepeatPost: true };
const MAYBE_DONE: Judgement = { outcome: 'maybe', isTransient: true };
const REFUSED: Judgement = { outcome: 'nothing', isTransient: false };
/** Another attempt would not change it: the server has responded, and may have carried out the request. */
const UNKNOWN: Judgement = { outcome: 'maybe', isTransient: false };

const CONNECTION_ERRORS: Record<ConnectionErrorKind, Judgement> = {
	unknownHost: NOTHING_DONE,
	connectionRefused: NOTHING_DONE,
	connectTimeout: NOTHING_DONE,
	unreachable: MAYBE_DONE,
	timeout: MAYBE_DONE,
	connectionReset: MAYBE_DONE,
	untrustedCertificate: REFUSED,
	tlsProtocol: REFUSED,
	tooLarge: UNKNOWN,
	undecodable: UNKNOWN,
	other: UNKNOWN,
};

/**
 * Judges a result by who responded and how. Complete but malformed JSON is final, since the sender would
 * send it again. docs/faults.md lists the statuses; `trigger/failures.ts` decides which ones a poll tolerates.
 */
export function judge(result: AttemptResult, method: Endpoint['method']): Judgement {
	if (result.isSignIn) {
		const { isTransient } = judge({ ...result, isSignIn: false }, 'GET');
		return isTransient ? NOTHING_DONE : REFUSED;
	}
	if ('connectionError' in result) return CONNECTION_ERRORS[result.connectionError.kind];
	const { response } = result;
	// Only a GET needs the body; other methods have taken effect when the status arrives.
	if (method === 'GET' && response.maybeTruncated) return MAYBE_DONE;
	// The webhook has received the call, so the status is that of the flow.
	if (requestIdOf(response) !== undefined) return UNKNOWN;
	const { status } = response;
	// A success does not show yet that the service sent it.
	if (isSuccessStatus(status)) return UNKNOWN;
	// The service says that it did nothing, so a rename is repeated. But a record that is missing afterwards
	// may still have been deleted by this attempt.
	if (isStatus(status, 'serviceUnavailable') && isServiceRefusal(response)) {
		return { ...MAYBE_DONE, mayRepeatPost: true };
	}
	const transience = transienceOf(status);
	if (transience !== undefined) return transience === 'nothingDone' ? NOTHING_DONE : MAYBE_DONE;
	return isTurnedAway(status) ? REFUSED : UNKNOWN;
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
	{ count, elapsedMs }: Attempts,
	policy: RetryPolicy,
	random = Math.random(),
): number | undefined {
	const { isTransient, mayRepeatPost } = judge(result, method);
	if (!isTransient || (method === 'POST' && !mayRepeatPost)) return undefined;
	if (result.isFinal || count >= policy.maxAttempts) return undefined;

	const { firstMs, factor, maxMs } = limits.backoff;
	const backoff = random * Math.min(maxMs, firstMs * factor ** (count - 1));
	const asked = 'response' in result ? (result.response.retryAfterMs ?? 0) : 0;
	if (asked > limits.maxRetryAfterMs) return undefined;
	// Never earlier than the server asked, plus a random part: all refused clients received the same value.
	const delay = Math.ceil(asked > 0 ? asked + random * firstMs : backoff);
	const remainingMs = Math.min(policy.maxElapsedMs - elapsedMs, policy.remainingMs?.() ?? Infinity);
	return delay > remainingMs ? undefined : delay;
}

/** Counts consecutive failed requests to one server, over all input items of a run. */
export class CircuitBreaker {
	private consecutiveFailures = 0;

	/**
	 * Whether the server is down for longer, so that requests are not repeated. Otherwise a run of thousands of
	 * items would wait for hours.
	 */
	get isOpen(): boolean {
		return this.consecutiveFailures >= limits.maxConsecutiveFailures;
	}

	/** @param result the last attempt of a request */
	record(result: AttemptResult, method: Endpoint['method']): void {
		if (judge(result, method).isTransient) this.consecutiveFailures++;
		else if ('response' in result) this.consecutiveFailures = 0;
	}
}
