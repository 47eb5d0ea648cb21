/** A message may be the whole response of a service; its beginning says what happened. */
const MAX_MESSAGE_LENGTH = 300;

/** How the JSON of code steps begins from 0.85 on: the message first, then a stack trace (recorded). */
const JSON_START = '{"__apErrorVersion":';

/** Cannot appear inside a JSON text, where quotes are escaped. */
const MESSAGE_KEY = '"message":"';

/** The characters that JSON escapes with a backslash and a letter. */
const ESCAPES: Record<string, string> = {
	'"': '"',
	'\\': '\\',
	'/': '/',
	b: '\b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t',
};

/** Whether a text ends in the first half of a character that takes two code units. */
function endsInHalfCharacter(text: string): boolean {
	const last = text.charCodeAt(text.length - 1);
	return last >= 0xd800 && last <= 0xdbff;
}

function withEllipsis(text: string): string {
	return `${endsInHalfCharacter(text) ? text.slice(0, -1) : text}…`;
}

/** Decodes an escape, and returns its length in JSON; undefined for an incomplete escape. */
function readEscape(json: string, at: number): { character: string; length: number } | undefined {
	const letter = json.charAt(at + 1);
	if (letter !== 'u') {
		const character = ESCAPES[letter];
		return character === undefined ? undefined : { character, length: 2 };
	}
	const code = json.slice(at + 2, at + 6);
	if (!/^[0-9a-f]{4}$/i.test(code)) return undefined;
	return { character: String.fromCharCode(parseInt(code, 16)), length: 6 };
}

/**
 * Reads a JSON text, which may be cut off, up to the length that is shown. `JSON.parse` refuses text
 * that is cut off.
 *
 * @param start index after the opening quote
 */
function readText(json: string, start: number): string {
	let text = '';
	let at = start;
	while (at < json.length && text.length <= MAX_MESSAGE_LENGTH) {
		const character = json.charAt(at);
		if (character === '"') return text;
		const escape = character === '\\' ? readEscape(json, at) : { character, length: 1 };
		if (escape === undefined) break;
		text += escape.character;
		at += escape.length;
	}
	// The service marks shortened text in the same way.
	const kept = text.endsWith('…') ? text.slice(0, -1) : text;
	return kept === '' ? '' : withEllipsis(kept);
}

function plainMessage(text: string): string {
	if (!text.startsWith(JSON_START)) return text;
	const key = text.indexOf(MESSAGE_KEY);
	if (key === -1) return text;
	return readText(text, key + MESSAGE_KEY.length) || text;
}

/** The message of a failed step, without the service's wrapping, at a length that a person reads. */
export function stepMessage(text: string | null): string | null {
	if (text === null) return null;
	const message = plainMessage(text);
	if (message.length <= MAX_MESSAGE_LENGTH) return message;
	return withEllipsis(message.slice(0, MAX_MESSAGE_LENGTH - 1));
}
