import type { Account } from '../credential/account';
import { limits } from '../limits';
import type { ApiResponse } from '../response/response';
import { createExpiringMap } from '../values/expiringMap';

/** Why signing in, or using a new session, will fail for some time. */
export interface Refusal {
	/** Error of the refused sign-in */
	error?: unknown;
	/** Response that refused a new session */
	response?: ApiResponse;
}

/**
 * Refusals of this process, keyed by account. Without them a trigger that polls every minute would sign in
 * every minute with a wrong password, and the service counts that against everybody behind the same address.
 */
const refusals = createExpiringMap<Refusal>(() => limits.signInRefusalTtlMs);

/** Includes the password, because another one may be right. */
const keyOf = ({ baseUrl, email, password }: Account): string =>
	JSON.stringify([baseUrl, email, password]);

/** The refusal of an account a short while ago. */
export const refusalOf = (account: Account): Refusal | undefined => refusals.get(keyOf(account));

export const rememberRefusal = (account: Account, refusal: Refusal): void =>
	refusals.set(keyOf(account), refusal);
