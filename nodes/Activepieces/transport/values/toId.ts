import { cleanInput } from './plainText';

/** What JavaScript writes for a missing value in a text. Activepieces has no such IDs. */
const TEXTS_OF_NOTHING = ['undefined', 'null', 'NaN', '[object Object]'];

/** IDs of Activepieces have 21 characters; external IDs may be longer. */
const MAX_LENGTH = 1000;

/**
 * Converts an ID, without characters that come from pasting; empty for an empty one.
 *
 * @returns undefined for a value that cannot be an ID
 */
export function toId(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	if (typeof value !== 'string') return undefined;
	const id = cleanInput(value);
	return id.length > MAX_LENGTH || TEXTS_OF_NOTHING.includes(id) ? undefined : id;
}
