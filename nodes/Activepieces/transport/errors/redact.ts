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

/** A character of a secret, and the bytes that URL encoding writes it with, as `2f`. */
interface SecretCharacter {
	character: string;
	bytes: string[];
}

const charactersOf = (secret: string): SecretCharacter[] =>
	[...secret].map((character) => ({
		character,
		bytes: [...Buffer.from(character, 'utf8')].map((byte) => byte.toString(16).padStart(2, '0')),
	}));

/** Where a secret ends that begins at a place of a text, with any of its characters URL-encoded; -1 for none. */
function endOfSecret(text: string, start: number, secret: SecretCharacter[]): number {
	let at = start;
	for (const { character, bytes } of secret) {
		const isCode = character === '%' && text.startsWith('%25', at);
		if (!isCode && text.startsWith(character, at)) {
			at += character.length;
			continue;
		}
		for (const byte of bytes) {
			if (text[at] !== '%' || text.slice(at + 1, at + 3).toLowerCase() !== byte) return -1;
			at += 3;
		}
	}
	return at;
}

/** By hand, since nobody can tell how slow a pattern made of a secret is. */
function replaceEncoded(text: string, secret: SecretCharacter[]): string {
	const first = secret[0].character[0];
	let replaced = '';
	let done = 0;
	for (let at = 0; at < text.length; at++) {
		if (text[at] !== first && text[at] !== '%') continue;
		const end = endOfSecret(text, at, secret);
		if (end < 0) continue;
		replaced += text.slice(done, at) + REPLACEMENT;
		done = end;
		at = end - 1;
	}
	return replaced + text.slice(done);
}

/** How JSON may write a character from U+0020 to U+007F other than as itself; slash, quote and backslash apart. */
const ESCAPED_ASCII = /\\u00[2-7]/;

/** Searches for secrets in texts, however their characters are URL-encoded. */
function createSearch(secrets: string[]) {
	const wanted = secrets
		.filter((secret) => secret !== '')
		.map((secret) => ({ secret, characters: charactersOf(secret) }));
	const replace = (text: string): string => {
		let replaced = text;
		for (const { secret, characters } of wanted) {
			if (replaced.includes(secret)) replaced = replaced.split(secret).join(REPLACEMENT);
			// Few texts have one.
			if (replaced.includes('%')) replaced = replaceEncoded(replaced, characters);
		}
		return replaced;
	};
	return {
		replace,
		/** Whether JSON may hold one of them once it is decoded */
		mayBeIn: (json: string): boolean =>
			wanted.length > 0 &&
			(ESCAPED_ASCII.test(json) ||
				(json.includes('\\') && wanted.some(({ secret }) => /["\\/]/.test(secret))) ||
				replace(json) !== json),
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
			return inData.mayBeIn(text) ? changeTexts(decoded, inData.replace) : decoded;
		},
	};
}
