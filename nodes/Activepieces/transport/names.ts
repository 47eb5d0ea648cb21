import { textOf } from './values';

/* Texts that people enter, and how names are compared. */

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

/* The service searches names with LIKE, where % and _ are wildcards and a backslash escapes. */

/** The pattern for a text in which a backslash is one, while % and _ stay wildcards. */
export const toLikePattern = (text: string): string => text.replaceAll('\\', '\\\\');

/** Whether a name may match a pattern of `toLikePattern`. Only the service knows the wildcards of its database. */
export const mayMatchLike = (pattern: string, name: string): boolean =>
	/[%_]/.test(pattern) || toLikePattern(name).toLowerCase().includes(pattern.toLowerCase());

/** How many characters of a search text are sent, since a URL has room for a few thousand only. */
const MAX_SENT = 200;

/**
 * A pattern that may match more than the text. `%` replaces what databases compare in different ways: letters
 * beyond ASCII, whitespace and backslashes.
 */
export const toWideLikePattern = (text: string): string =>
	text
		.slice(0, MAX_SENT)
		.normalize('NFC')
		.replace(/[^!-[\]-~]+/g, '%');
