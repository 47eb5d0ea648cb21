import { oneLine } from './text';

const REPLACEMENT = '***';

/** Longer than any token; most servers accept no larger header. */
export const MAX_TOKEN_LENGTH = 4096;

/** As much of a secret as is searched for in one piece: the time of the engine's search grows with its length. */
const MAX_HEAD = 256;

/**
 * Replaces a secret in a text. A server chooses both its token and the text that is searched for it, so the
 * time must not grow with their product: of a long secret the head is searched, and replaced with as much of
 * the rest as follows, so that a cut secret is redacted as well.
 */
function replaceSecret(text: string, secret: string): string {
	if (secret.length <= MAX_HEAD) return text.replaceAll(secret, REPLACEMENT);
	const head = secret.slice(0, MAX_HEAD);
	let replaced = '';
	let done = 0;
	for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, done)) {
		let length = head.length;
		while (length < secret.length && text[at + length] === secret[length]) length++;
		replaced += text.slice(done, at) + REPLACEMENT;
		done = at + length;
	}
	return replaced + text.slice(done);
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
	message(text: string): string;
	/**
	 * Decodes JSON, and redacts tokens in its texts and names after decoding: `sk-` is also `\u0073k-`.
	 */
	json(text: string): unknown;
	data(text: string): string;
}

/** How JSON may escape a character from U+0020 to U+007F, except slash, quote and backslash. */
const ESCAPED_ASCII = /\\u00[2-7]/;

/** A text in a URL. A lone surrogate cannot be encoded. */
const urlEncoded = (text: string) =>
	/\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text);

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
	const url = urlEncoded(password);
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

export function createRedactor({ tokens, passwords }: Secrets): Redactor {
	const inData = [...new Set([...tokens, ...tokens.map(urlEncoded)])];
	const hasEscapable = /["\\/]/.test(inData.join(''));
	let inMessages: string[] | undefined;
	const data = (text: string): string => inData.reduce(replaceSecret, text);
	return {
		message(text) {
			// Prepared when needed: each input item has a redactor, and few have a message.
			inMessages ??= [...new Set([...inData, ...passwords.flatMap(formsOf)])].filter(Boolean);
			return inMessages.reduce(replaceSecret, text);
		},
		data,
		json(text) {
			const decoded: unknown = JSON.parse(text);
			const mayContainSecret =
				inData.length > 0 &&
				// Most JSON has no backslash, and is then not searched for escapes.
				((text.includes('\\') && (hasEscapable || ESCAPED_ASCII.test(text))) ||
					inData.some((secret) => text.includes(secret.slice(0, MAX_HEAD))));
			return mayContainSecret ? changeTexts(decoded, data) : decoded;
		},
	};
}
