import { jsonParse, tryToParseDateTime, type INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import { validationError, type ValidationError } from '../transport/errors/error';
import { toId } from '../transport/ids';
import { cleanInput } from '../transport/names';
import { capitalize, describeValue, unended } from '../transport/texts';
import { isRecord, textOf } from '../transport/values';
import type { OptionsField } from './properties';

/* The functions of this file throw a `ValidationError` for a value that cannot be used. */

const parameterError = (label: string, expected: string, value: unknown): ValidationError =>
	validationError(`${label} must be ${expected}, not ${describeValue(value)}`, `Change ${label}.`);

const asWord = (value: unknown): string => textOf(value).trim().toLowerCase();

/** Converts a boolean. An expression or a model may give it as text. */
export function toBoolean(label: string, value: unknown): boolean {
	if (value === true || asWord(value) === 'true') return true;
	if (value === false || asWord(value) === 'false') return false;
	throw parameterError(label, 'true or false', value);
}

/**
 * Finds the option of a field that a value means. A model often gives the name of an option, or other letters, and
 * the service ignores some unknown values (recorded).
 */
export function toOption<Value extends string>(
	label: string,
	value: unknown,
	{ options = [] }: OptionsField<Value>,
): Value {
	const isMeant = (text: string) => text.toLowerCase() === asWord(value);
	const option = options.find((each) => isMeant(each.value) || isMeant(each.name));
	if (option !== undefined) return option.value;
	throw parameterError(label, `one of ${options.map((each) => each.value).join(', ')}`, value);
}

/** Converts a whole number within bounds. An expression may give it as text. */
export function toWholeNumber(
	label: string,
	value: unknown,
	{ min = 1, max = Infinity }: { min?: number; max?: number } = {},
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min) {
		throw parameterError(label, `a whole number of ${min} or more`, value);
	}
	if (number > max) throw parameterError(label, `a whole number of ${max} or less`, value);
	return number;
}

/** Removes whitespace around a text, which comes from pasting. An expression may give a number. */
export function toText(label: string, value: unknown): string {
	// JavaScript has already changed its last digits.
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw validationError(`${label} has more digits than a number keeps`, 'Use text instead.');
	}
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value === 'string') return value.trim();
	throw parameterError(label, 'text', value);
}

/** The error for a field that must not be empty, which it also is when its expression returns nothing. */
export const emptyError = (label: string, advice = `Enter ${label}.`) =>
	validationError(`${label} is empty`, `${advice} If you use an expression, it returns no value.`);

/**
 * A text that must not be empty.
 *
 * @param advice what to do when it is
 */
export function toFilledText(label: string, value: unknown, advice?: string): string {
	const text = toText(label, value ?? '');
	if (text !== '') return text;
	throw emptyError(label, advice);
}

export function toIdText(label: string, value: unknown): string {
	const id = toId(value);
	if (id !== undefined) return id;
	throw validationError(
		`${label} must contain only IDs, not ${describeValue(value)}`,
		`Change ${label}.`,
	);
}

/** The list in a text that is one in JSON, as models and sheets write it. */
const listInJson = (text: string): unknown[] | undefined => {
	const list = text.trimStart().startsWith('[')
		? jsonParse<unknown>(text, { fallbackValue: null })
		: undefined;
	return Array.isArray(list) ? list : undefined;
};

/**
 * Turns `a, b` or `["a", "b"]` into `['a', 'b']`. A list from an expression is kept as it is, so that its values may
 * contain commas; empty entries are removed.
 */
export function splitList(label: string, value: unknown, toItem = toText): string[] {
	const toList = (text: string) => listInJson(text) ?? text.split(',');
	const values: unknown[] = Array.isArray(value) ? value : toList(toText(label, value ?? ''));
	return values
		.filter((each) => each !== undefined && each !== null)
		.map((each) => toItem(label, each))
		.filter((each) => each !== '');
}

/**
 * The value of a locator. No mode needs n8n's extraction, which costs as much per item as evaluating the
 * parameter again.
 */
export const locatorValue = (value: unknown): unknown =>
	isRecord(value) && 'value' in value ? value.value : value;

interface OptionalField<T> {
	label: string;
	name: string;
	type?: INodeProperties['type'];
	emptyMeans?: string;
	/** Whether the message about no value also proposes an empty string, which its caller may refuse */
	proposesEmptyText?: boolean;
	parse: (label: string, value: unknown) => T;
}

export const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && cleanInput(value) === '') ||
	(Array.isArray(value) && value.every(isBlank));

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * Reads a field that means "all", or something else, when it is empty. An expression without a result
 * does not count as an empty field: if a delete follows the list, that accident would delete everything.
 *
 * An empty text comes from a person who left the field empty, or from a model that fills it in.
 * Whitespace that was typed means the same. Whitespace from an expression is what remains of ` {{
 * $json.missing }}`, for which n8n writes nothing.
 *
 * @returns undefined when the field was left out or left empty
 * @throws {ValidationError} when the field has no value although it was not left empty
 */
