import { textOf } from './textOf';

/** How much of a text by others a message repeats, in characters. */
const MAX_QUOTE = 300;

/**
 * One line of a text by others, for a message: without what could begin a new line in a log or steer a
 * terminal or the direction of writing, and no longer than a person reads.
 *
 * @param maxLength in characters; a longer text ends in "…"
 */
export function plainText(text: string, maxLength = MAX_QUOTE): string {
	// Cut first: what is foreign may be megabytes long.
	const head = text.slice(0, 2 * maxLength + 1);
	const line = head
		.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
		// But the two that join the parts of an emoji, or of a word in some scripts.
		.replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
		.trim();
	if (line.length <= maxLength && head.length === text.length) return line;
	const cut = line.slice(0, maxLength - 1);
	// Not within a surrogate pair.
	return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** A word or a number of the server in a sentence of ours, in which it may be missing. */
export const wordOf = (value: unknown, fallback: string): string =>
	plainText(textOf(value) || fallback, 100);
