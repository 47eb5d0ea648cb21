/** Longer than any number or date; what a hostile server sends is not read to its end. */
const MAX_LENGTH = 64;

/** A hundred years: who asks for more asks for no wait that a message could tell. */
const MAX_MS = 100 * 365 * 24 * 60 * 60 * 1000;

/**
 * How long a service asks to wait.
 *
 * @param value Retry-After, in seconds or as an HTTP date
 * @param date the Date of the same answer: two clocks differ, so a date is measured on the server's
 * @returns milliseconds; nothing when the header is absent, not understood, absurd or already past
 */
export function parseRetryAfter(value?: string, date?: string): number | undefined {
	const text = value?.trim() ?? '';
	if (text.length > MAX_LENGTH) return undefined;
	const asked = /^\d+(\.\d+)?$/.test(text)
		? Number(text) * 1000
		: // V8 reads nearly anything as a date, "-5" as well; an HTTP date begins with its weekday.
			/^[a-z]{3,9},? /i.test(text)
			? Date.parse(text) - (Date.parse(date ?? '') || Date.now())
			: 0;
	return asked > 0 && asked <= MAX_MS ? asked : undefined;
}
