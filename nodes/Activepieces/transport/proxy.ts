import type { IHttpRequestOptions } from 'n8n-workflow';

/** The Proxy option as the engine's request helper takes it; n8n reads it for runs, not for lists. */
export function readProxy(value: unknown): Pick<IHttpRequestOptions, 'proxy'> {
	if (typeof value !== 'string' || !URL.canParse(value)) return {};
	const { hostname, port, protocol, username, password } = new URL(value);
	return {
		proxy: {
			host: hostname,
			port: Number(port) || (protocol === 'https:' ? 443 : 80),
			protocol: protocol.replace(/:$/, ''),
			...(username === ''
				? {}
				: {
						auth: {
							username: decodeURIComponent(username),
							password: decodeURIComponent(password),
						},
					}),
		},
	};
}
