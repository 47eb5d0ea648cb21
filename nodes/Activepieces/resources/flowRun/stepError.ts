import { jsonParse } from 'n8n-workflow';

import { writeJson } from '../../descriptions/json';
import { isRecord, textOrNull } from '../../transport/values';

/** The service shortens an error to fewer characters (650 recorded). */
const MAX_CUT = 2000;

/** How the JSON of an error begins when its message is what says what happened (recorded). */
const MESSAGE_START = /^\{\s{0,9}(?:"__apErrorVersion":\d{1,9},)?"message":\s?"/;

/** The message in JSON that the service has cut off, as far as it goes; undefined if there is none. */
function messageOfCutJson(json: string): string | undefined {
	const [start] = MESSAGE_START.exec(json) ?? [];
	if (start === undefined) return undefined;
	const rest = json.slice(start.length, start.length + MAX_CUT);
	const characters = /^(?:[\x20\x21\x23-\x5b\x5d-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/;
	const [complete] = characters.exec(rest) ?? [''];
	const text = JSON.parse(`"${complete}"`) as string;
	if (rest[complete.length] === '"') return text || undefined;
	// The service marks shortened text in the same way. Half of a character is left out.
	const kept = text.replace(/…$/, '');
	return kept ? `${kept.replace(/[\ud800-\udbff]$/, '')}…` : undefined;
}

/** Up to 0.79 a stack trace follows the message of a code step, later it is beside the message (recorded). */
function withoutTrace(text: string): string {
	const start = text.search(/\n {4}at /);
	return start > 0 ? text.slice(0, start) : text;
}

/**
 * The error of a step as a person reads it, the same in every release. It may be text with a stack trace, or
 * JSON: of a code step from 0.85 on, of a failed subflow, of a refused request; its message may be JSON again
 * (recorded).
 */
export function stepError(error: unknown): string | null {
	const text = textOrNull(error);
	if (text === null) return null;
	const json = jsonParse<unknown>(text, { fallbackValue: null });
	// Each message is shorter than the text that contains it.
	const inner = isRecord(json) ? json.message : (json ?? messageOfCutJson(text));
	if (typeof inner === 'string' && inner !== '') return stepError(inner);
	if (typeof json !== 'object' || json === null) return withoutTrace(text);
	return writeJson(json).json ?? text;
}
