import { limits } from '../limits';
import { MAX_FOREIGN } from '../values';

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
function* readingsOf(text: string): Generator<Reading> {
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
function endsOf(text: string): string[] {
	const readings = [...readingsOf(text)];
	return [readings[0].text, readings[readings.length - 1].text];
}

const REPLACEMENT = '***';

/** Longer than any token; most servers accept no larger header. */
export const MAX_TOKEN_LENGTH = 4096;

/** The secrets of a credential, as far as they are known. */
export interface Secrets {
	/** API key or session token: redacted in every text */
	tokens: string[];
	/**
	 * What a person chose, such as a password, which may be an ordinary word: redacted in what others say
	 * about a request, but not in records, which that would damage
	 */
	passwords: string[];
}

export const NO_SECRETS: Secrets = { tokens: [], passwords: [] };

/** Redacts secrets in what a server or n8n has said, in whatever form they quote them. */
export interface Redactor {
	/** Redacts all secrets, and parts of them, in as much of a text as a message can need. */
	message(text: string): string;
	/** Whether a text has none of them */
	isClean(text: string): boolean;
	/** Decodes JSON, and redacts tokens in its texts and names. */
	json(text: string): unknown;
	/** Redacts tokens only, because a password may be a common word. */
	data(text: string): string;
}

type Range = [from: number, to: number];

/** A secret as it is searched for. Others may take its UTF-8 for Latin-1, as does Base64 when it is decoded. */
const readAs = (secret: string): string[] => [
	...new Set([secret, Buffer.from(secret, 'utf8').toString('latin1')]),
];

/** How much of a secret is searched for: it may be a whole file, and messages quote its start */
const MAX_SEARCHED = 100_000;

/** The forms of a secret, without what nobody sees. One that is too short then is not searched for. */
const formsOf = (secret: string): string[] =>
	[...new Set(readAs(secret.slice(0, MAX_SEARCHED)).flatMap(endsOf))].filter(
		({ length }) => length >= limits.minSecretLength,
	);

/* How much of a secret counts as the secret: others quote its first characters, or a line of a key. */

/** Half of its characters, from the first one on, within these bounds */
const LEAST_START = { min: 8, max: 16 };

/** How many characters anywhere in it */
const LEAST_INSIDE = 32;

/** How many of its first characters in Base64, where chance does not make a word */
const LEAST_IN_BASE64 = 4;

function leastStart({ length }: string): number {
	const { min, max } = LEAST_START;
	return Math.min(length, Math.max(min, Math.min(max, Math.ceil(length / 2))));
}

/** Where a text has the whole of a secret */
function wholesIn(text: string, secret: string): Range[] {
	const found: Range[] = [];
	for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
		found.push([at, at + secret.length]);
	}
	return found;
}

/** Where a text has the start of a secret, or a long part of it. It compares pieces, so it takes no longer for any text. */
function partsIn(text: string, secret: string): Range[] {
	const least = leastStart(secret);
	const found: Range[] = [];
	const pieceAt = (whole: string, at: number) => whole.slice(at, at + least);
	const ofText = new Set<string>();
	for (let at = 0; at + least <= text.length; at++) ofText.add(pieceAt(text, at));
	const common = new Set<string>();
	for (let at = 0; at + least <= secret.length; at++) {
		const piece = pieceAt(secret, at);
		if (ofText.has(piece)) common.add(piece);
	}
	if (common.size === 0) return found;
	const start = pieceAt(secret, 0);
	for (let at = 0; at + least <= text.length; at++) {
		const first = at;
		let hasStart = false;
		for (; common.has(pieceAt(text, at)); at++) hasStart ||= pieceAt(text, at) === start;
		const end = at - 1 + least;
		if (hasStart || end - first >= LEAST_INSIDE) found.push([first, end]);
	}
	return found;
}

