import { choice } from '../../descriptions/kinds';
import { isBlank, parseTime, writeJson } from '../../descriptions/parameters';
import { validationError } from '../../transport/errors/error';
import { withoutLast } from '../../transport/ids';
import { comparable, seenText } from '../../transport/names';
import { describeValue, shortName, someOf } from '../../transport/texts';
import { textOf } from '../../transport/values';

/* How texts write numbers and dates. The person says it, because 1.234 and 02.03.2026 do not. */

const OPTIONS = [
	['37,50 and 31.12.2026', 'commaDayFirst', 'Decimal comma, day first'],
	['37.50 and 12/31/2026', 'pointMonthFirst', 'Decimal point, month first'],
	['37.50 and 2026-12-31', 'iso', 'Decimal point, dates in ISO 8601'],
	['37.50 and 31/12/2026', 'pointDayFirst', 'Decimal point, day first'],
] as const;

type ValueFormat = (typeof OPTIONS)[number][1];

const VALUE_FORMATS = OPTIONS.map(([, value]) => value);

export const valueFormat = choice('Numbers and Dates', 'valueFormat', {
	options: OPTIONS,
	default: 'iso',
	description:
		'How texts for columns of numbers and dates are written. Others are refused. With a format of dates that is not ISO 8601, a number in a column of dates is a day of Excel, but 1900 to 2100 are refused as years.',
});

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Groups of three digits; the first one has no zero in front, which a decimal has: 0.125 */
const WITH_GROUPS = {
	',': /^[+-]?[1-9]\d{0,2}([. \u00a0\u202f])\d{3}(?:\1\d{3})*(?:,\d*)?$/,
	'.': /^[+-]?[1-9]\d{0,2}([,'\u2019 \u00a0\u202f])\d{3}(?:\1\d{3})*(?:\.\d*)?$/,
};

const DATE =
	/^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:,?\s+(\d{1,2})(:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:\s?(?:([ap])\.?m\.?|Uhr))?)?$/i;

/** Where the century is missing: `85` may be 1985 or 2085. Years before 30 are 20yy, as for Excel. */
const MISSING_CENTURY = /(?<=^\s*\d{1,2}[./-]\d{1,2}[./-])(?=[3-9]\d(?!\d))/;

/** `2026/10/31` is read alike in each country. */
const YEAR_FIRST = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/;

/** A currency, as banks and shops write it at either end of an amount: `R$`, `€`, `EUR`, `kr` */
const CURRENCY = /^(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}|kr|zł|Kč)$/u;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

const isCurrency = (text: string) =>
	CURRENCY.test(text) && (!/^[A-Z]{3}$/.test(text) || CURRENCIES.has(text));

/** `-9,99` of `-9,99 €`, `9,99-`, `−9,99` and `€ -9,99`; another text as it is. */
function withoutCurrency(text: string): string {
	const shown = text.replace('\u2212', '-');
	const from = shown.search(/[.,]?\d/);
	let to = shown.length;
	while (to > from && !/[\d.,]/.test(shown[to - 1])) to--;
	const affixes = [shown.slice(0, from), shown.slice(to)].map((each) => each.replace(/\s/g, ''));
	const signs = affixes.join('').replace(/[^+-]/g, '');
	const currencies = affixes.map((each) => each.replace(/[+-]/g, '')).filter(Boolean);
	// `5,-` is a price without cents.
	const isAmount =
		from >= 0 &&
		!/[.,]-/.test(shown) &&
		signs.length <= 1 &&
		currencies.length <= 1 &&
		currencies.every(isCurrency);
	return isAmount ? signs + shown.slice(from, to) : text;
}

/** A number as JavaScript and Activepieces write it; undefined for a text that is none in the format. */
function numberIn(format: ValueFormat, given: string): string | undefined {
	const text = format === 'iso' ? given.trim() : withoutCurrency(given.trim());
	const decimal = format === 'commaDayFirst' ? ',' : '.';
	const group = format === 'iso' ? undefined : WITH_GROUPS[decimal].exec(text)?.[1];
	// Otherwise a point would be the decimal one.
	if (group === undefined && decimal === ',' && text.includes('.')) return undefined;
	const number = (group === undefined ? text : text.replaceAll(group, '')).replace(decimal, '.');
	return NUMBER.test(number) ? number : undefined;
}

