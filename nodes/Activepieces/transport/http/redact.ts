import { oneLine } from '../text';

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

/** What a person chose may be short, but shorter texts appear inside too many words. */
export const MIN_CHOSEN_LENGTH = 4;

/**
 * A secret that a request sends, in parts that are redacted one by one: it may be longer than what is read of
 * a message, even without the forms in which others quote it.
 */
export const partsOfSecret = (secret: string): string[] =>
	(secret.match(/[^]{1,400}/g) ?? []).filter(({ length }) => length >= MIN_CHOSEN_LENGTH);

export const NO_SECRETS: Secrets = { tokens: [], passwords: [] };

const redact = (text: string, secret: string): string => text.replaceAll(secret, REPLACEMENT);

/** Redacts secrets in what a server or n8n has said. */
export interface Redactor {
	/** Redacts all secrets. */
	message(text: string): string;
	/** Decodes JSON, and redacts tokens in its texts and names. */
	json(text: string): unknown;
	/** Redacts tokens only, because a password may be a common word. */
	data(text: string): string;
}

/** A text in a URL. A lone surrogate cannot be encoded. */
const urlEncoded = (text: string) =>
	/\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text);

/** The forms in which others quote a password: as it is, as it was sent, on a web page, in a URL. */
function formsOf(password: string): string[] {
	const html = password
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&#34;')
		.replaceAll("'", '&#39;');
	const json = JSON.stringify(password).slice(1, -1);
	const url = urlEncoded(password);
	return [password, oneLine(password), json, html, url, url.replaceAll('%20', '+')];
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
	// JSON may write these in another way.
	const hasEscapable = /["\\/]/.test(inData.join(''));
	let inMessages: string[] | undefined;
	const data = (text: string): string => inData.reduce(redact, text);
	return {
		message(text) {
			// Prepared when needed: each input item has a redactor, and few have a message.
			inMessages ??= [...new Set([...inData, ...passwords.flatMap(formsOf)])].filter(Boolean);
			return inMessages.reduce(redact, text);
		},
		data,
		json(text) {
			const decoded: unknown = JSON.parse(text);
			const mayContainSecret =
				(hasEscapable && text.includes('\\')) || inData.some((secret) => text.includes(secret));
			return mayContainSecret ? changeTexts(decoded, data) : decoded;
		},
	};
}
