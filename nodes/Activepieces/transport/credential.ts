import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import type { ConnectionSettings } from './connectionSettings';
import { validationError, type ValidationError } from './error';
import { createRedactor, type Redactor, type Secrets } from './redact';
import { cleanInput } from './text';
import { isRecord } from './values';

/**
 * Values of the parameter `authentication`, which workflows save, and the credential types that they select.
 */
export const CREDENTIALS = {
	apiKey: 'activepiecesApi',
	signIn: 'activepiecesSignInApi',
} as const;

export type CredentialName = (typeof CREDENTIALS)[keyof typeof CREDENTIALS];

/** @param authentication value of the parameter; an unknown value means the API key */
export function credentialName(authentication: unknown): CredentialName {
	return authentication === 'signIn' ? CREDENTIALS.signIn : CREDENTIALS.apiKey;
}

/** Adds the API key or the session token to a request, in the header that Activepieces expects. */
export const withAuthorization = (
	options: IHttpRequestOptions,
	token: string,
): IHttpRequestOptions => ({
	...options,
	headers: { ...options.headers, Authorization: `Bearer ${token}` },
});

/** A Base URL in normalized form, or the reason why it cannot be used. */
type BaseUrl = { url: string } | { invalid: string };

/** Removes trailing slashes. Not with a pattern: one without an anchor at the start takes quadratic time. */
function withoutSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === '/') end--;
	return path.slice(0, end);
}

const EXAMPLE = 'for example https://cloud.activepieces.com/api';

/**
 * Normalizes what people paste as Base URL: without surrounding whitespace, trailing slashes, and a
 * trailing `/v1`, with which every path of the API begins. The URL of a page of the web app is kept; the
 * message of the error that it causes suggests another one (`transport/words.ts`). The node and the
 * credential test both use this, so a credential that passes its test works in the node.
 */
export function parseBaseUrl(value: unknown): BaseUrl {
	const text = cleanInput(value);
	if (text === '')
		return { invalid: `Base URL is empty. Enter the address of the API, ${EXAMPLE}` };
	if (!/^https?:\/\//i.test(text)) {
		return { invalid: `Base URL must start with https:// or http://, ${EXAMPLE}` };
	}
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return { invalid: `Base URL is not a valid URL, ${EXAMPLE}` };
	}
	if (url.username !== '' || url.password !== '') {
		return { invalid: 'Base URL must not contain a username or password' };
	}
	if (url.search !== '' || url.hash !== '') {
		return { invalid: `Base URL must not contain "?" or "#", ${EXAMPLE}` };
	}
	const path = withoutSlashes(withoutSlashes(url.pathname).replace(/\/v1$/i, ''));
	return { url: url.origin + path };
}

/**
 * The normalized Base URL of a credential.
 *
 * @throws {ValidationError} when it cannot be used
 */
export function requireBaseUrl(value: unknown): string {
	const baseUrl = parseBaseUrl(value);
	if ('url' in baseUrl) return baseUrl.url;
	throw validationError(baseUrl.invalid, 'Open the credential and correct Base URL.');
}

/** Keys of Activepieces have 64 characters, and session tokens more. */
const MIN_KEY_LENGTH = 8;

/** Longer than any token; most servers accept no larger header. */
export const MAX_TOKEN_LENGTH = 4096;

/**
 * Extracts the key from what people paste into API Key: a session token from the browser's tools comes
 * with the name of its header, a key from a file with quotes or line breaks. No key contains any of
 * that, and the service would respond with 401.
 *
 * @returns an empty text when there is no key
 */
