import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { validationError, type ValidationError } from '../errors/error';
import type { ConnectionSettings } from '../http/exchange';
import { MAX_TOKEN_LENGTH, MIN_SECRET_LENGTH, NO_SECRETS, type Secrets } from '../http/redact';
import { withoutSlashes } from '../ids';
import { cleanInput } from '../names';
import { isRecord } from '../values';
import { headerValues, requireHeaders } from './connectionSettings';

/* What a credential contains, as people paste it and as n8n stores it, and what of it is secret. */

/**
 * Values of the parameter `authentication`, which workflows save, and the credential types that they select.
 */
export const CREDENTIALS = {
	apiKey: 'activepiecesApi',
	signIn: 'activepiecesSignInApi',
} as const;

export type CredentialName = (typeof CREDENTIALS)[keyof typeof CREDENTIALS];

/** A decrypted credential, read once for all requests of a client. */
export interface DecryptedCredential {
	name: CredentialName;
	/** n8n adds the session when it signs in */
	data: ICredentialDataDecryptedObject;
}

const EXAMPLE = 'for example https://cloud.activepieces.com/api';

const invalidBaseUrl = (message: string): ValidationError =>
	validationError(message, 'Open the credential and correct Base URL.');

/**
 * Normalizes what people paste as Base URL: without surrounding whitespace, trailing slashes, and a
 * trailing `/v1`, with which every path of the API begins. The URL of a page of the web app is kept; the
 * message of the error that it causes suggests another one (`transport/errors/words.ts`).
 */
export function requireBaseUrl(value: unknown): string {
	const text = cleanInput(value);
	if (text === '')
		throw invalidBaseUrl(`Base URL is empty. Enter the address of the API, ${EXAMPLE}`);
	if (!/^https?:\/\//i.test(text)) {
		throw invalidBaseUrl(`Base URL must start with https:// or http://, ${EXAMPLE}`);
	}
	if (!URL.canParse(text)) throw invalidBaseUrl(`Base URL is not a valid URL, ${EXAMPLE}`);
	const { origin, pathname, username, password, search, hash } = new URL(text);
	if (username !== '' || password !== '') {
		throw invalidBaseUrl('Base URL must not contain a username or password');
	}
	if (search !== '' || hash !== '') {
		throw invalidBaseUrl(`Base URL must not contain "?" or "#", ${EXAMPLE}`);
	}
	return origin + withoutSlashes(withoutSlashes(pathname).replace(/\/v1$/i, ''));
}

/** What a header can contain unchanged: visible ASCII characters. */
export const HEADER_TEXT = /^[\x21-\x7e]+$/;

/**
 * Extracts the key from what people paste into API Key: a session token from the browser's tools comes
 * with the name of its header, a key from a file with quotes or line breaks. No key contains any of
 * that, and the service would respond with 401.
 */
