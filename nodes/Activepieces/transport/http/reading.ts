/**
 * A text as it is read: without what nobody sees, and later decoded, with the place of each of its
 * characters in the original.
 */
interface Reading {
	text: string;
	from: Int32Array;
	to: Int32Array;
}

/** Blanks count as invisible: others break lines anew, or leave their ends out. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * What stands for other characters in URLs and forms (RFC 3986, RFC 1738), in JSON, in the texts of other programming
 * languages, and on web pages.
 */
const ENCODED =
	/(?:(?:%|\\x)[89a-f][\da-f])+|(?:%|\\x)[0-7][\da-f]|[%\\]u[\da-f]{4}|\\u\{[\da-f]{1,6}\}|\\[^]|&#\d{1,7};|&#x[\da-f]{1,6};|&(?:amp|apos|gt|lt|quot);|[+\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/giu;

const NAMES: Record<string, string> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

/** Bytes are in UTF-8, or else in Latin-1. */
function decodeBytes(hex: string): string {
	const bytes = Buffer.from(hex, 'hex');
	const text = bytes.toString('utf8');
	return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

const ofCode = (code: number): string => (code > 0x10ffff ? '' : String.fromCodePoint(code));

/** What an encoded character means; nothing if that is invisible. */
function meaningOf(encoded: string): string {
	const [first, second = ''] = encoded.toLowerCase();
	const digits = encoded.replace(/[^\da-f]/gi, '');
	if (first === '&') {
		if (second !== '#') return NAMES[encoded.slice(1, -1).toLowerCase()];
		return ofCode(/x/i.test(encoded) ? parseInt(digits, 16) : Number(digits));
	}
	if (encoded.length > 2 && second === 'u') return ofCode(parseInt(digits, 16));
	if (encoded.length > 2) return decodeBytes(digits);
	// The others stand for line breaks and control characters.
	if (first === '\\') return /[nrtbfv0]/.test(encoded) ? '' : encoded.slice(1);
	return '';
}

/** @param meaning is never longer than what it replaces */
function rewrite(reading: Reading, pattern: RegExp, meaning: (found: string) => string): Reading {
	const parts: string[] = [];
	const from = new Int32Array(reading.text.length);
	const to = new Int32Array(reading.text.length);
	let length = 0;
	let end = 0;
	const keepUpTo = (index: number) => {
		parts.push(reading.text.slice(end, index));
		from.set(reading.from.subarray(end, index), length);
		to.set(reading.to.subarray(end, index), length);
		length += index - end;
		end = index;
	};
	for (const { 0: found, index } of reading.text.matchAll(pattern)) {
		keepUpTo(index);
		end += found.length;
		const means = meaning(found);
		parts.push(means);
		from.fill(reading.from[index], length, length + means.length);
		to.fill(reading.to[end - 1], length, length + means.length);
		length += means.length;
	}
	keepUpTo(reading.text.length);
	return { text: parts.join(''), from: from.subarray(0, length), to: to.subarray(0, length) };
}

/** How often a text is decoded: JSON in a form in JSON. */
const MAX_LAYERS = 6;

/** A text as it is, and as it is after each time that it is decoded, until nothing changes. */
export function* readingsOf(text: string): Generator<Reading> {
	const from = new Int32Array(text.length).map((_, index) => index);
	const original = { text, from, to: from.map((index) => index + 1) };
	let reading = rewrite(original, INVISIBLE, () => '');
	for (let layer = 0; layer < MAX_LAYERS; layer++) {
		yield reading;
		const decoded = rewrite(reading, ENCODED, meaningOf);
		if (decoded.text === reading.text) return;
		reading = decoded;
	}
}

/** The first and the last reading of a text. */
export function endsOf(text: string): string[] {
	const readings = [...readingsOf(text)];
	return [readings[0].text, readings[readings.length - 1].text];
}
