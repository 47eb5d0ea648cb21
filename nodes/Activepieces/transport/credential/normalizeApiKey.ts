import { cleanInput } from './cleanInput';

const unquoted = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;

/**
 * The key alone, from what people paste into API Key: a session token out of the browser's tools comes with
 * its header, a key out of a file with quotes. No key has any of that in it, and the service would answer 401.
 *
 * @returns empty when there is no key
 */
export function normalizeApiKey(value: unknown): string {
	const header = /^\s*(?:Authorization:\s*)?(?:Bearer\s+)?/i;
	return unquoted(unquoted(cleanInput(value)).replace(header, '')).trim();
}
