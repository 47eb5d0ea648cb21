import { cleanInput } from './cleanInput';

/** What JavaScript makes of a missing value in a text. Activepieces has no such IDs. */
const TEXTS_OF_NOTHING = ['undefined', 'null', 'NaN', '[object Object]'];

/** Those of Activepieces have 21 characters; what people call external IDs may have more. */
const MAX_LENGTH = 1000;

/**
 * The text of an ID, without what comes along when it is pasted; empty for an empty one.
 *
 * @returns nothing for what cannot be an ID
 */
export function toId(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	if (typeof value !== 'string') return undefined;
	const id = cleanInput(value);
	return id.length > MAX_LENGTH || TEXTS_OF_NOTHING.includes(id) ? undefined : id;
}
