import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { classifyConnectionError } from '../errors/connectionError';
import { limits } from '../limits';
import type { Endpoint } from '../endpoint';
import { isRecord } from '../isRecord';
import { type ApiResponse, isSuccess, parseResponse } from '../response';
import type { AttemptResult } from '../retry';
import { parseAccount, secretsOfPassword } from './account';
import { formatSession } from './sessionToken';

export const SIGN_IN: Endpoint = { method: 'POST', path: '/v1/authentication/sign-in' };

/**
 * A sign-in that gave no session. It has no property `response`: n8n would take a status 401 in it for an
 * expired token and sign in once more.
 */
export class SignInError extends Error {
	override readonly name = 'SignInError';

	constructor(readonly result: AttemptResult) {
		super('Signing in gave no session');
	}
}

/** The sign-in that failed within what n8n's request helper threw: n8n wraps it in an error of its own. */
export function findSignInError(error: unknown): SignInError | undefined {
	let current = error;
	for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
		if (current instanceof SignInError) return current;
		current = current.cause;
	}
	return undefined;
}

/**
 * How the node reaches the server (proxy, certificates, time-out). n8n calls a credential with the very
 * object that the node read, but does not tell it of the node's Request Options.
 */
const connections = new WeakMap<object, Partial<IHttpRequestOptions>>();

/** Makes a credential sign in with the node's Request Options. */
export function setConnection(
	data: ICredentialDataDecryptedObject,
	requestDefaults: Partial<IHttpRequestOptions>,
): void {
	connections.set(data, requestDefaults);
}

/**
 * The token in the response to a sign-in; nothing in a refusal, and none for somebody who has signed up
 * and is on no platform yet: releases from 0.80 on give a token that opens nothing (recorded).
 */
export function tokenOfSignIn(response: ApiResponse): string | undefined {
	const { body } = response;
	if (!isSuccess(response) || !isRecord(body) || body.platformId === null) return undefined;
	return typeof body.token === 'string' && body.token !== '' ? body.token : undefined;
}

/**
 * Signs in.
 *
 * @param send n8n's request helper
 * @returns the session, for the credential's field `sessionToken`
 * @throws {ValidationError} when a field of the credential cannot be used; nothing was sent
 * @throws {SignInError} when no session came of it
 */
export async function signIn(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	data: ICredentialDataDecryptedObject,
): Promise<string> {
	const account = parseAccount(data);
	const { baseUrl, email, password } = account;
	const options: IHttpRequestOptions = {
		timeout: limits.signInTimeoutMs,
		...connections.get(data),
		method: SIGN_IN.method,
		url: baseUrl + SIGN_IN.path,
		body: { email, password },
		json: true,
		encoding: 'text',
		headers: { Accept: 'application/json' },
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	const result: AttemptResult = await send(options).then(
		(response) => ({
			response: parseResponse(response as IN8nHttpFullResponse, secretsOfPassword(password)),
		}),
		(error: unknown) => ({ connectionError: classifyConnectionError(error) }),
	);
	const token = 'response' in result ? tokenOfSignIn(result.response) : undefined;
	if (token === undefined) throw new SignInError(result);
	return formatSession(account, token);
}
