/** What must not be shown of a credential, as far as it is known. */
export interface Secrets {
	/** API key or session token: never shown, whatever text it stands in */
	tokens: string[];
	/**
	 * What a person chose, such as a password, and what may be an ordinary word: taken out of what others
	 * say about a request, but never out of records, which it would damage
	 */
	passwords: string[];
}

export const NO_SECRETS: Secrets = { tokens: [], passwords: [] };

/** Takes secrets out of what a server, or n8n, has said. */
export interface Redactor {
	/** For a text that becomes part of a message */
	message(text: string): string;
	/**
	 * Decodes JSON, and takes tokens out of its texts and names. They are searched for in the decoded
	 * text, since JSON can write each character in two ways: `sk-` is `\u0073k-` as well.
	 *
	 * @throws {SyntaxError} when the text is not JSON
	 */
	json(text: string): unknown;
	/** For a text that is data */
	data(text: string): string;
}

const REPLACEMENT = '***';

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** `%2f`, with the letters in either case, of a character or of the bytes that it has in UTF-8. */
const percentEncoded = (character: string): string =>
	[...Buffer.from(character, 'utf8')]
		.map((byte) => byte.toString(16).padStart(2, '0'))
		.map((hex) => `%${hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}`)
		.join('');

/** A secret, with any of its characters as they are or URL-encoded; each character is tried in two ways at most. */
const patternOf = (secret: string): string =>
	[...secret]
		.map((character) => `(?:${escapeRegExp(character)}|${percentEncoded(character)})`)
		.join('');

/** How JSON may write a character from U+0020 to U+007F other than as itself; slash, quote and backslash apart. */
const ESCAPED_ASCII = /\\u00[2-7]/;

/** Finds secrets in a text, however their characters are URL-encoded. */
function createSearch(secrets: string[]) {
	const found = secrets.filter((secret) => secret !== '');
	const pattern = found.length === 0 ? undefined : found.map(patternOf).join('|');
	const isIn = (text: string): boolean =>
		found.some((secret) => text.includes(secret)) ||
		// Few texts have one, and looking for it costs a fraction of the search.
		(pattern !== undefined && text.includes('%') && new RegExp(pattern).test(text));
	return {
		isIn,
		/** Whether JSON may hold one of them once it is decoded */
		isInJson: (json: string): boolean =>
			isIn(json) ||
			(found.length > 0 && ESCAPED_ASCII.test(json)) ||
			(json.includes('\\') && found.some((secret) => /["\\/]/.test(secret))),
		replace: (text: string): string =>
			pattern !== undefined && isIn(text)
				? text.replace(new RegExp(pattern, 'g'), REPLACEMENT)
				: text,
	};
}

type Container = Record<string, unknown>;

/** Changes the names of a record, in their order. */
function rename(record: Container, change: (name: string) => string): void {
	const entries = Object.entries(record);
	if (entries.every(([name]) => change(name) === name)) return;
	for (const [name] of entries) delete record[name];
	for (const [name, value] of entries) {
		// Not by assignment: JSON may have a field `__proto__`.
		const descriptor = { value, configurable: true, enumerable: true, writable: true };
		Object.defineProperty(record, change(name), descriptor);
	}
}

/** Changes every text and name in decoded JSON. Without recursion: a server may nest as deep as it likes. */
function changeTexts(root: unknown, change: (text: string) => string): unknown {
	const holder: Container = { root };
	const open: Container[] = [holder];
	for (let container = open.pop(); container !== undefined; container = open.pop()) {
		if (!Array.isArray(container)) rename(container, change);
		for (const [name, value] of Object.entries(container)) {
			if (typeof value === 'string') container[name] = change(value);
			else if (typeof value === 'object' && value !== null) open.push(value as Container);
		}
	}
	return holder.root;
}

/** Prepares the search for these secrets. */
export function createRedactor({ tokens, passwords }: Secrets): Redactor {
	const inData = createSearch(tokens);
	// JSON that stands in a message, as in "could not parse …", is not decoded.
	const asJson = passwords.map((password) => JSON.stringify(password).slice(1, -1));
	const inMessages = createSearch([...tokens, ...asJson, ...passwords]);
	return {
		message: inMessages.replace,
		data: inData.replace,
		json(text) {
			const decoded: unknown = JSON.parse(text);
			return inData.isInJson(text) ? changeTexts(decoded, inData.replace) : decoded;
		},
	};
}