/** Where a text has Base64 of a secret, alone or after others, as in `Authorization: Basic …` */
function base64In(text: string, secrets: string[]): Range[] {
	const found: Range[] = [];
	for (const { 0: run, index } of text.matchAll(/[\w+/-]{6,}/g)) {
		// Other words may be in front of it.
		for (const offset of [0, 1, 2, 3]) {
			const decoded = Buffer.from(run.slice(offset), 'base64').toString('latin1');
			for (const secret of secrets) {
				const at = decoded.indexOf(secret.slice(0, LEAST_IN_BASE64));
				if (at < 0) continue;
				let end = at;
				while (end < decoded.length && decoded[end] === secret[end - at]) end++;
				const start = index + offset;
				found.push([
					start + Math.floor((at * 4) / 3),
					Math.min(start + Math.ceil((end * 4) / 3), index + run.length),
				]);
			}
		}
	}
	return found;
}

/** Widens a range to the whole of the Base64 that it is in. */
function widen(text: string, [from, to]: Range): Range {
	const isPart = (character = ' ') => /[\w+/=%\\\p{Cf}-]/u.test(character);
	while (isPart(text[from - 1])) from--;
	while (isPart(text[to])) to++;
	return [from, to];
}

type Search = (read: string) => Range[];

/** Where a text has a secret in any of its readings. */
const find = (text: string, search: Search): Range[] =>
	[...readingsOf(text)].flatMap(({ text: read, from, to }) =>
		search(read).map(([first, end]): Range => [from[first], to[end - 1]]),
	);

function replace(text: string, ranges: Range[]): string {
	if (ranges.length === 0) return text;
	let result = '';
	let end = -1;
	for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
		if (from > end) result += text.slice(Math.max(end, 0), from) + REPLACEMENT;
		end = Math.max(end, to);
	}
	return result + text.slice(end);
}

/** How much of a text is read at once: each character takes some memory. */
const MAX_STRETCH = 200_000;

/** Stretches of a text around places in it. They overlap, because a secret may be at their edge. */
function stretchesOf(text: string, places: number[], around: number): Range[] {
	const found: Range[] = [];
	for (const place of places) {
		const [from, to] = [Math.max(0, place - around), Math.min(text.length, place + around)];
		const last = found.at(-1);
		if (last !== undefined && from <= last[1] && to - last[0] <= MAX_STRETCH) last[1] = to;
		else found.push([from, to]);
	}
	return found;
}

const everyNth = (length: number, n: number): number[] =>
	Array.from({ length: Math.ceil(length / n) }, (_, index) => index * n);

/** A letter or a digit that is encoded although nothing asks for it */
const ENCODED_LETTER = /(?:%|\\x|\\u00)(?:3\d|[46][1-9a-fA-F]|[57][\daA])/g;

const HIDDEN = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;

/** Where a text has characters that nobody sees between two letters or digits. All of them are beyond ASCII. */
function hiddenIn(text: string): number[] {
	// Most data is ASCII, and this takes a tenth of the time of a search.
	if (Buffer.byteLength(text) === text.length) return [];
	const isLetter = (character = ' ') => /[A-Za-z\d]/.test(character);
	return [...text.matchAll(/[\u0080-\uffff]+/g)]
		.filter(
			({ 0: run, index }) =>
				isLetter(text[index - 1]) && isLetter(text[index + run.length]) && HIDDEN.test(run),
		)
		.map(({ index }) => index);
}

type Container = Record<string, unknown>;

/** Changes the names of a record, and keeps their order. */
function rename(record: Container, change: (name: string) => string): void {
	if (Object.keys(record).every((name) => change(name) === name)) return;
	const entries = Object.entries(record);
	for (const [name] of entries) delete record[name];
	for (const [name, value] of entries) {
		// Not by assignment: JSON may have a field `__proto__`.
		const descriptor = { value, configurable: true, enumerable: true, writable: true };
		Object.defineProperty(record, change(name), descriptor);
	}
}

/**
 * Changes every text and name in decoded JSON. Not recursive, because a server may nest values to any depth.
 */
