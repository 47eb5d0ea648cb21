import { createExpiringMap } from '../../nodes/Activepieces/transport/expiringMap';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a value is known until it expires, and then takes no memory', () => {
	const map = createExpiringMap<string>(() => 1000);
	map.set('a', 'first');
	jest.advanceTimersByTime(600);
	map.set('b', 'second');
	expect([map.get('a'), map.get('b'), map.size]).toEqual(['first', 'second', 2]);
	jest.advanceTimersByTime(400);
	expect([map.get('a'), map.get('b'), map.size]).toEqual([undefined, 'second', 1]);
	map.delete('b');
	expect([map.get('b'), map.size]).toEqual([undefined, 0]);
});
