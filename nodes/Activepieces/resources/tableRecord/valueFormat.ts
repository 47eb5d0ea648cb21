import { choices, optionsField } from '../../descriptions/fields';

/* How texts write numbers and dates. The person says it, because 1.234 and 02.03.2026 do not. */

const OPTIONS = choices(
	['37,50 and 31.12.2026', 'commaDayFirst', 'Decimal comma, day first'],
	['37.50 and 12/31/2026', 'pointMonthFirst', 'Decimal point, month first'],
	['37.50 and 2026-12-31', 'iso', 'Decimal point, dates in ISO 8601'],
	['37.50 and 31/12/2026', 'pointDayFirst', 'Decimal point, day first'],
);

export type ValueFormat = (typeof OPTIONS)[number]['value'];

export const VALUE_FORMATS = OPTIONS.map(({ value }) => value);

export const valueFormat = optionsField('Numbers and Dates', 'valueFormat', {
	options: OPTIONS,
	default: 'iso',
	description: 'How texts for columns of numbers and dates are written. Others are refused.',
});

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Groups of three digits; the first one has no zero in front, which a decimal has: 0.125 */
const WITH_GROUPS = {
	',': /^[+-]?[1-9]\d{0,2}([. \u00a0\u202f])\d{3}(?:\1\d{3})*(?:,\d*)?$/,
	'.': /^[+-]?[1-9]\d{0,2}([,'\u2019 \u00a0\u202f])\d{3}(?:\1\d{3})*(?:\.\d*)?$/,
};

const DATE =
	/^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,?\s+(\d{1,2})(:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:\s?([ap])\.?m\.?)?)?$/i;

/** A number as JavaScript and Activepieces write it; undefined for a text that is none in the format. */
export function numberIn(format: ValueFormat, given: string): string | undefined {
	const text = given.trim();
	const decimal = format === 'commaDayFirst' ? ',' : '.';
	const group = format === 'iso' ? undefined : WITH_GROUPS[decimal].exec(text)?.[1];
	// Otherwise a point would be the decimal one.
	if (group === undefined && decimal === ',' && text.includes('.')) return undefined;
	const number = (group === undefined ? text : text.replaceAll(group, '')).replace(decimal, '.');
	return NUMBER.test(number) ? number : undefined;
}

/** A day or a time in ISO 8601; a text that is none in the format as it is. */
export function dateIn(format: ValueFormat, given: string): string {
	const match = format === 'iso' ? null : DATE.exec(given.trim());
	if (match === null) return given;
	const [, first, separator, second, year, hour, minutes, half] = match;
	const isMonthFirst = format === 'pointMonthFirst';
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
export function exampleIn(format: ValueFormat, part: 0 | 1): string {
	const { name } = OPTIONS.find(({ value }) => value === format)!;
	return format === 'iso' ? '' : ` like ${name.split(' and ')[part]}`;
}
