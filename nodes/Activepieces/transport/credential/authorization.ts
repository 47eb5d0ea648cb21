import type { IHttpRequestOptions } from 'n8n-workflow';

/** A request with the API key or the session token, in the header in which Activepieces expects it. */
export const withAuthorization = (
	options: IHttpRequestOptions,
	token: string,
): IHttpRequestOptions => ({
	...options,
	headers: { ...options.headers, Authorization: `Bearer ${token}` },
});
