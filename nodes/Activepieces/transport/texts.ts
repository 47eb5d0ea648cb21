/* Texts of messages, and what they quote of others. */

/** Longer texts are not shown, because they may be whole documents. */
const MAX_SHOWN = 100;

/**
 * Describes the value of a field for messages, whatever an expression gives. `String(value)` throws for
 * `{"toString": 1}`, for symbols in a template, and for objects without a prototype.
 *
 * Part of a long text is not shown: a key that is cut in two would not be redacted.
 */
export function describeValue(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return value.length > MAX_SHOWN ? `a string of ${value.length} characters` : `"${value}"`;
		case 'number':
		case 'boolean':
		case 'undefined':
			return String(value);
		case 'object':
			if (value === null) return 'null';
			if (!Array.isArray(value)) return 'an object';
			return value.length === 0 ? 'an empty list' : 'a list';
		default:
			return `a ${typeof value}`;
	}
}

/** How many characters of a foreign text a message quotes. */
const MAX_QUOTE = 300;

/**
 * Makes a foreign text safe for a message: one line, without characters that could control a log, a
 * terminal or the writing direction, and no longer than a person reads.
 */
export function plainText(text: string, maxLength = MAX_QUOTE): string {
	return shorten(oneLine(text), maxLength);
}

/** Foreign text may be megabytes long; only this much is processed. */
export const MAX_FOREIGN = 20_000;

/** The start of a text in one line, without characters that could control a log or a terminal. */
function oneLine(text: string): string {
	return (
		text
			.slice(0, MAX_FOREIGN)
			.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
			// Including those that join the parts of an emoji, because they could split a secret.
			.replace(/\p{Cf}/gu, '')
			.trim()
	);
}

/** Shortens a single line at a character; a shortened one ends in "…". */
export function shorten(line: string, maxLength = MAX_QUOTE): string {
	if (line.length <= maxLength) return line;
	const cut = line.slice(0, maxLength - 1);
	// Not within a surrogate pair.
	return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** How many characters of a foreign name or ID a message shows, so that it cannot hide the rest. */
const MAX_NAME = 100;

/** A foreign name, ID, word or number in a message. */
export const shortName = (text: string): string => plainText(text, MAX_NAME);

/** `"Sales" (Xk7w…)` */
export const nameAndId = (name: string, id: string) => `"${shortName(name)}" (${shortName(id)})`;

/** `12 seconds`; less than one second is `underOne`. */
export function inSeconds(ms: number, underOne = '1 second'): string {
	const seconds = Math.round(ms / 1000);
	if (seconds < 1) return underOne;
	return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** `1.4 MB`, `25 kB` */
export const inBytes = (bytes: number): string =>
	bytes < 2 ** 20 ? `${Math.round(bytes / 2 ** 10)} kB` : `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** A foreign text without its period, because the sentence that quotes it has its own. */
export const unended = (text: string): string => text.replace(/[.!?]{1,10}$/, '');

/** A text that others follow: it may end with a URL instead of a period. */
export const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Appends sentences, with their space. */
export const append = (text: string, sentences: string): string =>
	sentences === '' ? text : ended(text) + sentences;

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How many of several things a message names. */
export const MAX_NAMED = 5;

/** `a, b and 3 more`: the first of several things, and the number of the others. */
export function someOf(things: string[], last = 'and '): string {
	const others = things.length - MAX_NAMED;
	return things.slice(0, MAX_NAMED).join(', ') + (others > 0 ? ` ${last}${others} more` : '');
}

/** `0 to 24, 27`: whole numbers in ascending order */
export function inRanges(numbers: number[]): string {
	const ranges: Array<[first: number, last: number]> = [];
	for (const number of numbers) {
		const range = ranges.at(-1);
		if (range?.[1] === number - 1) range[1] = number;
		else ranges.push([number, number]);
	}
	return ranges
		.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`))
		.join(', ');
}
