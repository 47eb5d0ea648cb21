import type { IHttpRequestOptions } from 'n8n-workflow';

/** Adds the API key or the session token to a request, in the header that Activepieces expects. */
export const withAuthorization = (
	options: IHttpRequestOptions,
	token: string,
): IHttpRequestOptions => ({
	...options,
	headers: { ...options.headers, Authorization: `Bearer ${token}` },
});
