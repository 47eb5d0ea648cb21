import { parseTime, toUtc } from '../../descriptions/times';
import { writeJson } from '../../descriptions/json';
import { validationError } from '../../transport/errors/error';
import { seenText, shortName, someOf, withoutLast } from '../../transport/text';
import { describeValue, textOf } from '../../transport/values';

export interface ColumnKind {
	name: string;
	type: string;
	options: string[];
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a value is or says; NaN for anything else. */
export function toNumber(value: unknown): number {
	const text = textOf(value).trim();
	return NUMBER.test(text) ? Number(text) : NaN;
}

/** DATETIME since 0.87 (read in the service's source). */
export const holdsTimes = ({ type }: ColumnKind) => type === 'DATE' || type === 'DATETIME';

/** The digits of a number without zeros around them, and their power of ten: `12.50` and `1.25e1` are `125e-1`. */
function digitsOf(text: string): string {
	const [decimal, power = '0'] = text.toLowerCase().split('e');
	const [whole, fraction = ''] = decimal.split('.');
	const digits = withoutLast(whole + fraction, '0');
	const significant = digits.replace(/^[+-]?0*/, '');
	return significant === ''
		? '0'
		: `${significant}e${Number(power) + whole.length - digits.length}`;
}

/**
 * The value of a cell in the output. A number column has a number where JavaScript keeps each digit of the
 * text: not of an ID with 20 digits, nor of a code such as `007`. The service itself takes any text.
 */
export function fromCellText({ type }: ColumnKind, value: unknown) {
	if (type !== 'NUMBER' || typeof value !== 'string') return value ?? null;
	const text = value.trim();
	const number = toNumber(text);
	const isExact =
		Number.isFinite(number) && !/^[+-]?0\d/.test(text) && digitsOf(text) === digitsOf(`${number}`);
	// Not -0
	return isExact ? number || 0 : value;
}

/**
 * What is the same for the texts of a cell that mean the same: `12.50` and `12.5`, a time in two notations, or a day and
 * its first moment, as which the web app of Activepieces stores it (read in its source).
 */
export function meaningOf(column: ColumnKind, value: unknown, timezone: string): string {
	const text = textOf(value);
	const number = text.trim();
	if (column.type === 'NUMBER' && NUMBER.test(number)) {
		return (number.startsWith('-') ? '-' : '') + digitsOf(number);
	}
	const time = holdsTimes(column) ? parseTime(text, timezone) : NaN;
	return Number.isNaN(time) ? text : String(time);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What is the same for values that find the same record. In a column of days, midnight in UTC, as databases give a day,
 * is that day as well.
 */
export function matchKeyOf(column: ColumnKind, value: unknown, timezone: string): string {
	const meaning = meaningOf(column, value, timezone);
	const time = column.type === 'DATE' ? parseTime(textOf(value), 'UTC') : NaN;
	if (time % DAY_MS !== 0) return meaning;
	return meaningOf(column, new Date(time).toISOString().slice(0, 10), timezone);
}

const isDay = (text: string): boolean => /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text);

/** Whether a new value changes a cell. A time in place of its day does: Activepieces shows the day before, west of UTC. */
export const differsInMeaning = (
	column: ColumnKind,
	value: string,
	stored: string,
	timezone: string,
): boolean =>
	meaningOf(column, value, timezone) !== meaningOf(column, stored, timezone) ||
	// A code such as 007 is not 7.
	(column.type === 'NUMBER' && fromCellText(column, value) !== fromCellText(column, stored)) ||
	(column.type === 'DATE' && isDay(stored) && !isDay(value));

function refused({ name }: ColumnKind, expected: string, value: unknown) {
	return validationError(
		`The column "${shortName(name)}" must be ${expected}, not ${describeValue(value)}`,
		'Correct it in the input item, or under Values to Send.',
	);
}

/** The option that a text means: the same one, or else the only one that looks alike. */
function dropdownOptionFor(column: ColumnKind, text: string): string {
	const { options } = column;
	if (options.includes(text)) return text;
	const alike = options.filter((option) => seenText(option) === seenText(text));
	if (alike.length === 1) return alike[0];
	const names = options.map((option) => `"${shortName(option)}"`);
	const expected = `one of ${someOf(names, 'or one of ')}`;
	throw alike.length === 0
		? refused(column, expected, text)
		: refused(column, `${expected}, of which several differ only in blanks`, text);
}

/**
 * Converts a value to the text that the service stores: 0.79 refuses anything else, and 0.85 stores
 * `[object Object]` (recorded). The service checks no value against the type of its column (recorded).
 */
export function toCellText(column: ColumnKind, value: unknown, timezone: string): string {
	const { name, type } = column;
	if (value === null || value === '') return '';
	const { json: written, unfit } = typeof value === 'string' ? { json: value } : writeJson(value);
	// A Date is a text in JSON.
	const json =
		typeof value !== 'string' && written?.startsWith('"') ? textOf(JSON.parse(written)) : written;
	if (json === undefined || unfit !== undefined) {
		throw refused(column, 'a value that JSON can hold', value);
	}
	if (holdsTimes(column)) {
		const utc = toUtc(`the column "${shortName(name)}"`, value, timezone);
		// A day has no time zone.
		return type === 'DATE' && isDay(json) ? json.trim() : utc;
	}
	if (type === 'NUMBER') {
		if (!Number.isNaN(toNumber(json))) return json.trim();
		throw refused(column, 'a number', value);
	}
	if (type === 'STATIC_DROPDOWN') return dropdownOptionFor(column, json);
	if (json.includes('\0')) throw refused(column, 'text without the NUL character', value);
	// Half an emoji is not UTF-8, so the service would store another character.
	return json.toWellFormed();
}
