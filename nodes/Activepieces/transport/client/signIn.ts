import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { connectionSettingsOf } from '../credential/connectionSettings';
import {
	CREDENTIALS,
	formatSession,
	HEADER_TEXT,
	requireSignInFields,
	secretsOf,
} from '../credential/credential';
import { AuthenticationError } from '../errors/error';
import { errorForConnection, toApiError } from '../errors/errorFor';
import type { ResponseRule } from '../errors/rule';
import type { ErrorSource } from '../errors/words';
import {
	exchange,
	SignInError,
	type ConnectionSettings,
	type OnCancel,
	type Sender,
} from '../http/exchange';
import { createRedactor, MAX_TOKEN_LENGTH, MIN_SECRET_LENGTH } from '../http/redact';
import {
	isFromService,
	isStatus,
	isSuccess,
	type ApiResponse,
	type AttemptResult,
	type Attempts,
} from '../http/response';
import { limits } from '../limits';
import { rememberedWith } from '../n8nObjects';
import { shortName } from '../texts';
import { isRecord } from '../values';
import type { ApiRequest, Endpoint } from './request';

/* Signing in with email and password, and why the service refuses it. */

/** Why the service does not let a user sign in, and what to do, by the code of its 403. */
const REFUSED_USERS = {
	EMAIL_AUTH_DISABLED: [
		'The Activepieces platform allows single sign-on only',
		'It does not accept passwords. Use an API key instead, in an Activepieces API credential.',
	],
	EMAIL_IS_NOT_VERIFIED: [
		'The email address of the Activepieces user is not verified',
		'Open the link in the email that Activepieces sent, then try again.',
	],
};

/**
 * How the service refuses a sign-in, by status and code (recorded, and read in the service's source). For
 * everything else `errorFor.ts` adds what was sent.
 */
const SIGN_IN_RULES: ResponseRule[] = [
	{
		status: 'tooManyRequests',
		message: 'Activepieces is receiving too many sign-ins',
		description: ({ again }) =>
			`It allows 50 sign-ins per minute for all users who share an IP address. Wait a minute. ${again}.`,
	},
	// 0.73 and 0.79 return the one code, 0.92 the other (read in the service's source). Those in between return a
	// session without access to anything.
	{
		when: ({ response }) =>
			(isSuccess(response) && isRecord(response.body) && response.body.platformId === null) ||
			(isStatus(response.status, 'unauthorized') && response.code === 'AUTHENTICATION') ||
			response.code === 'USER_NOT_FOUND_ON_PLATFORM',
		message: 'The Activepieces user does not belong to a platform yet',
		description:
			'Sign in to Activepieces in a browser once to finish signing up, or ask for an invitation.',
	},
	...Object.entries(REFUSED_USERS).map(([code, [message, description]]): ResponseRule => ({
		status: 'forbidden',
		code,
		message,
		description,
	})),
	// With 400 the service refuses their form, before it looks for the user. Its 401 has no `params` (recorded).
	{
		status: ['badRequest', 'unauthorized'],
		when: ({ response }) =>
			response.code === 'INVALID_CREDENTIALS' || (!response.isHtml && isFromService(response)),
		message: 'Activepieces did not accept the email and password',
		description: ({ quoted, baseUrl, path }) =>
			`${quoted}Check Email and Password in the credential. Email must be a complete address, and passwords in Activepieces have at least 8 characters. They were sent to ${baseUrl}${path}.`,
	},
	{
		from: 'service',
		status: 'forbidden',
		message: (_words, { response: { code } }) =>
			`Activepieces does not allow the user to sign in${code === undefined ? '' : ` (${shortName(code)})`}`,
		description: ({ quoted, baseUrl, path }) =>
			`${quoted}Check Email in the credential, and ask an admin of the Activepieces platform whether the user is active, has a project and may sign in with a password. The email and password were sent to ${baseUrl}${path}.`,
	},
];

export const SIGN_IN: Endpoint = {
	method: 'POST',
	path: '/v1/authentication/sign-in',
	rules: SIGN_IN_RULES,
};

/**
 * How the node reaches the server, and whether the run was canceled. n8n calls a credential with the
 * same object that the node read, but passes neither the node's Request Options nor the cancellation of
 * the workflow.
 */
export const signInOptions = rememberedWith<{
	settings: ConnectionSettings;
	onCancel?: OnCancel;
}>();

/**
 * The token in the response to a sign-in; undefined for a refusal, and for a user who has signed up and
 * is on no platform yet: from 0.80 on the service returns a token without access to anything (recorded).
 */
function tokenOfSignIn(response: ApiResponse): string | undefined {
	const { body } = response;
	if (!isSuccess(response) || !isRecord(body) || body.platformId === null) return undefined;
	const { token } = body;
	if (typeof token !== 'string' || !HEADER_TEXT.test(token)) return undefined;
	return token.length >= MIN_SECRET_LENGTH && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}

/**
 * Signs in; returns the session, for the credential's field `sessionToken`.
 *
 * @throws {SignInError} when there is no session; it contains nothing of the response but its text
 */
export async function signIn(sender: Sender, data: ICredentialDataDecryptedObject) {
	const account = requireSignInFields(data);
	const { baseUrl, email, password } = account;
	const { settings = connectionSettingsOf(data), onCancel } = signInOptions.get(data) ?? {};
	const { timeoutMs = limits.signInTimeoutMs, ...connection } = settings;
	const options: IHttpRequestOptions = {
		...connection,
		method: SIGN_IN.method,
		url: baseUrl + SIGN_IN.path,
		body: JSON.stringify({ email, password }),
		headers: {
			...settings.headers,
			Accept: 'application/json',
			'Content-Type': 'application/json',
		},
	};
	const result = await exchange(sender, options, {
		timeoutMs,
		onCancel,
		getRedactor: () => createRedactor(secretsOf(CREDENTIALS.signIn, data, settings)),
	});
	const token = 'response' in result ? tokenOfSignIn(result.response) : undefined;
	if (token === undefined) throw new SignInError(result);
	return formatSession(account, token);
}

export function errorForSignIn(
	{ baseUrl, place, settings, requestOptionSettings }: ErrorSource,
	result: AttemptResult,
	attempts: Attempts,
): AuthenticationError {
	const source: ErrorSource = {
		...{ baseUrl, place, settings, requestOptionSettings },
		credentialKind: 'signingIn',
	};
	const request: ApiRequest = { endpoint: SIGN_IN, subject: { noun: 'session' } };
	const error =
		'connectionError' in result
			? errorForConnection(source, request, result.connectionError, attempts)
			: toApiError(source, request, { ...result.response, attempts });
	const { httpStatus, retryAfterMs, connectionError, outcome } = error;
	return new AuthenticationError(error, { httpStatus, retryAfterMs, connectionError, outcome });
}
