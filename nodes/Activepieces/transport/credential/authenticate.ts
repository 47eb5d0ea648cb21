import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { validationError } from '../errors/error';
import { requireBaseUrl } from './credential';
import { requireHeaders } from './headers';

/** With n8n's older HTTP helper, which HTTP Request uses, these options have other names. */
type AnyRequestOptions = IHttpRequestOptions & { uri?: string };

const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

function originOf({ url, uri, baseURL }: AnyRequestOptions): string | undefined {
	const address = String(url ?? uri);
	return URL.canParse(address, baseURL) ? new URL(address, baseURL).origin : undefined;
}

/**
 * Adds the API key or the session token to a request, in the header that Activepieces expects, and the headers
 * of the credential. n8n calls it through `authenticate` in `credentials/`, for each request of the node
 * (`execution/credential.ts`) and of its own HTTP Request, which sends requests with a credential to any URL, and
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
	if (originOf(options) !== origin) {
		throw validationError(
			'The credential can only be used for its own server',
			`Begin the URL with ${origin}, the server of Base URL in the credential.`,
		);
	}
	const headers = { ...requireHeaders(data), ...options.headers, Authorization: `Bearer ${token}` };
	return { ...options, ...NO_REDIRECTS, headers };
}
