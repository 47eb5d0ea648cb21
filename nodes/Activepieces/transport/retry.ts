import type { Answer } from './answer';
import type { Trouble, TroubleKind } from './connectionTrouble';
import { type Patience, patience } from './patience';
import type { Endpoint } from './request';

/** What one try gave: what the server answered, or why no answer came. */
export type Outcome = { answer: Answer } | { trouble: Trouble };

/** What the tries of one request came to. */
export interface Effort {
	/** Tries made */
	tries: number;
	/** Milliseconds since the first one began */
	elapsed: number;
	/** After one of them at least it is not known whether the service did what it was asked */
	isInDoubt: boolean;
}

/** An outcome that may be another one a moment later. */
interface Passing {
	/** The service did nothing, so that any request may be repeated */
	nothingDone: boolean;
	/** The service may have done it all the same */
	isInDoubt: boolean;
}

const NOTHING_DONE: Passing = { nothingDone: true, isInDoubt: false };
const IN_DOUBT: Passing = { nothingDone: false, isInDoubt: true };

const STATUSES: Record<number, Passing> = {
	429: NOTHING_DONE,
	502: IN_DOUBT,
	// The service says with it that it did nothing. A proxy may say it for a service that just stopped,
	// which is no reason to leave a rename undone, but one not to take a deleted record for unknown.
	503: { nothingDone: true, isInDoubt: true },
	504: IN_DOUBT,
};

const TROUBLES: Partial<Record<TroubleKind, Passing>> = {
	unknownHost: NOTHING_DONE,
	notConnected: NOTHING_DONE,
	unreachable: IN_DOUBT,
	timedOut: IN_DOUBT,
	cut: IN_DOUBT,
};

/**
 * Nothing for an outcome that a further try would not change: other statuses, redirects, certificates,
 * and JSON that came whole but is malformed, since whoever made it would make it again.
 */
function passing(outcome: Outcome, method: Endpoint['method']): Passing | undefined {
	if ('trouble' in outcome) return TROUBLES[outcome.trouble.kind];
	const { answer } = outcome;
	// Only a GET is about the body; the other methods have had their effect with the status.
	if (method === 'GET' && answer.mayBeCut) return TROUBLES.cut;
	return STATUSES[answer.status];
}

/** Whether the service, or the way to it, is at fault for the moment. */
export function isPassing(outcome: Outcome, method: Endpoint['method']): boolean {
	return passing(outcome, method) !== undefined;
}

/** Whether the service may have done what it was asked although it did not say so. */
export function isInDoubt(outcome: Outcome, method: Endpoint['method']): boolean {
	return passing(outcome, method)?.isInDoubt ?? false;
}

/**
 * When a request is sent again. GET and DELETE may be repeated whatever became of the try before; a POST
 * only when the service surely did nothing.
 *
 * @param random a number from 0 to 1; the whole of each wait is left to it, so that clients whom the
 * service turned away together do not come back together
 * @returns milliseconds to wait; nothing when the request is to be given up
 */
export function waitBeforeNext(
	outcome: Outcome,
	method: Endpoint['method'],
	{ tries, elapsed }: Pick<Effort, 'tries' | 'elapsed'>,
	bounds: Patience,
	random = Math.random(),
): number | undefined {
	const kind = passing(outcome, method);
	if (kind === undefined || (method === 'POST' && !kind.nothingDone)) return undefined;
	if (tries >= bounds.tries) return undefined;

	const { first, factor, longest } = patience.backoff;
	const backoff = random * Math.min(longest, first * factor ** (tries - 1));
	const asked = 'answer' in outcome ? (outcome.answer.retryAfter ?? 0) : 0;
	if (asked > patience.longestAsked) return undefined;
	// Never earlier than asked, and some at random later: all who were turned away heard the same.
	const wait = Math.ceil(asked > 0 ? asked + random * first : backoff);
	return elapsed + wait > bounds.total ? undefined : wait;
}

/** ", after 5 tries in 12 seconds" for a message; nothing for a request that was tried once. */
export function inWords({ tries, elapsed }: Effort): string {
	if (tries < 2) return '';
	const seconds = Math.round(elapsed / 1000);
	const time =
		seconds < 1 ? 'less than a second' : seconds === 1 ? '1 second' : `${seconds} seconds`;
	return `, after ${tries} tries in ${time}`;
}
