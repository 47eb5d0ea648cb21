import { cleanInput } from './names';

/* IDs and paths. */

export function withoutLast(text: string, character: string): string {
	let end = text.length;
	while (text[end - 1] === character) end--;
	return text.slice(0, end);
}

export const withoutSlashes = (path: string): string => withoutLast(path, '/');

/** What JavaScript writes for a missing value in a text. Activepieces has no such IDs. */
const TEXTS_OF_NOTHING = ['undefined', 'null', 'NaN', '[object Object]'];

/** Whether a text is certainly an ID of Activepieces. */
export const isWholeId = (text: string): boolean => /^[0-9A-Za-z]{21}$/.test(text);

/** IDs of Activepieces have 21 characters; external IDs may be longer. */
const MAX_ID_LENGTH = 1000;

/**
 * Converts an ID, without characters that come from pasting; empty for an empty one.
 *
 * @returns undefined for a value that cannot be an ID
 */
export function toId(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	if (typeof value !== 'string') return undefined;
	const id = cleanInput(value);
	return id.length > MAX_ID_LENGTH || TEXTS_OF_NOTHING.includes(id) ? undefined : id;
}

/**
 * Encodes an ID as exactly one path segment, so that no ID can reach another route: `../users/x` becomes
 * `..%2Fusers%2Fx`. Dot segments are refused, because URL parsers resolve them even when they are encoded.
 */
export function pathSegment(value: unknown): { segment: string } | { invalid: string } {
	const id = toId(value ?? '');
	if (id === undefined) return { invalid: 'is not an ID' };
	if (id === '') return { invalid: 'is empty' };
	if (id === '.' || id === '..') return { invalid: `is "${id}", which is not an ID` };
	try {
		return { segment: encodeURIComponent(id) };
	} catch {
		return { invalid: 'contains a character that is not allowed in a URL' };
	}
}
