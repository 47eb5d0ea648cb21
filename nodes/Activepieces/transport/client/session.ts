import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { tokenOfSession } from '../credential/credential';
import { RunEndedError } from '../errors/error';
import { isFromService, isStatus, type AttemptResult } from '../http/response';
import { nextRetryDelay } from '../http/retry';
import { mayRepeat, verdictOf } from '../http/verdict';
import { limits } from '../limits';
import type { NodeRun } from './nodeRun';

/**
 * Tokens end after seven days with 401, and with 403 when the password changes. Flows and folders do not
 * say why (recorded).
 */
function isSessionOver(result: AttemptResult): boolean {
	// A proxy may refuse after the service has carried out the request.
	if (!('response' in result) || !isFromService(result.response)) return false;
	const { status, code, message } = result.response;
	if (isStatus(status, 'unauthorized')) return true;
	const isUnexplained = code === undefined && message === undefined;
	return isStatus(status, 'forbidden') && (isUnexplained || code === 'SESSION_EXPIRED');
}

/** @param signInMs what n8n may take for signing in first, which has its own time-out */
type Send = (signInMs?: number) => Promise<AttemptResult>;

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
	private sessions = 0;
	/** Of the run and not of each item, because ten items would use up what the service allows in a minute */
	private failedTries = 0;
	/** The result of the last sign-in that is tried: a wrong password is not sent again for each item */
	private refusal: AttemptResult | undefined;

	constructor(
		private readonly end: NodeRun['end'],
		private readonly signInTimeoutMs = limits.signInTimeoutMs,
	) {}

	/** Sends a request with the session of the run, and again with another one if that session has ended. */
	async attempt(data: ICredentialDataDecryptedObject, send: Send): Promise<AttemptResult> {
		// Other requests of the item may renew the session while one is in flight.
		let token = tokenOfSession(data) === '' ? '' : String(data.sessionToken);
		let result = token === '' ? undefined : await send();
		let isRenewed = false;
		while (result === undefined || (!isRenewed && isSessionOver(result))) {
			isRenewed = result !== undefined;
			while (this.signingIn !== undefined) await this.signingIn;
			if (this.end.isEnded) throw new RunEndedError();
			if (this.refusal !== undefined) return this.refusal;
			if (this.current !== '' && this.current !== token) {
				token = data.sessionToken = this.current;
				result = await send();
			} else {
				// Only a session that has ended can be the last one of a run.
				if (result !== undefined && this.sessions >= limits.maxSessions) return result;
				result = await this.signInAndSend(data, send);
				token = this.current;
			}
		}
		return result;
	}

	/** Sends without a session, so that n8n signs in first. Other requests wait and share the outcome. */
	private async signInAndSend(
		data: ICredentialDataDecryptedObject,
		send: Send,
	): Promise<AttemptResult> {
		data.sessionToken = '';
		const sending = send(this.signInTimeoutMs).then((result) => {
			// Without a session the request itself was not sent, so it cannot have changed anything.
			const isOfSignIn = 'connectionError' in result && tokenOfSession(data) === '';
			return isOfSignIn ? { ...result, isSignIn: true } : result;
		});
		this.signingIn = sending.then(async (result) => await this.finishSignIn(data, result));
		return await sending;
	}

	/** Handles the result of a request before which n8n signed in, and waits before the next sign-in. */
	private async finishSignIn(data: ICredentialDataDecryptedObject, result: AttemptResult) {
		if (tokenOfSession(data) !== '') {
			this.sessions++;
			this.current = String(data.sessionToken);
		} else if (result.isSignIn) {
			const attempts = { count: ++this.failedTries, elapsedMs: 0 };
			const delay = mayRepeat(verdictOf(result, 'GET'), 'GET')
				? nextRetryDelay(result, attempts, limits.execution)
				: undefined;
			if (delay === undefined) {
				result.isFinal = true;
				this.refusal = result;
			} else await this.end.wait(delay);
		}
		this.signingIn = undefined;
	}
}