function normalizeApiKey(value: unknown): string {
	const header = /^(?:Authorization:\s*)?(?:Bearer\s+)?/i;
	const quotes = /^(["'])([^]*)\1$/;
	const text = cleanInput(value).replace(quotes, '$2').trim();
	const key = text.replace(header, '').replace(quotes, '$2').trim();
	if (!/[\r\n]/.test(key)) return key;
	return key
		.split(/[\r\n]/)
		.map((line) => line.trim())
		.join('');
}

const invalidKey = (message: string): ValidationError =>
	validationError(
		message,
		'Enter the complete API key in the credential. API keys begin with "sk-".',
	);

/** The key as a header contains it, and as responses are searched for it. */
export function requireApiKey(value: unknown): string {
	const key = normalizeApiKey(value);
	if (key === '') throw invalidKey('API Key is empty');
	if (key.length < MIN_SECRET_LENGTH) throw invalidKey('API Key is too short to be a key');
	if (key.length > MAX_TOKEN_LENGTH) throw invalidKey('API Key is too long to be a key');
	if (/\s/.test(key)) throw invalidKey('API Key contains a space');
	if (!HEADER_TEXT.test(key))
		throw invalidKey('API Key contains a character that is not allowed in API keys');
	return key;
}

interface SignInFields {
	baseUrl: string;
	email: string;
	password: string;
}

export function requireSignInFields(data: ICredentialDataDecryptedObject): SignInFields {
	const baseUrl = requireBaseUrl(data.baseUrl);
	const email = cleanInput(data.email);
	if (email === '') throw validationError('Email is empty', 'Open the credential and enter it.');
	const password = typeof data.password === 'string' ? data.password : '';
	if (password === '') {
		throw validationError('Password is empty', 'Open the credential and enter it.');
	}
	return { baseUrl, email, password };
}

const ownerOf = ({ baseUrl, email }: SignInFields): string => `${email.toLowerCase()} ${baseUrl}`;

/**
 * The value of the credential's hidden field `sessionToken`: the token with its account, so that it is
 * not sent to another server. n8n keeps the field when a person changes Base URL or Email, and both may
 * be expressions: `https://a.example/api` for one item and `https://b.example/api` for the next.
 */
export function formatSession(account: SignInFields, token: string): string {
	return JSON.stringify({ token, owner: ownerOf(account) });
}

/** The token that n8n keeps; empty when there is none, or when it belongs to another account. */
export function tokenOfSession(data: ICredentialDataDecryptedObject): string {
	try {
		const session: unknown = JSON.parse(String(data.sessionToken));
		const isOwn = isRecord(session) && session.owner === ownerOf(requireSignInFields(data));
		return isOwn && typeof session.token === 'string' ? session.token : '';
	} catch {
		return '';
	}
}

/** The API key or the session token; empty when there is none. */
export const tokenOf = (name: CredentialName, data: ICredentialDataDecryptedObject): string =>
	name === CREDENTIALS.signIn ? tokenOfSession(data) : normalizeApiKey(data.apiKey);

export function secretsOf(
	name: CredentialName,
	data: ICredentialDataDecryptedObject,
	settings?: ConnectionSettings,
): Secrets {
	const headers = headerValues(data);
	// The settings have them as n8n wants them, a server would repeat them as they are.
	const { auth } = settings?.proxy ?? {};
	const username = decodeURIComponent(auth?.username ?? '');
	const password = decodeURIComponent(auth?.password ?? '');
	// Some proxies expect a key as the user.
	const secret = password || username;
	const own = typeof data.password === 'string' ? data.password : '';
	return { tokens: [tokenOf(name, data), ...headers], passwords: [own, secret] };
}

export const secretsOfCredential = (credential?: DecryptedCredential): Secrets =>
	credential === undefined ? NO_SECRETS : secretsOf(credential.name, credential.data);

/**
 * The only project of a session token: tokens of releases up to 0.73 name one. Later tokens and API keys
 * are for all projects of their user or platform (recorded).
 */
export function projectOfToken(token: string): string | undefined {
	// An API key has no parts.
	const [, part = ''] = token.split('.');
	if (part === '') return undefined;
	try {
		const payload: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
		const projectId = isRecord(payload) ? payload.projectId : undefined;
		return typeof projectId === 'string' && projectId !== '' ? projectId : undefined;
	} catch {
		return undefined;
	}
}

/** With n8n's older HTTP helper, which HTTP Request uses, these options have other names. */
type AnyRequestOptions = IHttpRequestOptions & { uri?: string };

const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * Adds the API key or the session token to a request, in the header that Activepieces expects, and the headers
 * of the credential. n8n calls it through `authenticate` in `credentials/`, for each request of the node
 * (`execution/call.ts`) and of its own HTTP Request, which sends requests with a credential to any URL, and
 * follows redirects with it.
 *
 * @throws {ValidationError} when the request is for another server than that of the credential
 */
export function authenticate(
	options: AnyRequestOptions,
	data: ICredentialDataDecryptedObject,
	token: string,
): IHttpRequestOptions {
	const { origin } = new URL(requireBaseUrl(data.baseUrl));
	const { url, uri, baseURL } = options;
	const address = String(url ?? uri);
	const isOwn = URL.canParse(address, baseURL) && new URL(address, baseURL).origin === origin;
	if (!isOwn) {
		throw validationError(
			'The credential can only be used for its own server',
			`Begin the URL with ${origin}, the server of Base URL in the credential.`,
		);
	}
	const headers = { ...requireHeaders(data), ...options.headers, Authorization: `Bearer ${token}` };
	return { ...options, ...NO_REDIRECTS, headers };
}