/** A day or a time in ISO 8601; a text that is none in the format as it is. */
function dateIn(format: ValueFormat, given: string): string {
	const isMonthFirst = format === 'pointMonthFirst';
	const text = given.trim().replace(YEAR_FIRST, isMonthFirst ? '$2/$3/$1' : '$3/$2/$1');
	const match = format === 'iso' ? null : DATE.exec(text);
	if (match === null || MISSING_CENTURY.test(text)) return given;
	const [, first, separator, second, years, hour, minutes, half] = match;
	const year = years.length === 2 ? `20${years}` : years;
	// Points separate the day from the month after it.
	if (isMonthFirst && separator === '.') return given;
	const two = (part: number | string) => String(part).padStart(2, '0');
	const [month, day] = isMonthFirst ? [first, second] : [second, first];
	const date = `${year}-${two(month)}-${two(day)}`;
	if (hour === undefined) return date;
	if (half === undefined) return `${date}T${two(hour)}${minutes}`;
	if (Number(hour) < 1 || Number(hour) > 12) return given;
	return `${date}T${two((Number(hour) % 12) + (/p/i.test(half) ? 12 : 0))}${minutes}`;
}

/** ` like 37,50`: how a format that a person has chosen writes a number or a date, for messages. */
function exampleIn(format: ValueFormat, part: 0 | 1): string {
	const [name] = OPTIONS.find(([, value]) => value === format)!;
	return format === 'iso' ? '' : ` like ${name.split(' and ')[part]}`;
}

export interface ColumnKind {
	name: string;
	type: string;
	options: string[];
}

/** The number that a value is or says; NaN for anything else. */
export const toNumber = (value: unknown): number => Number(numberIn('iso', textOf(value)) ?? NaN);

/** DATETIME since 0.87 (read in the service's source). */
export const holdsTimes = ({ type }: ColumnKind) => type === 'DATE' || type === 'DATETIME';

