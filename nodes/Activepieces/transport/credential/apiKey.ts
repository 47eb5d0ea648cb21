import { type ValidationError, validationError } from '../errors/activepiecesError';
import { cleanInput } from '../values/cleanInput';

/** Keys of Activepieces have 64 characters, and session tokens more. */
const MIN_LENGTH = 8;

/** More than any has; a header of this size is as much as servers take. */
export const MAX_TOKEN_LENGTH = 4096;

const unquoted = (text: string): string =>
	text.length > 1 && /^["']/.test(text) && text.endsWith(text[0]) ? text.slice(1, -1) : text;

/**
 * The key alone, from what people paste into API Key: a session token out of the browser's tools comes with
 * its header, a key out of a file with quotes or with line breaks. No key has any of that in it, and the
 * service would answer 401.
 *
 * @returns empty when there is no key
 */
export function normalizeApiKey(value: unknown): string {
	const header = /^(?:Authorization:\s*)?(?:Bearer\s+)?/i;
	const key = unquoted(unquoted(cleanInput(value)).trim().replace(header, '')).trim();
	return key
		.split(/[\r\n]/)
		.map((line) => line.trim())
		.join('');
}

const invalid = (message: string): ValidationError =>
	validationError(
		message,
		'Open the credential and copy the whole key again. It begins with "sk-".',
	);

/**
 * The key as it is sent in a header, and as it is looked for in what a server says.
 *
 * @throws {ValidationError} for what cannot be a key
 */
export function requireApiKey(value: unknown): string {
	const key = normalizeApiKey(value);
	if (key === '') throw invalid('API Key is empty');
	if (key.length < MIN_LENGTH) throw invalid('API Key is too short to be a key');
	if (key.length > MAX_TOKEN_LENGTH) throw invalid('API Key is too long to be a key');
	if (/\s/.test(key)) throw invalid('API Key contains a space');
	if (!isHeaderText(key)) throw invalid('API Key contains a character that keys do not have');
	return key;
}

/** Whether a text is one that a header can carry as it is: visible characters of ASCII. */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
