import { tryToParseDateTime } from 'n8n-workflow';

import { validationError } from '../transport/errors/error';
import { capitalize } from '../transport/text';
import { describeValue, isRecord } from '../transport/values';

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
