import { toUtc } from '../../nodes/Activepieces/descriptions/filters';

const utc = (value: unknown, timeZone = 'Europe/Berlin') => toUtc('Created After', value, timeZone);

test.each([
	['2026-11-20T08:15:30.250Z', '2026-11-20T08:15:30.250Z'],
	['2026-11-20T08:15:30+02:00', '2026-11-20T06:15:30.000Z'],
	['2026-11-20T08:15:30-0530', '2026-11-20T13:45:30.000Z'],
	[' 2026-11-20T08:15Z ', '2026-11-20T08:15:00.000Z'],
	[new Date('2026-11-20T08:15:30Z'), '2026-11-20T08:15:30.000Z'],
	// Without a zone, in that of the workflow.
	['2026-11-20T08:00:00', '2026-11-20T07:00:00.000Z'],
	['2026-07-20 08:00', '2026-07-20T06:00:00.000Z'],
	['2026-11-20', '2026-11-19T23:00:00.000Z'],
	// The clocks of Berlin went from 2:00 to 3:00, and later from 3:00 back to 2:00.
	['2026-03-29T01:59:59', '2026-03-29T00:59:59.000Z'],
	['2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
	['2026-10-25T01:59:59', '2026-10-24T23:59:59.000Z'],
	['2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
	// In other zones, and of any year.
	['2026-01-01', '2025-12-31T10:00:00.000Z', 'Pacific/Kiritimati'],
	['2026-01-01T00:00:00.5', '2026-01-01T00:00:00.500Z', 'UTC'],
	['2028-02-29', '2028-02-29T00:00:00.000Z', 'UTC'],
	['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
	['0050-01-01T00:00:00', '0050-01-01T00:00:00.000Z', 'UTC'],
])('%s is the time %s', (value, wanted, ...zone: string[]) => {
	expect(utc(value, ...zone)).toBe(wanted);
});

const NO_TIMES =
	'yesterday 2026 20.11.2026 2026-13-01 2026-02-30 2026-02-29 2026-02-29T08:00 2026-02-30T08:00:00Z ' +
	'2026-04-31T08:00:00+02:00 2026-00-10 2026-01-00 2026-11-20T08:60 2026-11-20T08:00:61Z ' +
	'2026-11-20T25:00:00Z 2026-11-20T25:00';
const ODD = [Symbol('x'), { toString: 1 }, Object.create(null), {}, 7, new Date('x')];
test.each([...NO_TIMES.split(' '), '9'.repeat(2_000_000), ...ODD])(
	'%p is refused as a time',
	(value) => {
		expect(() => utc(value)).toThrow('Created After must be a date');
	},
);

test('a year before 100 has the local time of its zone', () => {
	expect(utc('0050-06-01', 'Asia/Tokyo')).toMatch(/^0050-05-31T14:/);
});

test('an unknown time zone is named', () => {
	expect(() => utc('2026-11-20', 'Mars/Base')).toThrow('"Mars/Base" is not valid');
});
