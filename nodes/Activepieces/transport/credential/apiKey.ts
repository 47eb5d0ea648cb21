import { type ValidationError, validationError } from '../errors/activepiecesError';
import { cleanInput } from '../values/plainText';

/** Keys of Activepieces have 64 characters, and session tokens more. */
const MIN_LENGTH = 8;

/** Longer than any token; most servers accept no larger header. */
export const MAX_TOKEN_LENGTH = 4096;

const unquoted = (text: string): string =>
	text.length > 1 && /^["']/.test(text) && text.endsWith(text[0]) ? text.slice(1, -1) : text;

/**
 * Extracts the key from what people paste into API Key: a session token from the browser's tools comes
 * with the name of its header, a key from a file with quotes or line breaks. No key contains any of
 * that, and the service would respond with 401.
 *
 * @returns an empty text when there is no key
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
		'Enter the complete API key in the credential. API keys begin with "sk-".',
	);

/**
 * The key as a header contains it, and as responses are searched for it.
 *
 * @throws {ValidationError} for a value that cannot be a key
 */
export function requireApiKey(value: unknown): string {
	const key = normalizeApiKey(value);
	if (key === '') throw invalid('API Key is empty');
	if (key.length < MIN_LENGTH) throw invalid('API Key is too short to be a key');
	if (key.length > MAX_TOKEN_LENGTH) throw invalid('API Key is too long to be a key');
	if (/\s/.test(key)) throw invalid('API Key contains a space');
	if (!isHeaderText(key))
		throw invalid('API Key contains a character that is not allowed in API keys');
	return key;
}

/** Whether a header can contain a text unchanged: visible ASCII characters only. */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
