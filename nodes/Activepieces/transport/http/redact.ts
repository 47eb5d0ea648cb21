import { MAX_FOREIGN } from '../texts';
import { isRecord } from '../values';

/* A text of others is not shown if it contains a secret; a record loses the key or the session where it stands. */

const REPLACEMENT = '***';

/** In place of a foreign text; continues "Activepieces says: " */
export const NOT_SHOWN = 'the text is not shown, because it contains the credential';

/** Longer than any token; most servers accept no larger header. */
export const MAX_TOKEN_LENGTH = 4096;

/**
 * Keys of Activepieces have 64 characters, session tokens more, passwords 8 at least. A shorter text is in too many
 * others to be looked for. Of a longer one so many characters count as the secret, because a service may quote its start.
 */
export const MIN_SECRET_LENGTH = 8;

/** The secrets of a credential, as far as they are known. */
export interface Secrets {
	/** API key or session token: redacted in every text */
	tokens: string[];
	/**
	 * What a person chose, such as a password, which may be an ordinary word: looked for in what others say
	 * about a request, but not in records, which that would damage
	 */
	passwords: string[];
}

export const NO_SECRETS: Secrets = { tokens: [], passwords: [] };

/** Keeps secrets out of what a server or n8n has said. */
export interface Redactor {
	/** As much of a text as a message can need; `NOT_SHOWN` if it has a secret, or the start of one */
	message(text: string): string;
	/** Whether a text has none of them */
	isClean(text: string): boolean;
	/** Decodes JSON, and redacts tokens in its texts and names. */
	json(text: string): unknown;
	/** Redacts tokens only, because a password may be a common word. */
	data(text: string): string;
}

const isLong = ({ length }: string): boolean => length >= MIN_SECRET_LENGTH;

const ofUrl = (text: string): string =>
	text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
		Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
	);

const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const ofJson = (text: string): string =>
	text.replace(/\\u([\da-f]{4})|\\([^])/gi, (_escape, code?: string, character = '') =>
		code === undefined
			? (CONTROLS[character] ?? character)
			: String.fromCharCode(parseInt(code, 16)),
	);

/** Base64 in a text, alone or after other characters, as in `Authorization: Basic …` */
function* ofBase64(text: string): Generator<string> {
	for (const [run] of text.matchAll(/[\w+/-]{6,}/g)) {
		for (const offset of [0, 1, 2, 3]) yield Buffer.from(run.slice(offset), 'base64').toString();
	}
}

/** A text as it is, and decoded as what others quote: a URL, a form, JSON, and JSON in JSON. */
function* readingsOf(text: string): Generator<string> {
	// `plainText` shows a text without these.
	const visible = text.replace(/\p{Cf}/gu, '');
	const json = ofJson(visible);
	for (const reading of [
		...[visible, ofUrl(visible), ofUrl(visible.replaceAll('+', ' '))],
		...[json, ofJson(json)],
	]) {
		yield reading;
		yield* ofBase64(reading);
	}
}

export function createRedactor({ tokens, passwords }: Secrets): Redactor {
	const starts = [...tokens, ...passwords]
		.filter(isLong)
		.map((secret) => secret.slice(0, MIN_SECRET_LENGTH));
	const isClean = (text: string): boolean => {
		if (starts.length === 0) return true;
		for (const reading of readingsOf(text)) {
			if (starts.some((start) => reading.includes(start))) return false;
		}
		return true;
	};
	const inJson = (token: string) => JSON.stringify(token).slice(1, -1);
	const inRecords = tokens.filter(isLong);
	const data = (text: string): string =>
		inRecords.reduce((rest, token) => rest.replaceAll(token, REPLACEMENT), text);
	const revive = (_name: string, value: unknown): unknown => {
		if (typeof value === 'string') return data(value);
		if (!isRecord(value)) return value;
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [data(name), each]));
	};
	return {
		message(text) {
			const start = text.slice(0, MAX_FOREIGN);
			return isClean(start) ? start : NOT_SHOWN;
		},
		isClean,
		data,
		json(text) {
			// Most data has none, and is not walked.
			const isFound = inRecords.some((token) => text.includes(inJson(token)));
			return isFound ? JSON.parse(text, revive) : JSON.parse(text);
		},
	};
}
