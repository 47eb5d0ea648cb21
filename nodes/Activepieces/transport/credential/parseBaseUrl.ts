import { validationError } from '../errors/activepiecesError';
import { cleanInput } from '../values/plainText';

/** A Base URL in normalized form, or the reason why it cannot be used. */
export type BaseUrl = { url: string } | { invalid: string };

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
 * message of the error that it causes suggests another one (`errors/messageParts.ts`). The node and the
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
