import type { Account } from './credential/account';
import { limits } from './limits';
import type { ApiResponse } from './response';

/** Why signing in, or going on with a new session, is useless for a while. */
export interface Refusal {
	/** What the sign-in was refused with */
	error?: unknown;
	/** What a new session was refused with */
	response?: ApiResponse;
}

/**
 * Refusals of this process, by account. A trigger polls every minute: without them it would sign in every
 * minute with a password that is wrong, and the service counts that against everybody behind one address.
 */
const refusals = new Map<string, Refusal & { until: number }>();

/** With the password: with another one there is nothing to remember. */
const keyOf = ({ baseUrl, email, password }: Account): string =>
	JSON.stringify([baseUrl, email, password]);

function forgetOld(): void {
	const now = Date.now();
	for (const [key, { until }] of refusals) if (until <= now) refusals.delete(key);
}

/** What an account was refused with a short while ago. */
export function refusalOf(account: Account): Refusal | undefined {
	forgetOld();
	return refusals.get(keyOf(account));
}

export function rememberRefusal(account: Account, refusal: Refusal): void {
	forgetOld();
	refusals.set(keyOf(account), { ...refusal, until: Date.now() + limits.signInRefusalTtlMs });
}

export function forgetRefusal(account: Account): void {
	if (refusals.size > 0) refusals.delete(keyOf(account));
}
