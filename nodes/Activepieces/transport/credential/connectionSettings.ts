import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { validationError } from '../errors/error';
import { MAX_TIMER_MS, type ConnectionSettings } from '../http/exchange';
import { cleanInput } from '../names';
import { recordOf, textOf } from '../values';

/* How a server is reached: headers, proxy, time-out and certificates, from a credential or Request Options. */

/** Headers that the node or its HTTP client sets itself, in lower case */
export const SET_BY_NODE = [
	'connection',
	'content-length',
	'content-type',
	'host',
	'transfer-encoding',
];

/** Those that every request to the API has besides, and those that change how its response arrives */
const SET_FOR_API = [
	...['accept', 'accept-encoding', 'authorization', 'content-encoding', 'expect', 'keep-alive'],
	...['proxy-connection', 'te', 'trailer', 'upgrade', ...SET_BY_NODE],
];

/** The rows of a field with names and values, as n8n saves them. */
function rowsOf(field: unknown): IDataObject[] {
	const { values } = recordOf(field);
	return Array.isArray(values) ? values.map(recordOf) : [];
}

/**
 * @param where the field with the header, for example "Options > Headers"
 * @throws {ValidationError} for a name or value that HTTP does not allow in a header, and for a reserved name.
 * It quotes neither: a header that was pasted whole into its name contains the value.
 */
export function assertHeader(name: string, value: string, where: string, reserved: string[]): void {
	if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
		throw validationError(
			name === '' ? 'A header has no name' : 'The name of a header is not valid',
			`Change it under ${where}. A name has only letters, digits and hyphens, for example X-Api-Key. Enter the value in its own field.`,
		);
	}
	if (reserved.includes(name.toLowerCase())) {
		throw validationError(`The node sets the header ${name} itself`, `Remove it under ${where}.`);
	}
	// Visible ASCII, space, tab, and the characters that Node.js sends as Latin-1.
	if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return;
	throw validationError(
		`The value of the header ${name} has characters that HTTP does not allow`,
		`Change it under ${where}.`,
	);
}

const WHERE = 'Headers in the credential';

const cleanRow = ({ name, value }: IDataObject): [string, string] => [
	cleanInput(textOf(name)),
	cleanInput(textOf(value)),
];

/** The values of the credential's headers, also of those that are not valid. */
export const headerValues = ({ headers }: ICredentialDataDecryptedObject): string[] =>
	rowsOf(headers).map((row) => cleanRow(row)[1]);

/**
 * The credential's headers, by their names in lower case: of a header in two spellings the last one counts.
 *
 * @throws {ValidationError} for one that cannot be sent, or has no value
 */
export function requireHeaders({ headers }: ICredentialDataDecryptedObject) {
	const rows = rowsOf(headers).map(cleanRow);
	const filled = rows.filter(([name, value]) => name !== '' || value !== '');
	for (const [name, value] of filled) {
		assertHeader(name, value, WHERE, SET_FOR_API);
		if (value === '') throw validationError('A header has no value', `Enter it under ${WHERE}.`);
	}
	return Object.fromEntries(filled.map(([name, value]) => [name.toLowerCase(), value]));
}

/** n8n's request helper makes a URL of user and password, in which it encodes all but `%`, and decodes them. */
const ofUrl = (part: string): string => decodeURIComponent(part).replaceAll('%', '%25');

/** The URL of a proxy, without a path; undefined also for a user with characters that are not encoded. */
function proxyUrl(address: string): URL | undefined {
	try {
		const url = new URL(address);
		decodeURIComponent(url.username + url.password);
		return /^https?:\/\/[^/?#\\]+\/?$/i.test(address) ? url : undefined;
	} catch {
		return undefined;
	}
}

/** Converts the Proxy field to the options of n8n's request helper. */
function parseProxy(value: unknown, where: string): ConnectionSettings['proxy'] {
	const url = proxyUrl(typeof value === 'string' ? value.trim() : '');
	if (url === undefined) {
		throw validationError(
			'Proxy must be a URL that begins with http:// or https://',
			`Change Proxy in ${where}, for example to http://127.0.0.1:3128. Encode special characters of a username and password, for example # as %23, / as %2F and % as %25.`,
		);
	}
	const { hostname, port, protocol, username, password } = url;
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
