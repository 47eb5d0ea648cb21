import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { tokenOfSession } from './credential/sessionToken';
import { findSignInError } from './credential/signIn';
import { classifyConnectionError } from './errors/connectionError';
import type { ApiResponse } from './response';
import { type AttemptResult, isTransient } from './retry';

/** What came of an attempt for which n8n's request helper threw. */
export function resultOfThrown(error: unknown): AttemptResult {
	const signIn = findSignInError(error);
	return signIn === undefined
		? { connectionError: classifyConnectionError(error) }
		: { ...signIn.result, isSignIn: true };
}

/**
 * Tokens end after seven days with 401, and with 403 when the password changes; flows and folders do not
 * say why (recorded).
 */
function isSessionOver({ status, code, message, isHtml }: ApiResponse): boolean {
	if (status === 401) return !isHtml;
	const isUnexplained = code === undefined && message === undefined && !isHtml;
	return status === 403 && (isUnexplained || code === 'SESSION_EXPIRED');
}

/**
 * Sends a request with the session that all input items of an account share.
 *
 * @param data of the credential, which n8n fills with a new session when it has none
 * @throws what n8n's request helper throws
 */
export type SendWithSession = (
	data: ICredentialDataDecryptedObject,
	send: () => Promise<ApiResponse>,
) => Promise<ApiResponse>;

/**
 * One session for a run, however many input items: n8n would sign in for each request that it sends
 * without one, and the service allows 50 sign-ins a minute (recorded). n8n does the signing in, since it
 * alone can keep the session for the next run.
 */
export function createSession(): SendWithSession {
	/** As in the credential's field `sessionToken` */
	let current = '';
	/** The one request before which n8n signs in; rejects when that fails */
	let signingIn: Promise<void> | undefined;
	/** What a sign-in was refused with: another one would be, too */
	let refusal: unknown;
	/** The service accepts not even new sessions */
	let isUseless = false;

	/** Sends without a session, so that n8n signs in first. The others wait and share what comes of it. */
	async function sendFirst(
		data: ICredentialDataDecryptedObject,
		send: () => Promise<ApiResponse>,
	): Promise<ApiResponse> {
		data.sessionToken = '';
		const sending = send();
		const settle = () => {
			signingIn = undefined;
			if (tokenOfSession(data) !== '') current = String(data.sessionToken);
		};
		signingIn = sending.then(settle, (error: unknown) => {
			settle();
			if (tokenOfSession(data) !== '') return;
			if (!isTransient(resultOfThrown(error), 'GET')) refusal = error;
			throw error;
		});
		signingIn.catch(() => {});
		return await sending;
	}

	/** @param old a session that is over, or none */
	async function sendWithNew(
		data: ICredentialDataDecryptedObject,
		old: string,
		send: () => Promise<ApiResponse>,
	): Promise<ApiResponse> {
		while (signingIn !== undefined) await signingIn;
		if (refusal !== undefined) throw refusal;
		if (current === '' || current === old) return await sendFirst(data, send);
		data.sessionToken = current;
		return await send();
	}

	return async (data, send) => {
		const isSignedIn = tokenOfSession(data) !== '';
		const response = isSignedIn ? await send() : await sendWithNew(data, '', send);
		if (!isSessionOver(response) || isUseless) return response;

		const renewed = await sendWithNew(data, String(data.sessionToken), send);
		isUseless = isSessionOver(renewed);
		return renewed;
	};
}
