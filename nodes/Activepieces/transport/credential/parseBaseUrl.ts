import { cleanInput } from './cleanInput';

/** A Base URL in the one form the transport uses, or the reason why it cannot be used. */
export type BaseUrl = { url: string } | { invalid: string };

const EXAMPLE = 'for example https://cloud.activepieces.com/api';

/**
 * Brings what people paste as Base URL into one form: no surrounding space, no trailing slash and
 * no trailing `/v1`, which every path of the API begins with. Both the node and the credential
 * test use it, so a credential that passes its test works in the node.
 */
export function parseBaseUrl(value: unknown): BaseUrl {
	const text = cleanInput(value);
	if (text === '')
		return { invalid: `Base URL is empty. Enter the address of the API, ${EXAMPLE}` };
	if (!/^https?:\/\//i.test(text)) {
		return { invalid: `Base URL must begin with https:// or http://, ${EXAMPLE}` };
	}
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return { invalid: `Base URL is not a valid web address, ${EXAMPLE}` };
	}
	if (url.username !== '' || url.password !== '') {
		return {
			invalid: 'Base URL must not hold a user name or password. The key belongs in API Key',
		};
	}
	if (url.search !== '' || url.hash !== '') {
		return { invalid: `Base URL must end before any "?" or "#", ${EXAMPLE}` };
	}
	const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/i, '').replace(/\/+$/, '');
	return { url: url.origin + path };
}
