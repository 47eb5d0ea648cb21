import * as fc from 'fast-check';

import { describeValue } from '../../nodes/Activepieces/transport/values';

test.each([
	['a text', '"a text"'],
	['', '""'],
	['x'.repeat(101), 'a string of 101 characters'],
	[0, '0'],
	[NaN, 'NaN'],
	[true, 'true'],
	[null, 'null'],
	[undefined, 'undefined'],
	[['a'], 'a list'],
	[{ toString: 1 }, 'an object'],
	[{ toString: null }, 'an object'],
	[Object.create(null), 'an object'],
	[Symbol('x'), 'a symbol'],
	[10n ** 5_000n, 'a bigint'],
	[() => 1, 'a function'],
	[new Date(NaN), 'an object'],
])('%p is described as %s', (value, words) => {
	expect(describeValue(value)).toBe(words);
});

test('a proxy that throws for everything, and a revoked one, are objects', () => {
	const refuse = () => {
		throw new Error('no');
	};
	const hostile = new Proxy({}, { get: refuse, ownKeys: refuse });
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();
	for (const each of [hostile, new Proxy(hostile, {}), proxy]) {
		expect(describeValue(each)).toBe('an object');
	}
});

test('any value has a short description', () => {
	fc.assert(
		fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
			expect(describeValue(value).length).toBeLessThan(110);
		}),
	);
});
