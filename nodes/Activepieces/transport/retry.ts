import type { ConnectionErrorKind } from './connectionError';
import type { Endpoint } from './endpoint';
import type { AttemptResult } from './exchange';
import { isNotPassedOn, isStatus, isSuccessStatus, isTurnedAway, transienceOf } from './httpStatus';
import { limits, type RetryPolicy } from './limits';
import { type Attempts, isServiceRefusal, requestIdOf } from './response';

/** What the requests of an input item may have changed on the server. */
export type Outcome = 'nothing' | 'maybe' | 'done';

const RANKS: Outcome[] = ['nothing', 'maybe', 'done'];

/**
 * What the requests of one input item did, in every try of *Retry On Fail*: for messages about a change, and
 * for whether it may be repeated.
 */
export class Ledger {
	/** `maybe` if the server may have carried out a change without confirming it */
	outcome: Outcome = 'nothing';
	/** IDs of the records that requests may have changed: an expression may give another one in a later try */
	private readonly ids = new Set<unknown>();

	note(outcome: Outcome, id?: unknown): void {
		if (outcome !== 'nothing') this.ids.add(id);
		if (RANKS.indexOf(outcome) > RANKS.indexOf(this.outcome)) this.outcome = outcome;
	}

	mayHaveChangedRecord(id: unknown): boolean {
		return this.ids.has(id);
	}

	get mayHaveChanged(): boolean {
		return this.outcome !== 'nothing';
	}
}

export class SharedLedger extends Ledger {
	constructor(private readonly ledgers: Ledger[]) {
		super();
	}

	override note(outcome: Outcome, id?: unknown): void {
		for (const ledger of this.ledgers) ledger.note(outcome, id);
	}
}

interface Judgement {
	/** What the request may have done, if it is no GET */
	outcome: Outcome;
	/** Whether the service, or the connection to it, has a temporary problem */
	isTransient: boolean;
	/** Whether even a POST may be repeated, because the service did nothing, or says so */
	mayRepeatPost?: boolean;
}

const NOTHING_DONE: Judgement = { outcome: 'nothing', isTransient: true, mayRepeatPost: true };
const UNCONFIRMED: Judgement = { outcome: 'maybe', isTransient: true };
const REFUSED: Judgement = { outcome: 'nothing', isTransient: false };
/** The server has responded, and may have carried out the request: another attempt would not change it. */
const UNKNOWN: Judgement = { outcome: 'maybe', isTransient: false };

const CONNECTION_ERRORS: Record<ConnectionErrorKind, Judgement> = {
	unknownHost: NOTHING_DONE,
	connectionRefused: NOTHING_DONE,
	connectTimeout: NOTHING_DONE,
	unreachable: UNCONFIRMED,
	timeout: UNCONFIRMED,
	connectionReset: UNCONFIRMED,
	untrustedCertificate: REFUSED,
	// A broken connection looks the same as a server without HTTPS.
	tlsProtocol: UNKNOWN,
	tooLarge: UNKNOWN,
	undecodable: UNKNOWN,
	other: UNKNOWN,
};

/**
 * Judges a result by who responded and how. Complete but malformed JSON is final, since the sender would
 * send it again. docs/operations.md lists the statuses; `trigger/failures.ts` decides which ones a poll tolerates.
 */
export function judge(result: AttemptResult, method: Endpoint['method']): Judgement {
	if (result.isSignIn) {
		const { isTransient } = judge({ ...result, isSignIn: false }, 'GET');
		return isTransient ? NOTHING_DONE : REFUSED;
	}
	if ('connectionError' in result) return CONNECTION_ERRORS[result.connectionError.kind];
	const { response } = result;
	// Only a GET needs the body; other methods have taken effect when the status arrives.
	if (method === 'GET' && response.maybeTruncated) return UNCONFIRMED;
	// The webhook has received the call, so the status is that of the flow.
	if (response.webhook && requestIdOf(response) !== undefined) return UNKNOWN;
	const { status } = response;
	// A success does not show yet that the service sent it.
	if (isSuccessStatus(status)) return UNKNOWN;
	// The service says that it did nothing, so a rename is repeated. But a record that is missing afterwards
	// may still have been deleted by this attempt.
	if (isStatus(status, 'serviceUnavailable') && isServiceRefusal(response)) {
		return { ...UNCONFIRMED, mayRepeatPost: true };
	}
	const transience = transienceOf(status);
	if (transience !== undefined) return transience === 'nothingDone' ? NOTHING_DONE : UNCONFIRMED;
	const isRefused = isServiceRefusal(response) ? isTurnedAway(status) : isNotPassedOn(status);
	return isRefused ? REFUSED : UNKNOWN;
}

/**
 * How many milliseconds to wait before the next attempt; undefined to give up. The whole wait is random, so
 * that clients that the service refused together do not return together.
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

	const { firstMs, factor } = limits.backoff;
	const backoff = random * firstMs * factor ** (count - 1);
	const asked = 'response' in result ? (result.response.retryAfterMs ?? 0) : 0;
	if (asked > limits.maxRetryAfterMs) return undefined;
	// Never earlier than the server asked, plus a random part: all refused clients received the same value.
	const delay = Math.ceil(asked > 0 ? asked + random * firstMs : backoff);
	const remainingMs = Math.min(policy.maxElapsedMs - elapsedMs, policy.remainingMs?.() ?? Infinity);
	return delay > remainingMs ? undefined : delay;
}
