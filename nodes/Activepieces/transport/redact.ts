import { oneLine } from './text';

/** How many codes of one byte there are. */
const BYTES = 256;

const hexDigit = (code: number): number => {
	if (code >= 48 && code <= 57) return code - 48;
	const letter = code | 32;
	return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/** The byte that a code like `%2f` at an index means; -1 where there is no such code. */
function byteAt(text: string, at: number): number {
	if (text.charCodeAt(at) !== 37) return -1;
	const high = hexDigit(text.charCodeAt(at + 1));
	const low = hexDigit(text.charCodeAt(at + 2));
	return high < 0 || low < 0 ? -1 : 16 * high + low;
}

/** For each length of a match, the length of the longest proper suffix that is also a prefix of the secret. */
function failureTable(secret: string): Uint16Array {
	const table = new Uint16Array(secret.length);
	for (let at = 1, length = 0; at < secret.length; at++) {
		while (length > 0 && secret[at] !== secret[length]) length = table[length - 1];
		if (secret[at] === secret[length]) length++;
		table[at] = length;
	}
	return table;
}

/** Finds one secret in texts. */
interface SecretSearch {
	/** Whether the text may contain the secret; false is certain */
	mayBeIn(text: string): boolean;
	/** Replaces the secret, whichever of its characters are URL-encoded */
	replace(text: string, replacement: string): string;
}

/**
 * Searches in linear time, whatever the secret: a server chooses both the token and the text that is
 * searched for it (Knuth-Morris-Pratt).
 *
 * @param secret in ASCII, or never URL-encoded in the texts
 */
function createSecretSearch(secret: string): SecretSearch {
	const table = failureTable(secret);
	// For such a short text, the time of the engine's own search is bounded too.
	const head = secret.slice(0, 12);
	const isEncoded = new Uint8Array(BYTES);
	for (const character of secret) {
		const code = character.charCodeAt(0);
		if (code < BYTES) isEncoded[code] = 1;
	}

	function hasEncodedCharacter(text: string): boolean {
		for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
			const byte = byteAt(text, at);
			if (byte >= 0 && isEncoded[byte] === 1) return true;
		}
		return false;
	}

	/** @param isDecoding whether `%2f` counts as the character that it encodes */
	function replaceIn(text: string, replacement: string, isDecoding: boolean): string {
		/** The index at which each of the last characters began, as far as they may be part of the secret */
		const begins = new Uint32Array(secret.length);
		let replaced = '';
		let done = 0;
		let matched = 0;
		let count = 0;
		for (let at = 0; at < text.length;) {
			const byte = isDecoding ? byteAt(text, at) : -1;
			const code = byte < 0 ? text.charCodeAt(at) : byte;
			begins[count % secret.length] = at;
			count++;
			at += byte < 0 ? 1 : 3;
			while (matched > 0 && secret.charCodeAt(matched) !== code) matched = table[matched - 1];
			if (secret.charCodeAt(matched) === code) matched++;
			if (matched < secret.length) continue;
			replaced += text.slice(done, begins[(count - secret.length) % secret.length]) + replacement;
			done = at;
			matched = 0;
		}
		return replaced + text.slice(done);
	}

	const mayBeIn = (text: string): boolean => text.includes(head) || hasEncodedCharacter(text);
	return {
		mayBeIn,
		replace(text, replacement) {
			if (!mayBeIn(text)) return text;
			// A percent sign in the secret may look like the start of a code.
			const exact = secret.includes('%') ? replaceIn(text, replacement, false) : text;
			return replaceIn(exact, replacement, true);
		},
	};
}

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

/** Redacts secrets in what a server or n8n has said. */
export interface Redactor {
	/** Redacts a text that becomes part of a message */
	message(text: string): string;
	/**
	 * Decodes JSON, and redacts tokens in its texts and names. It searches the decoded text, because JSON
	 * can write each character in two ways: `sk-` is also `\u0073k-`.
	 *
	 * @throws {SyntaxError} when the text is not JSON
	 */
	json(text: string): unknown;
	/** Redacts a text that is data */
	data(text: string): string;
}

const REPLACEMENT = '***';

/** How JSON may escape a character from U+0020 to U+007F, except slash, quote and backslash. */
const ESCAPED_ASCII = /\\u00[2-7]/;

function createSearch(secrets: string[]) {
	const wanted = [...new Set(secrets)].filter((secret) => secret !== '');
	const searches = wanted.map(createSecretSearch);
	const hasEscapable = wanted.some((secret) => /["\\/]/.test(secret));
	return {
		replace: (text: string): string =>
			searches.reduce((replaced, search) => search.replace(replaced, REPLACEMENT), text),
		/** Whether JSON may contain a secret once it is decoded */
		mayBeInJson: (json: string): boolean =>
			wanted.length > 0 &&
			(ESCAPED_ASCII.test(json) ||
				(hasEscapable && json.includes('\\')) ||
				searches.some((search) => search.mayBeIn(json))),
	};
}

/** The forms in which others quote a password. */
function formsOf(password: string): string[] {
	const json = JSON.stringify(password).slice(1, -1);
	const ascii = json.replace(
		/[\u0080-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	const html = password
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
	// Libraries escape quotes in different ways.
	const quotes = [
		['&#39;', '&#34;'],
		['&#x27;', '&#x22;'],
		['&#039;', '&#034;'],
		['&apos;', '&quot;'],
	].map(([single, double]) => html.replaceAll("'", single).replaceAll('&quot;', double));
	const url = isWellFormed(password) ? encodeURIComponent(password) : password;
	return [
		password,
		oneLine(password),
		json,
		ascii,
		html,
		...quotes,
		url,
		url.replaceAll('%20', '+'),
	];
}

/** Whether a text has no lone surrogate, which cannot be URL-encoded. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

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

/** Prepares the search for secrets. */
export function createRedactor({ tokens, passwords }: Secrets): Redactor {
	const inData = createSearch(tokens);
	let inMessages: ReturnType<typeof createSearch> | undefined;
	return {
		message(text) {
			// Prepared when needed: each input item has a redactor, and few have a message.
			inMessages ??= createSearch([...tokens, ...passwords.flatMap(formsOf)]);
			return inMessages.replace(text);
		},
		data: (text) => inData.replace(text),
		json(text) {
			const decoded: unknown = JSON.parse(text);
			return inData.mayBeInJson(text) ? changeTexts(decoded, inData.replace) : decoded;
		},
	};
}
