import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Account, tokenOfSession } from './credential';
import { toAttemptResult } from './exchange';
import { createExpiringMap } from './expiringMap';
import { isStatus } from './httpStatus';
import { limits } from './limits';
import { type ApiResponse, isServiceRefusal } from './response';
import { type AttemptResult, nextRetryDelay } from './retry';
import type { RunEnd } from './runEnd';
import { findSignInError } from './signIn';

/** Why signing in, or using a new session, will fail for some time. */
interface Refusal {
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
const refusalOf = (account: Account): Refusal | undefined => refusals.get(keyOf(account));

const rememberRefusal = (account: Account, refusal: Refusal): void =>
	refusals.set(keyOf(account), refusal);

/** The result of an attempt for which the client threw. */
export function resultOfThrown(error: unknown): AttemptResult {
	const signIn = findSignInError(error);
	return signIn === undefined
		? toAttemptResult(error)
		: { ...signIn.result, isSignIn: true, isFinal: signIn.isFinal };
}

/**
 * Tokens end after seven days with 401, and with 403 when the password changes. Flows and folders do not
 * say why (recorded).
 */
function isSessionOver(response: ApiResponse): boolean {
	const { status, code, message } = response;
	// A proxy may refuse after the service has carried out the request.
	if (!isServiceRefusal(response)) return false;
	const isUnexplained = code === undefined && message === undefined;
	if (isStatus(status, 'unauthorized')) return true;
	return isStatus(status, 'forbidden') && (isUnexplained || code === 'SESSION_EXPIRED');
}

type Send = () => Promise<ApiResponse>;

/** A response, and the session that its request was sent with. */
interface Exchange {
	response: ApiResponse;
	/** As in the credential's field `sessionToken`, which other requests of the item may renew meanwhile */
	token: string;
}

/**
 * One session for a run with any number of input items. n8n would sign in for each request that it sends
 * without a session, and the service allows 50 sign-ins a minute (recorded). n8n itself signs in,
 * because only n8n can keep the session for the next run. Whatever the server does, a run starts at most
 * `limits.maxSessions` sessions, and tries at most `limits.execution.maxAttempts` times to start one.
 */
export class Session {
	/** As in the credential's field `sessionToken` */
	private current = '';

	/** The request before which n8n signs in, and the wait after a failed sign-in */
	private signingIn: Promise<unknown> | undefined;

	/** Error of a refused sign-in; another one would be refused as well */
	private refusal: unknown;

	/** Response that refused a new session: the service accepts none of them */
	private useless: ApiResponse | undefined;

	private sessions = 0;

	private failedTries = 0;

	/**
	 * @param isUnattended whether it is for a poll, which nobody watches: a sign-in that was refused a short
	 * while ago is not repeated
	 */
	constructor(
		private readonly account: Account,
		private readonly end: RunEnd,
		isUnattended: boolean,
	) {
		const earlier = isUnattended ? refusalOf(account) : undefined;
		this.refusal = earlier?.error;
		this.useless = earlier?.response;
	}

	/**
	 * Sends a request with the session of the run, and once more with a new one if that session has ended.
	 *
	 * @param data of the credential; n8n adds a new session if it has none
	 * @param send sends the request with the credential as it is
	 * @throws the error of n8n's request helper
	 */
	async request(data: ICredentialDataDecryptedObject, send: Send): Promise<ApiResponse> {
		const token = String(data.sessionToken);
		const isSignedIn = tokenOfSession(data) !== '';
		const first = isSignedIn
			? { token, response: await send() }
			: // Only a session that has ended can be the last one of a run.
				((await this.requestWithNewSession(data, '', send)) as Exchange);
		if (!isSessionOver(first.response)) return first.response;
		// A request with an earlier session does not show that the new one is refused as well.
		if (this.useless !== undefined && first.token === this.current) return first.response;

		const renewed = await this.requestWithNewSession(data, first.token, send);
		if (renewed === undefined) return first.response;
		const { response } = renewed;
		if (isSessionOver(response)) {
			this.useless = response;
			// Without the body, which may have many megabytes.
			rememberRefusal(this.account, { response: { ...response, body: undefined } });
		}
		return response;
	}

	/**
	 * @param old a session that has ended, or none
	 * @returns undefined when the run may not start another session
	 */
	private async requestWithNewSession(
		data: ICredentialDataDecryptedObject,
		old: string,
		send: Send,
	): Promise<Exchange | undefined> {
		while (this.signingIn !== undefined) await this.signingIn;
		this.end.throwIfEnded();
		if (this.refusal !== undefined) throw this.refusal;
		if (this.current !== '' && this.current !== old) {
			const token = (data.sessionToken = this.current);
			return { token, response: await send() };
		}
		if (this.useless !== undefined) return { token: old, response: this.useless };
		if (this.sessions >= limits.maxSessions) return undefined;
		const response = await this.signInAndRequest(data, send);
		// Other requests wait for the sign-in, so none has renewed it yet.
		return { token: this.current, response };
	}

	/** Sends without a session, so that n8n signs in first. Other requests wait and share the outcome. */
	private async signInAndRequest(
		data: ICredentialDataDecryptedObject,
		send: Send,
	): Promise<ApiResponse> {
		data.sessionToken = '';
		const sending = send();
		const settle = async (error?: unknown) => {
			if (tokenOfSession(data) !== '') {
				this.sessions++;
				this.current = String(data.sessionToken);
			} else if (error !== undefined) {
				await this.end.wait(this.judge(error));
			}
			this.signingIn = undefined;
		};
		this.signingIn = sending.then(async () => await settle(), settle);
		return await sending;
	}

	/** Handles a sign-in without a session; returns the milliseconds until the next one. */
	private judge(error: unknown): number {
		this.failedTries++;
		const result = resultOfThrown(error);
		const attempts = { count: this.failedTries, elapsedMs: 0 };
		const delay = nextRetryDelay(result, 'GET', attempts, limits.execution);
		if (delay !== undefined) return delay;
		const signIn = findSignInError(error);
		if (signIn !== undefined) signIn.isFinal = true;
		this.refusal = error;
		if ('response' in result && this.failedTries === 1) rememberRefusal(this.account, { error });
		return 0;
	}
}
