import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { toAttemptResult } from '../connection/exchange';
import type { Account } from '../credential/account';
import { tokenOfSession } from '../credential/sessionToken';
import { limits } from '../limits';
import { type AttemptResult, nextRetryDelay } from '../request/retry';
import { isStatus } from '../response/httpStatus';
import { type ApiResponse, isServiceRefusal } from '../response/response';
import type { RunEnd } from '../run/runEnd';
import { findSignInError } from './signIn';
import { refusalOf, rememberRefusal } from './signInRefusals';

/** What came of an attempt for which the client threw. */
export function resultOfThrown(error: unknown): AttemptResult {
	const signIn = findSignInError(error);
	return signIn === undefined
		? toAttemptResult(error)
		: { ...signIn.result, isSignIn: true, isFinal: signIn.isFinal };
}

/**
 * Tokens end after seven days with 401, and with 403 when the password changes; flows and folders do not
 * say why (recorded).
 */
function isSessionOver(response: ApiResponse): boolean {
	const { status, code, message } = response;
	// A proxy may refuse what the service has done already.
	if (!isServiceRefusal(response)) return false;
	const isUnexplained = code === undefined && message === undefined;
	if (isStatus(status, 'unauthorized')) return true;
	return isStatus(status, 'forbidden') && (isUnexplained || code === 'SESSION_EXPIRED');
}

type Send = () => Promise<ApiResponse>;

/**
 * One session for a run, however many input items: n8n would sign in for each request that it sends
 * without one, and the service allows 50 sign-ins a minute (recorded). n8n does the signing in, since it
 * alone can keep the session for the next run. Whatever the server does, a run begins no more than
 * `limits.maxSessions` sessions, and tries no more than `limits.execution.maxAttempts` times to begin one.
 */
export class Session {
	/** As in the credential's field `sessionToken` */
	private current = '';

	/** The one request before which n8n signs in, and the pause after one that failed */
	private signingIn: Promise<unknown> | undefined;

	/** What a sign-in was refused with: another one would be, too */
	private refusal: unknown;

	/** What a new session was refused with: the service accepts none of them */
	private useless: ApiResponse | undefined;

	private sessions = 0;

	private failedTries = 0;

	/** @param isUnattended whether it is for a poll, which nobody has asked for: what was refused a short while ago is not tried again */
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
	 * Sends a request with the session of the run, and once more with another one when that one is over.
	 *
	 * @param data that of the credential, which n8n fills with a new session when it has none
	 * @param send sends the request with the credential as it is
	 * @throws what n8n's request helper throws
	 */
	async send(data: ICredentialDataDecryptedObject, send: Send): Promise<ApiResponse> {
		const isSignedIn = tokenOfSession(data) !== '';
		const response = isSignedIn
			? await send()
			: // Only a session that is over can be the last one of a run.
				((await this.sendWithNew(data, '', send)) as ApiResponse);
		if (!isSessionOver(response)) return response;
		if (this.useless !== undefined) return response;

		const renewed = await this.sendWithNew(data, String(data.sessionToken), send);
		if (renewed === undefined) return response;
		if (isSessionOver(renewed)) {
			this.useless = renewed;
			// Without its body, which may have many megabytes.
			rememberRefusal(this.account, { response: { ...renewed, body: undefined } });
		}
		return renewed;
	}

	/**
	 * @param old a session that is over, or none
	 * @returns nothing when no other session is to be had
	 */
	private async sendWithNew(
		data: ICredentialDataDecryptedObject,
		old: string,
		send: Send,
	): Promise<ApiResponse | undefined> {
		while (this.signingIn !== undefined) await this.signingIn;
		this.end.throwIfEnded();
		if (this.refusal !== undefined) throw this.refusal;
		if (this.current !== '' && this.current !== old) {
			data.sessionToken = this.current;
			return await send();
		}
		if (this.useless !== undefined || this.sessions >= limits.maxSessions) return this.useless;
		return await this.signInAndSend(data, send);
	}

	/** Sends without a session, so that n8n signs in first. The others wait and share what comes of it. */
	private async signInAndSend(
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

	/** Learns from a sign-in that gave no session; gives the milliseconds until the next one. */
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
