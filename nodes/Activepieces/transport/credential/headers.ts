import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { validationError } from '../errors/error';
import { MAX_TOKEN_LENGTH } from '../http/redact';
import { cleanInput } from '../text';
import { recordOf, textOf } from '../values';

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
export function rowsOf(field: unknown): IDataObject[] {
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
		if (value.length > MAX_TOKEN_LENGTH) {
			throw validationError(
				`The value of the header ${name} is too long`,
				`Change it under ${WHERE}.`,
			);
		}
	}
	return Object.fromEntries(filled.map(([name, value]) => [name.toLowerCase(), value]));
}
