import { validationError } from '../errors/activepiecesError';
import { cleanInput } from '../values/cleanInput';

/** A Base URL in the one form the transport uses, or the reason why it cannot be used. */
export type BaseUrl = { url: string } | { invalid: string };

/** Without the slashes at its end. Not by a pattern: one that is not anchored at the begin is quadratic. */
function withoutSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === '/') end--;
	return path.slice(0, end);
}

const EXAMPLE = 'for example https://cloud.activepieces.com/api';

/**
 * Brings what people paste as Base URL into one form: no surrounding space, no trailing slash and
 * no trailing `/v1`, which every path of the API begins with. The address of a page of the web app is
 * left as it is: only the message of what comes of it proposes another (`errors/messageParts.ts`). Both
 * the node and the credential test use it, so a credential that passes its test works in the node.
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
		return { invalid: `Base URL is not a valid web address, ${EXAMPLE}` };
	}
	if (url.username !== '' || url.password !== '') {
		return { invalid: 'Base URL must not contain a username or password' };
	}
	if (url.search !== '' || url.hash !== '') {
		return { invalid: `Base URL must end before any "?" or "#", ${EXAMPLE}` };
	}
	const path = withoutSlashes(withoutSlashes(url.pathname).replace(/\/v1$/i, ''));
	return { url: url.origin + path };
}

/**
 * The Base URL of a credential in the transport's form.
 *
 * @throws {ValidationError} when it cannot be used
 */
export function requireBaseUrl(value: unknown): string {
	const baseUrl = parseBaseUrl(value);
	if ('url' in baseUrl) return baseUrl.url;
	throw validationError(baseUrl.invalid, 'Open the credential and correct Base URL.');
}
