import type { IDataObject } from 'n8n-workflow';

export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const recordOf = (value: unknown): IDataObject => (isRecord(value) ? value : {});

/**
 * A field of a record as text, from a text or a number; empty for anything else. A server may send
 * anything: `String(value)` throws for `{"toString": 1}`.
 */
export const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? `${value}` : '';

/** Fields as the record has them; missing ones are null. */
export function orNull(record: IDataObject, ...names: string[]): IDataObject {
	const fields: IDataObject = {};
	for (const name of names) fields[name] = record[name] ?? null;
	return fields;
}

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

/** Removes invisible characters and surrounding whitespace from a text, which may come with pasted text. */
export function cleanInput(value: unknown): string {
	return typeof value === 'string' ? value.replace(/\p{Cf}/gu, '').trim() : '';
}

/**
 * A text as a person sees it. Headers of spreadsheets have a byte order mark or blanks, and files of macOS
 * have other forms of the same letters.
 */
export const seenText = (text: string): string =>
	cleanInput(text).replace(/\s+/g, ' ').normalize('NFC');

/**
 * Normalizes text for a search, on both sides: accents composed into their letters, each whitespace as
 * one space, lower case. A sigma at the end of a word has another lower case form.
 */
export const searchText = (text: string): string =>
	text.normalize('NFC').replace(/\s+/g, ' ').toLowerCase().replaceAll('ς', 'σ');

/** A name by which a record is found: as a person sees it, and as the lists of the editor compare it. */
export const comparable = (name: unknown): string => searchText(seenText(textOf(name)));

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
