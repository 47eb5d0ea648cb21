import { toTime } from '../../../nodes/Activepieces/trigger/serviceTime';

test.each([
	['2026-11-21T20:00:00.000Z', Date.UTC(2026, 10, 21, 20)],
	[1_795_000_000_000, 1_795_000_000_000],
	['1969-12-31T23:59:59.000Z', 0],
	['soon', 0],
	['', 0],
	[null, 0],
	[undefined, 0],
	[{}, 0],
])('%j is the time %d', (value, time) => {
	expect(toTime(value)).toBe(time);
});
