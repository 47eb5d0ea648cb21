import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { MAX_TIMER_MS } from './exchange';
import { validationError } from './error';

/** How to reach a server; settings that are absent are left to the sender, or to other settings. */
export interface ConnectionSettings {
	allowUnauthorizedCerts?: boolean;
	proxy?: Exclude<IHttpRequestOptions['proxy'], string>;
	/** Milliseconds */
	timeoutMs?: number;
}

/** Converts the Proxy field to the options of n8n's request helper. */
function parseProxy(value: unknown, where: string): ConnectionSettings['proxy'] {
	const address = typeof value === 'string' ? value.trim() : '';
	try {
		if (!/^https?:\/\/[^/]/i.test(address)) throw new TypeError('Not an address of HTTP');
		const { hostname, port, protocol, username, password } = new URL(address);
		return {
			host: hostname,
			port: Number(port) || (protocol === 'https:' ? 443 : 80),
			protocol: protocol.slice(0, -1),
			...(username === ''
				? {}
				: {
						auth: {
							username: decodeURIComponent(username),
							password: decodeURIComponent(password),
						},
					}),
		};
	} catch {
		throw validationError(
			'Proxy must be a URL that begins with http:// or https://',
			`Change Proxy in ${where}, for example to http://127.0.0.1:3128.`,
		);
	}
}

/**
 * Reads the fields for the connection, which credentials and n8n's Request Options have under the same
 * names.
 *
 * @param where the fields are, for messages
 * @throws {ValidationError} when one of them cannot be used
 */
export function parseConnectionSettings(data: IDataObject, where: string): ConnectionSettings {
	const settings: ConnectionSettings = {};
	for (const [name, value] of Object.entries(data)) {
		const isUnset = value === null || (typeof value === 'string' && value.trim() === '');
		if (isUnset || value === undefined) continue;
		if (name === 'proxy') settings.proxy = parseProxy(value, where);
		if (name === 'allowUnauthorizedCerts') {
			const isOn = value === true || value === 'true';
			if (!isOn && value !== false && value !== 'false') {
				throw validationError(
					'Ignore SSL Issues must be true or false',
					`Change Ignore SSL Issues in ${where}.`,
				);
			}
			settings.allowUnauthorizedCerts = isOn;
		}
		if (name === 'timeout') {
			const timeout = typeof value === 'string' ? Number(value) : value;
			if (typeof timeout !== 'number' || !(timeout >= 0)) {
				throw validationError(
					'Timeout must be a number of milliseconds',
					`Change Timeout in ${where}, for example to 60000 for one minute.`,
				);
			}
			// 0 means the default of the place where it is used.
			if (timeout > 0) settings.timeoutMs = Math.min(Math.ceil(timeout), MAX_TIMER_MS);
		}
	}
	return settings;
}

/** Converts the settings to options of a request, without the time-out, which the node also uses itself. */
export const toHttpOptions = ({
	allowUnauthorizedCerts,
	proxy,
}: ConnectionSettings): Partial<IHttpRequestOptions> => ({
	...(allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
	...(proxy === undefined ? {} : { proxy }),
});
