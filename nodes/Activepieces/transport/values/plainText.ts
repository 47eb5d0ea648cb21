/** How much of a text by others a message repeats, in characters. */
const MAX_QUOTE = 300;

/**
 * One line of a text by others, for a message: without what could begin a new line in a log or steer a
 * terminal or the direction of writing, and no longer than a person reads.
 *
 * @param maxLength in characters; a longer text ends in "…"
 */
export function plainText(text: string, maxLength = MAX_QUOTE): string {
	return shorten(oneLine(text), maxLength);
}

/** What is foreign may be megabytes long; what is shown of it is not. */
const MAX_FOREIGN = 20_000;

/** One line of the begin of a text, without what could steer a log or a terminal. */
export function oneLine(text: string): string {
	return (
		text
			.slice(0, MAX_FOREIGN)
			.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
			// Also those that join the parts of an emoji: a secret may be broken by one.
			.replace(/\p{Cf}/gu, '')
			.trim()
	);
}

/** A text of one line, cut at a character; a longer one ends in "…". */
export function shorten(line: string, maxLength = MAX_QUOTE): string {
	if (line.length <= maxLength) return line;
	const cut = line.slice(0, maxLength - 1);
	// Not within a surrogate pair.
	return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** How much of a name or an ID by others a message shows, in characters: it could hide what follows. */
const MAX_NAME = 100;

/** A name, an ID, a word or a number by others in a message. */
export const shortName = (text: string): string => plainText(text, MAX_NAME);

/** `"Sales" (Xk7w…)` */
export const nameAndId = (name: string, id: string): string =>
	`"${shortName(name)}" (${shortName(id)})`;

/** `12 seconds`; less than one is `underOne`. */
export function inSeconds(ms: number, underOne = '1 second'): string {
	const seconds = Math.round(ms / 1000);
	if (seconds < 1) return underOne;
	return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** A text as the beginning of a sentence. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How many of several things a message names. */
const MAX_NAMED = 5;

/** The first of several things, which a message names, and how many others there are. */
export const someOf = <T>(things: T[]): { named: T[]; others: number } => ({
	named: things.slice(0, MAX_NAMED),
	others: Math.max(0, things.length - MAX_NAMED),
});
