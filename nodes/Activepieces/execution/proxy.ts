import type { IHttpRequestOptions } from 'n8n-workflow';

import { validationError } from '../transport/errors/activepiecesError';

/**
 * The Proxy option as the engine's request helper takes it.
 *
 * @throws {ValidationError} when it is not an address
 */
export function parseProxy(value: unknown): Pick<IHttpRequestOptions, 'proxy'> {
	const address = typeof value === 'string' ? value.trim() : '';
	if (address === '') return {};
	if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) {
		throw validationError(
			'Proxy is not a valid web address',
			"Change Proxy in the node's Settings tab under Request Options, for example to http://127.0.0.1:3128.",
		);
	}
	const { hostname, port, protocol, username, password } = new URL(address);
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
