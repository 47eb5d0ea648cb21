import { jsonParse } from 'n8n-workflow';

import { shorten } from '../../transport/text';
import { isRecord, textOrNull } from '../../transport/values';

/** A message may be the whole response of a service; its beginning says what happened. */
const MAX_MESSAGE_LENGTH = 300;

/** How the JSON of code steps begins from 0.85 on: the message first, then a stack trace (recorded). */
const JSON_START = '{"__apErrorVersion":';

/**
 * The message in the JSON of a code step, which the service may have cut off; empty if it has none.
 * `JSON.parse` refuses a text that is cut off, so it reads what is complete.
 */
function readMessage(json: string): string {
	// Cannot appear inside a JSON text, where quotes are escaped.
	const key = '"message":"';
	const start = json.indexOf(key) + key.length;
	if (start < key.length) return '';
	// An escape takes up to six characters.
	const rest = json.slice(start, start + 6 * MAX_MESSAGE_LENGTH);
	const characters = /^(?:[\x20\x21\x23-\x5b\x5d-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/;
	const [complete] = characters.exec(rest) ?? [''];
	const text = JSON.parse(`"${complete}"`) as string;
	if (rest[complete.length] === '"') return text;
	// The service marks shortened text in the same way. Half of a character is left out.
	const kept = text.replace(/…$/, '');
	return kept && `${kept.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The message of a failed step, without the service's wrapping, at a length that a person reads. */
export function stepMessage(text: string | null): string | null {
	if (text === null) return null;
	const message = (text.startsWith(JSON_START) && readMessage(text)) || text;
	return message.length > MAX_MESSAGE_LENGTH ? shorten(message, MAX_MESSAGE_LENGTH) : message;
}

/** The whole error of a step: from 0.85 on JSON with the message and a stack trace, before that text (recorded). */
export function errorText(error: unknown): string | null {
	const text = textOrNull(error);
	const json = jsonParse<unknown>(text ?? '', { fallbackValue: null });
	return isRecord(json) ? (textOrNull(json.message) ?? text) : text;
}
