import { validationError } from '../transport/errors/activepiecesError';
import { describeValue } from '../transport/values/describeValue';

/** `2026-11-20`, `2026-11-20T08:00`, optionally with seconds, and with `Z` or an offset. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Formats times as the clocks of a time zone show them. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
	try {
		return new Intl.DateTimeFormat('en-US', {
			timeZone,
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
	} catch {
		throw validationError(
			`The workflow timezone ${describeValue(timeZone)} is not valid`,
			'Change Timezone in the workflow settings.',
		);
	}
}

/** The offset of a time zone from UTC at a point in time, in milliseconds. */
function zoneOffset(time: number, timeZone: string): number {
	const parts = clockOf(timeZone).formatToParts(time);
	const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
	// Date.UTC reads the year 50 as 1950.
	const day = new Date(0).setUTCFullYear(part('year'), part('month') - 1, part('day'));
	const shown = new Date(day).setUTCHours(part('hour'), part('minute'), part('second'));
	return shown - Math.floor(time / 1000) * 1000;
}

/** The point in time at which the clocks of a zone show what UTC clocks show at `shown`. */
function fromZone(shown: number, timeZone: string): number {
	const guess = shown - zoneOffset(shown, timeZone);
	// The offset may differ from that of the first guess near a clock change.
	return shown - zoneOffset(guess, timeZone);
}

/** Whether the calendar has a day, because JavaScript reads 30 February as 2 March. */
function isDay(day: string): boolean {
	const time = Date.parse(`${day}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Milliseconds since 1970; NaN for a value that is not a time. */
function parseTime(value: unknown, timeZone: string): number {
	if (value instanceof Date) return value.getTime();
	if (typeof value !== 'string') return NaN;
	const text = value.trim();
	const match = ISO.exec(text);
	if (match === null || !isDay(text.slice(0, 10))) return NaN;
	const iso = text.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
	if (match[1] !== undefined) return Date.parse(iso);
	const shown = Date.parse(iso.includes('T') ? `${iso}Z` : iso);
	return Number.isNaN(shown) ? NaN : fromZone(shown, timeZone);
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
		`${label} must be a date, not ${describeValue(value)}`,
		`Change ${label}, for example to 2026-11-20T08:00:00Z.`,
	);
}
