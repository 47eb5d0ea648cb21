import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { validationError } from '../errors/error';
import { type ConnectionSettings, MAX_TIMER_MS } from '../http/exchange';
import { requireHeaders } from './headers';

/** n8n's request helper makes a URL of user and password, in which it encodes all but `%`, and decodes them. */
const ofUrl = (part: string): string => decodeURIComponent(part).replaceAll('%', '%25');

/** Whether all before the last `@` of an address is read as its user and password. */
function isUserEncoded(address: string): boolean {
	const [, user = ''] = /^https?:\/\/(.*)@/is.exec(address) ?? [];
	try {
		decodeURIComponent(user);
	} catch {
		return false;
	}
	return !/[/?#\\]/.test(user);
}

/** Converts the Proxy field to the options of n8n's request helper. */
function parseProxy(value: unknown, where: string): ConnectionSettings['proxy'] {
	const address = typeof value === 'string' ? value.trim() : '';
	if (!isUserEncoded(address)) {
		throw validationError(
			'The username or password in Proxy has special characters that are not encoded',
			`Encode them in ${where}, for example # as %23, / as %2F and % as %25.`,
		);
	}
	if (!/^https?:\/\/[^/?#\\]+\/?$/i.test(address) || !URL.canParse(address)) {
		throw validationError(
			'Proxy must be a URL that begins with http:// or https://',
			`Change Proxy in ${where}, for example to http://127.0.0.1:3128.`,
		);
	}
	const { hostname, port, protocol, username, password } = new URL(address);
	// n8n's request helper would leave out the password.
	if (username === '' && password !== '') {
		throw validationError(
			'Proxy has a password without a username',
			`Add the username in ${where}, for example http://user:password@proxy.example:3128.`,
		);
	}
	return {
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		protocol: protocol.slice(0, -1),
		...(username === '' ? {} : { auth: { username: ofUrl(username), password: ofUrl(password) } }),
	};
}

/** Reads the fields for the connection, which have the same names in credentials and Request Options. */
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
			settings.skipSslCertificateValidation = isOn;
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

/** How the node reaches the server of a credential, without n8n's Request Options. */
export const connectionSettingsOf = (data: ICredentialDataDecryptedObject): ConnectionSettings => ({
	...parseConnectionSettings(data, 'the credential'),
	headers: requireHeaders(data),
});