export function normalizeApiKey(value: unknown): string {
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

const invalid = (message: string): ValidationError =>
	validationError(
		message,
		'Enter the complete API key in the credential. API keys begin with "sk-".',
	);

/**
 * The key as a header contains it, and as responses are searched for it.
 *
 * @throws {ValidationError} for a value that cannot be a key
 */
export function requireApiKey(value: unknown): string {
	const key = normalizeApiKey(value);
	if (key === '') throw invalid('API Key is empty');
	if (key.length < MIN_KEY_LENGTH) throw invalid('API Key is too short to be a key');
	if (key.length > MAX_TOKEN_LENGTH) throw invalid('API Key is too long to be a key');
	if (/\s/.test(key)) throw invalid('API Key contains a space');
	if (!isHeaderText(key))
		throw invalid('API Key contains a character that is not allowed in API keys');
	return key;
}

/** Whether a header can contain a text unchanged: visible ASCII characters only. */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** What a person signs in with, and on which server. */
interface Account {
	baseUrl: string;
	email: string;
	password: string;
}

/**
 * Reads the Sign-In credential.
 *
 * @throws {ValidationError} when a field cannot be used
 */
export function parseAccount(data: ICredentialDataDecryptedObject): Account {
	const baseUrl = requireBaseUrl(data.baseUrl);
	const email = cleanInput(data.email);
	if (email === '') throw validationError('Email is empty', 'Open the credential and enter it.');
	const password = typeof data.password === 'string' ? data.password : '';
	if (password === '') {
		throw validationError('Password is empty', 'Open the credential and enter it.');
	}
	return { baseUrl, email, password };
}

const ownerOf = ({ baseUrl, email }: Account): string => `${email.toLowerCase()} ${baseUrl}`;

/**
 * The value of the credential's hidden field `sessionToken`: the token with its account, so that it is
 * not sent to another server. n8n keeps the field when a person changes Base URL or Email, and both may
 * be expressions: `https://a.example/api` for one item and `https://b.example/api` for the next.
 */
export function formatSession(account: Account, token: string): string {
	return JSON.stringify({ token, owner: ownerOf(account) });
}

/**
 * The token that n8n keeps for the account; empty when there is none, or when it belongs to another account.
 */
export function tokenOfSession(data: ICredentialDataDecryptedObject): string {
	try {
		const session: unknown = JSON.parse(String(data.sessionToken));
		const isOwn = isRecord(session) && session.owner === ownerOf(parseAccount(data));
		return isOwn && typeof session.token === 'string' ? session.token : '';
	} catch {
		return '';
	}
}

/**
 * The minimum length of an Activepieces password. Redacting shorter ones would damage every text, and so
 * reveal them.
 */
const MIN_PASSWORD_LENGTH = 8;

/** The password of a proxy may be short, but shorter ones appear inside too many words. */
const MIN_PROXY_LENGTH = 4;

const isLongEnough = (text: unknown): text is string =>
	typeof text === 'string' && text.length >= MIN_PASSWORD_LENGTH;

/**
 * The secrets of a credential.
 *
 * @param settings for the connection: a proxy may have a password too
 */
export function secretsOf(
	name: CredentialName,
	data: ICredentialDataDecryptedObject,
	settings?: ConnectionSettings,
): Secrets {
	const token = name === CREDENTIALS.signIn ? tokenOfSession(data) : normalizeApiKey(data.apiKey);
	const { username = '', password = '' } = settings?.proxy?.auth ?? {};
	const header = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
	const ofProxy = password.length < MIN_PROXY_LENGTH ? [] : [password, header];
	return {
		tokens: [token].filter(isLongEnough),
		passwords: [...[data.password].filter(isLongEnough), ...ofProxy],
	};
}

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

/** What can be read from the token of a credential. */
interface TokenFacts {
	/** Redacts the secrets of the credential, including earlier sessions, which may still be valid */
	redactor: Redactor;
	/** The only project of the token */
	projectId?: string;
}

/**
 * Makes a function that reads the token of a credential. It is called for every record, and the token
 * changes only by signing in.
 */
export function createTokenReader(
	{ name, data }: { name: CredentialName; data: ICredentialDataDecryptedObject },
	settings: ConnectionSettings,
): () => TokenFacts {
	let known: (TokenFacts & { session: unknown }) | undefined;
	const tokens = new Set<string>();
	return () => {
		if (known === undefined || known.session !== data.sessionToken) {
			const secrets = secretsOf(name, data, settings);
			for (const token of secrets.tokens) tokens.add(token);
			known = {
				session: data.sessionToken,
				redactor: createRedactor({ ...secrets, tokens: [...tokens] }),
				projectId: projectOfToken(secrets.tokens[0] ?? ''),
			};
		}
		return known;
	};
}
