import { oneLine } from '../values/plainText';
import { createSecretSearch } from './secretSearch';

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
