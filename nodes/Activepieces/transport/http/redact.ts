import { oneLine } from '../text';
import { isRecord } from '../values';

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

export function createRedactor({ tokens, passwords }: Secrets): Redactor {
	const inData = [...new Set([...tokens, ...tokens.map(urlEncoded)])];
	// JSON may write these in another way.
	const hasEscapable = /["\\/]/.test(inData.join(''));
	let inMessages: string[] | undefined;
	const data = (text: string): string => inData.reduce(redact, text);
	const withoutSecrets = (_name: string, value: unknown): unknown => {
		if (typeof value === 'string') return data(value);
		if (!isRecord(value)) return value;
		const entries = Object.entries(value);
		if (entries.every(([name]) => data(name) === name)) return value;
		// Not by assignment: JSON may have a field `__proto__`.
		return Object.fromEntries(entries.map(([name, each]) => [data(name), each]));
	};
	return {
		message(text) {
			// Prepared when needed: each input item has a redactor, and few have a message.
			inMessages ??= [...new Set([...inData, ...passwords.flatMap(formsOf)])].filter(Boolean);
			return inMessages.reduce(redact, text);
		},
		data,
		json(text) {
			const mayContainSecret =
				(hasEscapable && text.includes('\\')) || inData.some((secret) => text.includes(secret));
			return JSON.parse(text, mayContainSecret ? withoutSecrets : undefined) as unknown;
		},
	};
}