export function readOptional<T>(
	fields: FieldReader,
	{ label, name, type, emptyMeans = 'all', proposesEmptyText = true, parse }: OptionalField<T>,
): T | undefined {
	const given = fields.get(name, '');
	const value = locatorValue(given);
	if (value === '') return undefined;
	const parsed = isBlank(value) ? undefined : parse(label, given);
	// ` , ` leaves an empty list.
	if (parsed !== undefined && !isEmptyList(parsed)) return parsed;
	// A multiple choice that was added without choosing anything is saved as an empty list, a collection as
	// an empty one, which is also what n8n makes of an expression for all of it.
	const isUnfilled = type === 'fixedCollection' || (type === 'multiOptions' && isEmptyList(value));
	if (typeof value === 'string' || isUnfilled) {
		const saved = locatorValue(fields.raw(name, ''));
		const isExpression = typeof saved === 'string' && saved.startsWith('=');
		if (!isExpression) return undefined;
	}
	throw validationError(
		`The expression in ${label} returns no value`,
		`It returned ${describeValue(value)}, which may be unintended. Change the expression. To mean "${emptyMeans}", leave ${label} empty${proposesEmptyText ? ' or return an empty string' : ''}.`,
	);
}

/**
 * Whether a text shows something. One that consists of invisible characters counts as empty; within a name
 * they may join the parts of an emoji.
 */
export const isVisible = (text: string): boolean =>
	/[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/**
 * Converts the new name of a folder or a flow. The service accepts an empty name (recorded), and nobody
 * can find a record without one. The service does not trim either, so "Sales " would become a second
 * "Sales".
 */
export function toRecordName(label: string, value: unknown, noun: string): string {
	const trimmed = toText(label, value ?? '');
	if (isVisible(trimmed)) return trimmed;
	throw emptyError(label, `Enter the name of the ${noun}.`);
}

function unfitFor(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
	if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`;
	// JSON.stringify would write {} for them.
	const [, tag] = /^\[object (Map|Set)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
	return tag && `a ${tag}`;
}

/**
 * Writes a value as JSON, without values that are `undefined`, as n8n stores an item.
 *
 * @returns no JSON when it cannot be written, with the reason if it is known
 */
export function writeJson(value: unknown): { json?: string; unfit?: string } {
	let unfit: string | undefined;
	try {
		// JSON.stringify would write null for NaN and Infinity, and leave out the others.
		const json = JSON.stringify(value, (_name, each: unknown) => {
			unfit ??= unfitFor(each);
			return unfit === undefined ? each : null;
		});
		return { json, unfit };
	} catch {
		return { unfit };
	}
}

/** The JSON in a block of code in Markdown, in which models and documents put it, maybe between sentences. */
export function withoutFence(text: string): string {
	const isJson = /^\s*["[{]/.test(text);
	const block = isJson ? '' : text.slice(text.indexOf(FENCE), text.lastIndexOf(FENCE));
	return block === '' ? text : block.slice(block.search(/["[{]/));
}

const FENCE = '```';

/** What is wrong with a text that is not JSON, as a sentence that names the place; undefined for JSON. */
export function jsonError(text: string): string | undefined {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		return `${unended((error as Error).message)}.`;
	}
}

/** `2026-11-20`, `2026-11-20T08:00`, optionally with seconds, and with `Z` or an offset. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Whether the calendar has a day, because JavaScript reads 30 February as 2 March. */
function isDay(day: string): boolean {
	const time = Date.parse(`${day}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Milliseconds since 1970; NaN for a value that is not a time. */
export function parseTime(value: unknown, timeZone: string): number {
	if (value instanceof Date) return value.getTime();
	// A DateTime of Luxon, from an expression such as {{ $now }}
	if (isRecord(value) && 'toMillis' in value) return Number(value);
	if (typeof value !== 'string') return NaN;
	const text = value.trim();
	const match = ISO.exec(text);
	if (match === null || !isDay(text.slice(0, 10))) return NaN;
	const iso = text.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
	if (match[1] !== undefined) return Date.parse(iso);
	if (Number.isNaN(Date.parse(iso))) return NaN;
	return tryToParseDateTime(iso, timeZone).toMillis();
}

/**
 * Converts a point in time to the service's format. A time without a zone, as n8n's date picker gives
 * it, is in the time zone of the workflow.
 *
 * @throws {ValidationError} for any other value, to which the service would respond with 500 (recorded)
 */
export function toUtc(label: string, value: unknown, timeZone: string): string {
	const time = parseTime(value, timeZone);
	if (!Number.isNaN(time)) return new Date(time).toISOString();
	throw validationError(
		`${capitalize(label)} must be a date, not ${describeValue(value)}`,
		`Change ${label}, for example to 2026-11-20T08:00:00Z.`,
	);
}