const holdsText = (column: ColumnKind) =>
	!holdsTimes(column) && column.type !== 'NUMBER' && column.type !== 'STATIC_DROPDOWN';

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
function meaningOf(column: ColumnKind, value: unknown, timezone: string): string {
	const text = textOf(value);
	const number = column.type === 'NUMBER' ? numberIn('iso', text) : undefined;
	if (number !== undefined) {
		const digits = digitsOf(number);
		// Zero has no sign.
		return number.startsWith('-') && digits !== '0' ? `-${digits}` : digits;
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

/** How the values of an item are read, and where a person corrects them. */
export interface ValueReading {
	format: ValueFormat;
	timezone: string;
	/** `Correct it in the input item` */
	correct: string;
}

const refused = ({ name }: ColumnKind, expected: string, value: unknown, advice: string) =>
	validationError(
		`The column "${shortName(name)}" must be ${expected}, not ${describeValue(value)}`,
		advice,
	);

/** Below are times of day, and the days before March 1900, which Excel counts with one that did not exist. */
const FIRST_DAY_OF_EXCEL = 61;
/** Excel counts the days up to 9999-12-31; milliseconds since 1970 are more. */
const DAYS_OF_EXCEL = 2_958_466;
const DAYS_UNTIL_1970 = 25_569;
const SECONDS_PER_DAY = 24 * 60 * 60;

/** More often than the day of 1905 that the number is for Excel. */
const isYear = (value: number) => Number.isInteger(value) && value >= 1900 && value <= 2100;

/** The day, or the time without a zone, that Excel has as a number of days, as n8n reads it from a file. */
function dayOfExcel(value: unknown): string | undefined {
	if (typeof value !== 'number' || isYear(value)) return undefined;
	if (!(value >= FIRST_DAY_OF_EXCEL && value < DAYS_OF_EXCEL)) return undefined;
	const seconds = Math.round((value - DAYS_UNTIL_1970) * SECONDS_PER_DAY);
	const isWholeDay = seconds % SECONDS_PER_DAY === 0;
	return new Date(seconds * 1000).toISOString().slice(0, isWholeDay ? 10 : 19);
}

/** What helps with a value that is no number or date in the format; empty if nothing is known. */
function formatAdvice(
	value: unknown,
	isReadIn: (format: ValueFormat, text: string) => boolean,
): string {
	const isReadInOther =
		typeof value === 'string' && VALUE_FORMATS.some((format) => isReadIn(format, value));
	return isReadInOther
		? `If it is written in another format, set the option ${valueFormat.label}. `
		: '';
}

/** A number that is no text is in the format of JavaScript. */
function toNumberText(column: ColumnKind, value: unknown, json: string, reading: ValueReading) {
	const { correct, format } = reading;
	const number = numberIn(typeof value === 'string' ? format : 'iso', json);
	if (number !== undefined) return number;
	const advice = formatAdvice(value, (...other) => numberIn(...other) !== undefined);
	throw refused(column, `a number${exampleIn(format, 0)}`, value, `${advice}${correct}.`);
}

function timeAdvice(value: unknown, timezone: string, format: ValueFormat): string {
	const isReadIn = (other: ValueFormat, written: string) =>
		!Number.isNaN(parseTime(dateIn(other, written), timezone));
	const full = typeof value === 'string' ? value.replace(MISSING_CENTURY, '20') : '';
	if (full === value || !VALUE_FORMATS.some((other) => isReadIn(other, full))) {
		return formatAdvice(value, isReadIn);
	}
	const ofFormat = isReadIn(format, full) ? '' : formatAdvice(full, isReadIn);
	return `${ofFormat}Write the year with four digits: 30 to 99 may be 19yy or 20yy. `;
}

function toTimeText(column: ColumnKind, value: unknown, json: string, reading: ValueReading) {
	const { correct, format, timezone } = reading;
	const day = dayOfExcel(value);
	const given = day !== undefined && format !== 'iso' ? day : value;
	const text = typeof given === 'string' ? dateIn(format, given) : json;
	const time = parseTime(typeof given === 'string' ? text : given, timezone);
	// A day has no time zone.
	if (column.type === 'DATE' && !Number.isNaN(time) && isDay(text)) return text.trim();
	if (!Number.isNaN(time)) return new Date(time).toISOString();
	const advice =
		day === undefined
			? `${timeAdvice(value, timezone, format)}${correct}, for example to 2026-11-20T08:00:00Z.`
			: `n8n reads a date of an Excel file as a number of days. To store it as a date, set the option ${valueFormat.label} to the format of the file, such as ${OPTIONS[0][0]}.`;
	throw refused(column, `a date${exampleIn(format, 1)}`, value, advice);
}

/**
 * The option that a value means: the same text, or else the only one that looks alike. Sheets write a boolean in any
 * letter case.
 */
export function dropdownOptionFor(
	column: ColumnKind,
	value: unknown,
	text: string,
	{ correct }: Pick<ValueReading, 'correct'>,
): string {
	const { options } = column;
	if (options.includes(text)) return text;
	const [read, difference] =
		typeof value === 'boolean' ? [comparable, 'letter case'] : [seenText, 'blanks'];
	const alike = options.filter((option) => read(option) === read(text));
	if (alike.length === 1) return alike[0];
	const names = options.map((option) => `"${shortName(option)}"`);
	const several = alike.length === 0 ? '' : `, of which several differ only in ${difference}`;
	throw refused(column, `one of ${someOf(names, 'or one of ')}${several}`, value, `${correct}.`);
}

/**
 * Converts a value to the text that the service stores: 0.79 refuses anything else, and 0.85 stores
 * `[object Object]` (recorded). The service checks no value against the type of its column (recorded).
 */
export function toCellText(column: ColumnKind, value: unknown, reading: ValueReading): string {
	const { type, options } = column;
	if (value === null || value === '') return '';
	// Blanks are text, and may be an option.
	const isBlankText = typeof value === 'string' && isBlank(value) && !options.includes(value);
	if (isBlankText && !holdsText(column)) return '';
	const { json: written, unfit } = typeof value === 'string' ? { json: value } : writeJson(value);
	// A Date is a text in JSON.
	const json =
		typeof value !== 'string' && written?.startsWith('"') ? textOf(JSON.parse(written)) : written;
	const wrong = (expected: string) => refused(column, expected, value, `${reading.correct}.`);
	if (json === undefined || unfit !== undefined) throw wrong('a value that JSON can hold');
	if (holdsTimes(column)) return toTimeText(column, value, json, reading);
	if (type === 'NUMBER') return toNumberText(column, value, json, reading);
	if (type === 'STATIC_DROPDOWN') return dropdownOptionFor(column, value, json, reading);
	if (json.includes('\0')) throw wrong('text without the NUL character');
	// Half an emoji is not UTF-8, so the service would store another character.
	return json.toWellFormed();
}
