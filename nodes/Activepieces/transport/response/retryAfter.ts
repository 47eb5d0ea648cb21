/** Longer than any number or date; a longer text of a hostile server is not parsed. */
const MAX_LENGTH = 64;

/** A hundred years: a longer wait could not be shown in a message. */
const MAX_MS = 100 * 365 * 24 * 60 * 60 * 1000;

/**
 * How long a service asks to wait.
 *
 * @param value Retry-After, in seconds or as an HTTP date
 * @param date the Date of the same response: because clocks differ, a date is compared with the server's
 * @returns milliseconds; undefined when the header is absent, not understood, absurd or in the past
 */
export function parseRetryAfter(value?: string, date?: string): number | undefined {
	const text = value?.trim() ?? '';
	if (text.length > MAX_LENGTH) return undefined;
	const asked = /^\d+(\.\d+)?$/.test(text)
		? Number(text) * 1000
		: // V8 parses almost anything as a date, even "-5"; an HTTP date begins with its weekday.
			/^[a-z]{3,9},? /i.test(text)
			? Date.parse(text) - (Date.parse(date ?? '') || Date.now())
			: 0;
	return asked > 0 && asked <= MAX_MS ? asked : undefined;
}
