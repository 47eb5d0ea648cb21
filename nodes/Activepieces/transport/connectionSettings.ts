import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { MAX_TIMER_MS } from './exchange';
import { validationError } from './error';

/** How to reach a server; settings that are not set are left to the sender. */
export interface ConnectionSettings {
	allowUnauthorizedCerts?: boolean;
	proxy?: Exclude<IHttpRequestOptions['proxy'], string>;
	/** Milliseconds */
	timeoutMs?: number;
}

const isUnset = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** @param where the field is, for messages */
function parseIgnoreSslIssues(value: unknown, where: string): boolean | undefined {
	if (isUnset(value)) return undefined;
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw validationError(
		'Ignore SSL Issues must be true or false',
		`Change Ignore SSL Issues in ${where}.`,
	);
}

/** Converts milliseconds, also from text; 0 means the default of the place where it is used. */
function parseTimeout(value: unknown, where: string): number | undefined {
	if (isUnset(value)) return undefined;
	const timeout = typeof value === 'string' ? Number(value) : value;
	if (typeof timeout !== 'number' || !(timeout >= 0)) {
		throw validationError(
			'Timeout must be a number of milliseconds',
			`Change Timeout in ${where}, for example to 60000 for one minute.`,
		);
	}
	return timeout === 0 ? undefined : Math.min(Math.ceil(timeout), MAX_TIMER_MS);
}

/** Converts the Proxy field to the options of n8n's request helper. */
function parseProxy(value: unknown, where: string): ConnectionSettings['proxy'] {
	if (isUnset(value)) return undefined;
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
export function parseConnectionSettings(
	{ allowUnauthorizedCerts, proxy, timeout }: IDataObject,
	where: string,
): ConnectionSettings {
	const settings: ConnectionSettings = {
		allowUnauthorizedCerts: parseIgnoreSslIssues(allowUnauthorizedCerts, where),
		proxy: parseProxy(proxy, where),
		timeoutMs: parseTimeout(timeout, where),
	};
	return overrideSettings({}, settings);
}

export const settingsOfCredential = (data: IDataObject): ConnectionSettings =>
	parseConnectionSettings(data, 'the credential');

/** Merges settings; those that `overriding` has replace the others. */
export const overrideSettings = (
	settings: ConnectionSettings,
	overriding: ConnectionSettings,
): ConnectionSettings => ({
	...settings,
	...Object.fromEntries(Object.entries(overriding).filter(([, value]) => value !== undefined)),
});

/** Converts the settings to options of a request, without the time-out, which the node also uses itself. */
export const toHttpOptions = ({
	allowUnauthorizedCerts,
	proxy,
}: ConnectionSettings): Partial<IHttpRequestOptions> => ({
	...(allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
	...(proxy === undefined ? {} : { proxy }),
});
