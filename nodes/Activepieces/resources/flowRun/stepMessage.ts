/** A message may be the whole answer of a service; what it begins with tells what happened. */
const MAX_MESSAGE_LENGTH = 300;

/** Code steps of 0.85 and later write JSON: the message first, then a stack trace (recorded). */
const JSON_START = '{"__apErrorVersion":';

/** Quotes inside a text of JSON are escaped, so that no other text can look like this. */
const MESSAGE_KEY = '"message":"';

/** What a backslash and one of these letters stand for in JSON. */
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

/** Some characters are two units long; half of one cannot be shown. */
function endsInHalfCharacter(text: string): boolean {
	const last = text.charCodeAt(text.length - 1);
	return last >= 0xd800 && last <= 0xdbff;
}

function withEllipsis(text: string): string {
	return `${endsInHalfCharacter(text) ? text.slice(0, -1) : text}…`;
}

/** The character that an escape stands for, and its length in JSON; nothing for half an escape. */
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
 * Reads a text in JSON, which may be cut off, no further than it is shown. `JSON.parse` refuses what is
 * cut off.
 *
 * @param start where the text begins, behind its quote
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
	// The service marks the cut in the same way.
	const kept = text.endsWith('…') ? text.slice(0, -1) : text;
	return kept === '' ? '' : withEllipsis(kept);
}

function plainMessage(text: string): string {
	if (!text.startsWith(JSON_START)) return text;
	const key = text.indexOf(MESSAGE_KEY);
	if (key === -1) return text;
	return readText(text, key + MESSAGE_KEY.length) || text;
}

/** What a failed step said, without what the service wraps it in, and not longer than a person reads. */
export function stepMessage(text: string | null): string | null {
	if (text === null) return null;
	const message = plainMessage(text);
	if (message.length <= MAX_MESSAGE_LENGTH) return message;
	return withEllipsis(message.slice(0, MAX_MESSAGE_LENGTH - 1));
}
