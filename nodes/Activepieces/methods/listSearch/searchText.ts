/** Characters of a label in which a search looks: a foreign name may be megabytes long. */
const MAX_LENGTH = 50_000;

/**
 * A text as a search compares it, on both sides: an accent as a part of its letter, white space as one
 * space, in lower case. A sigma at the end of a word is another letter in lower case only.
 */
export const searchText = (text: string): string =>
	text
		.slice(0, MAX_LENGTH)
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.toLowerCase()
		.replaceAll('ς', 'σ');
