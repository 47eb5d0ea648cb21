import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { validationError } from '../errors/activepiecesError';
import { MAX_TIMER_MS } from './deadline';

/** How a server is reached; what is not set is left to whoever sends. */
export interface ConnectionSettings {
	allowUnauthorizedCerts?: boolean;
	proxy?: Exclude<IHttpRequestOptions['proxy'], string>;
	/** Milliseconds */
	timeoutMs?: number;
}

const isUnset = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** @param where the field stands, for messages */
function parseIgnoreSslIssues(value: unknown, where: string): boolean | undefined {
	if (isUnset(value)) return undefined;
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw validationError(
		'Ignore SSL Issues must be true or false',
		`Change Ignore SSL Issues in ${where}.`,
	);
}

/** A number of milliseconds, as text as well; 0 is the default of wherever it is used. */
function parseTimeout(value: unknown, where: string): number | undefined {
	if (isUnset(value)) return undefined;
	const timeout = typeof value === 'string' ? Number(value) : value;
	if (typeof timeout !== 'number' || !(timeout >= 0)) {
		throw validationError(
			'Timeout is not a number of milliseconds',
			`Change Timeout in ${where}, for example to 60000 for a minute.`,
		);
	}
	return timeout === 0 ? undefined : Math.min(Math.ceil(timeout), MAX_TIMER_MS);
}

/** The Proxy field as the engine's request helper takes it. */
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
			'Proxy is not a valid web address',
			`Change Proxy in ${where}, for example to http://127.0.0.1:3128.`,
		);
	}
}

/**
 * Reads the fields that say how a server is reached. Credentials and n8n's Request Options have them under
 * the same names.
 *
 * @param where the fields stand, for messages
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

/** The settings of a credential. */
export const settingsOfCredential = (data: IDataObject): ConnectionSettings =>
	parseConnectionSettings(data, 'the credential');

/** Settings, with others that come before them where they are set. */
export const overrideSettings = (
	settings: ConnectionSettings,
	overriding: ConnectionSettings,
): ConnectionSettings => ({
	...settings,
	...Object.fromEntries(Object.entries(overriding).filter(([, value]) => value !== undefined)),
});

/** The settings as options of a request; the time-out apart, which is not the engine's alone. */
export const toHttpOptions = ({
	allowUnauthorizedCerts,
	proxy,
}: ConnectionSettings): Partial<IHttpRequestOptions> => ({
	...(allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
	...(proxy === undefined ? {} : { proxy }),
});
