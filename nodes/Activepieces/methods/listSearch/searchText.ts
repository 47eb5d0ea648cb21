/** How many characters of a label are searched. A name from a server may be megabytes long. */
const MAX_LENGTH = 50_000;

/**
 * Normalizes text for a search, on both sides: accents composed into their letters, each whitespace as
 * one space, lower case. A sigma at the end of a word has another lower case form.
 */
export const searchText = (text: string): string =>
	text
		.slice(0, MAX_LENGTH)
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.toLowerCase()
		.replaceAll('ς', 'σ');
