import type { Account } from '../credential/account';
import { limits } from '../limits';
import type { ApiResponse } from '../response/response';
import { createExpiringMap } from '../values/expiringMap';

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
const refusals = createExpiringMap<Refusal>(() => limits.signInRefusalTtlMs);

/** With the password: with another one there is nothing to remember. */
const keyOf = ({ baseUrl, email, password }: Account): string =>
	JSON.stringify([baseUrl, email, password]);

/** What an account was refused with a short while ago. */
export const refusalOf = (account: Account): Refusal | undefined => refusals.get(keyOf(account));

export const rememberRefusal = (account: Account, refusal: Refusal): void =>
	refusals.set(keyOf(account), refusal);
