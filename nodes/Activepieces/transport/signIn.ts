import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { type ConnectionSettings, settingsOfCredential, toHttpOptions } from './connectionSettings';
import {
	CREDENTIALS,
	formatSession,
	isHeaderText,
	MAX_TOKEN_LENGTH,
	parseAccount,
	secretsOf,
} from './credential';
import type { OnCancel } from './deadline';
import type { Endpoint } from './endpoint';
import { exchange, type HttpHelper, toAttemptResult } from './exchange';
import { limits } from './limits';
import { createRedactor } from './redact';
import { type ApiResponse, isSuccess } from './response';
import type { AttemptResult } from './retry';
import { isRecord } from './values';

export const SIGN_IN: Endpoint = { method: 'POST', path: '/v1/authentication/sign-in' };

/**
 * The error for a sign-in without a session. It has no property `response`: n8n would take a status 401
 * in it for an expired token and sign in again.
 */
export class SignInError extends Error {
	override readonly name = 'SignInError';

	/** Whether the run must not try again */
	isFinal = false;

	constructor(readonly result: AttemptResult) {
		super('Signing in gave no session');
	}
}

/** The failed sign-in inside what n8n's request helper threw: n8n wraps it in an error of its own. */
export function findSignInError(error: unknown): SignInError | undefined {
	let current = error;
	for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
		if (current instanceof SignInError) return current;
		current = current.cause;
	}
	return undefined;
}

/** What a sign-in needs from the run that it is for. */
interface SignInConnection {
	/** Override those of the credential */
	settings: ConnectionSettings;
	/** The items of a run share a sign-in, and are canceled together */
	onCancel?: OnCancel;
}

/**
 * How the node reaches the server, and whether the run was canceled. n8n calls a credential with the
 * same object that the node read, but passes neither the node's Request Options nor the cancellation of
 * the workflow.
 */
const connections = new WeakMap<object, SignInConnection>();

/** Makes a credential sign in with the connection of a run. */
export function setConnection(
	data: ICredentialDataDecryptedObject,
	connection: SignInConnection,
): void {
	connections.set(data, connection);
}

/** A JSON Web Token is longer; a shorter text may be a word that appears in records. */
const MIN_TOKEN_LENGTH = 8;

/**
 * The token in the response to a sign-in; undefined for a refusal, and for a user who has signed up and
 * is on no platform yet: from 0.80 on the service returns a token without access to anything (recorded).
 */
function tokenOfSignIn(response: ApiResponse): string | undefined {
	const { body } = response;
	if (!isSuccess(response) || !isRecord(body) || body.platformId === null) return undefined;
	const { token } = body;
	if (typeof token !== 'string' || !isHeaderText(token)) return undefined;
	return token.length >= MIN_TOKEN_LENGTH && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}

/**
 * Signs in.
 *
 * @param send n8n's request helper
 * @returns the session, for the credential's field `sessionToken`
 * @throws {ValidationError} when a field of the credential cannot be used; nothing was sent
 * @throws {SignInError} when there is no session; it contains nothing of the response but its text
 */
export async function signIn(
	send: HttpHelper,
	data: ICredentialDataDecryptedObject,
): Promise<string> {
	const account = parseAccount(data);
	const { baseUrl, email, password } = account;
	const { settings, onCancel }: SignInConnection = connections.get(data) ?? {
		settings: settingsOfCredential(data),
	};
	const options: IHttpRequestOptions = {
		...toHttpOptions(settings),
		method: SIGN_IN.method,
		url: baseUrl + SIGN_IN.path,
		body: { email, password },
		json: true,
		headers: { Accept: 'application/json' },
	};
	const result: AttemptResult = await exchange(send, options, {
		timeoutMs: settings.timeoutMs ?? limits.signInTimeoutMs,
		maxBytes: limits.maxSignInBytes,
		onCancel,
		getRedactor: () => createRedactor(secretsOf(CREDENTIALS.signIn, data, settings)),
	}).then((response) => ({ response }), toAttemptResult);
	const token = 'response' in result ? tokenOfSignIn(result.response) : undefined;
	if (token === undefined) throw new SignInError(result);
	return formatSession(account, token);
}