function changeTexts(root: unknown, change: (text: string) => string): unknown {
	const holder = [root];
	const open: object[] = [holder];
	const changed = (value: unknown): unknown => {
		if (typeof value === 'object' && value !== null) open.push(value);
		return typeof value === 'string' ? change(value) : value;
	};
	for (let container = open.pop(); container !== undefined; container = open.pop()) {
		if (Array.isArray(container)) {
			// By index: an array may have millions of values, and its entries would be texts.
			for (let index = 0; index < container.length; index++) {
				container[index] = changed(container[index]);
			}
		} else {
			const record = container as Container;
			rename(record, change);
			for (const name of Object.keys(record)) record[name] = changed(record[name]);
		}
	}
	return holder[0];
}

/** The longest word of a secret, which nobody encodes; empty if it has no letter or digit */
const longestWord = (secret: string): string =>
	(secret.match(/[A-Za-z\d]+/g) ?? ['']).reduce((a, b) => (b.length > a.length ? b : a));

export function createRedactor({ tokens, passwords }: Secrets): Redactor {
	const inData = [...new Set(tokens.flatMap(formsOf))];
	const words = tokens.map(longestWord);
	// Encoded, a character takes up to twelve.
	const around = 12 * Math.max(0, ...inData.map(({ length }) => length));
	/** Where data may contain a token: data may be long, and only these places are read. Most data has none. */
	function* hintsIn(text: string): Generator<number> {
		if (words.includes('')) return yield* everyNth(text.length, around);
		for (const word of words) for (const [from] of wholesIn(text, word)) yield from;
		for (const { index } of text.matchAll(ENCODED_LETTER)) yield index;
		yield* hiddenIn(text);
	}
	const searchData = (read: string) => inData.flatMap((form) => wholesIn(read, form));
	const data = (text: string): string => {
		if (inData.length === 0) return text;
		const places = [...hintsIn(text)].sort((a, b) => a - b);
		const ranges = stretchesOf(text, places, around).flatMap(([start, end]) =>
			find(text.slice(start, end), searchData).map(([from, to]): Range => [
				from + start,
				to + start,
			]),
		);
		return replace(text, ranges);
	};
	// Prepared when needed: each input item has a redactor, and few have a message.
	let forms: string[] | undefined;
	let bytes: string[] | undefined;
	const all = [...tokens, ...passwords].filter(({ length }) => length >= limits.minSecretLength);
	const search: Search = (read) => {
		forms ??= [...new Set(all.flatMap(formsOf))];
		return forms.flatMap((form) => partsIn(read, form));
	};
	const searchBase64: Search = (read) => {
		bytes ??= all.flatMap((secret) => readAs(secret.slice(0, MAX_SEARCHED)));
		return base64In(read, bytes);
	};
	const findAll = (text: string): Range[] => [
		...find(text, search),
		...find(text, searchBase64).map((range) => widen(text, range)),
	];
	return {
		message(text) {
			const start = text.slice(0, MAX_FOREIGN);
			const ranges = findAll(start);
			// Part of a secret may be at the end of a cut text.
			if (text.length > MAX_FOREIGN) ranges.push([MAX_FOREIGN - MAX_TOKEN_LENGTH, MAX_FOREIGN]);
			return replace(start, ranges);
		},
		isClean(text) {
			const places = everyNth(text.length, MAX_TOKEN_LENGTH);
			const everywhere = stretchesOf(text, places, 2 * MAX_TOKEN_LENGTH);
			return everywhere.every(([from, to]) => findAll(text.slice(from, to)).length === 0);
		},
		data,
		json(text) {
			const decoded: unknown = JSON.parse(text);
			if (inData.length === 0) return decoded;
			const mayContainToken = text.includes('\\u') || hintsIn(text).next().done !== true;
			return mayContainToken ? changeTexts(decoded, data) : decoded;
		},
	};
}
