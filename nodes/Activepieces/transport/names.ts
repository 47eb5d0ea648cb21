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
