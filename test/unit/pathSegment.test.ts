import * as fc from 'fast-check';

import { cleanInput } from '../../nodes/Activepieces/transport/text';
import { pathSegment } from '../../nodes/Activepieces/transport/values';

const hostile = fc.constantFrom(
	...'../users/x ..\\users %2e%2e/ //evil.example/ a/../b ?a=b #x @host :80'.split(' '),
	...'\u2025\u0000\ud800',
);
const ids = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary' }),
	fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', ' ') }),
	fc.tuple(fc.string(), hostile, fc.string()).map((parts) => parts.join('')),
);

test('any ID is one path segment of the same route, or refused', () => {
	fc.assert(
		fc.property(ids, (id) => {
			const result = pathSegment(id);
			if ('invalid' in result) {
				expect(cleanInput(id)).toMatch(/^(|\.|\.\.|null|undefined|NaN)$|\p{Surrogate}/u);
				return;
			}
			const url = new URL(`https://host.example/api/v1/folders/${result.segment}`);
			const [, segment] =
				/^https:\/\/host\.example\/api\/v1\/folders\/([^/?#]+)$/.exec(url.href) ?? [];
			expect(decodeURIComponent(segment)).toBe(cleanInput(id));
		}),
		{ numRuns: 2_000 },
	);
});

test.each([undefined, null, '', ' \u2060\u00ad\u200b\ufeff\n'])('%p is an empty ID', (value) => {
	expect(pathSegment(value)).toEqual({ invalid: 'is empty' });
});

const TEXTS = ['undefined', 'null', 'NaN', '[object Object]', 'x'.repeat(1001)];
const OBJECTS = [{}, [], ['a'], { toString: 1 }, Object.create(null)];
const OTHERS = [true, Symbol('x'), 10n, NaN, Infinity, 1.5, 1e21];
test.each([...TEXTS, ...OBJECTS, ...OTHERS])('%p must be an ID', (value) => {
	expect(pathSegment(value)).toEqual({ invalid: 'is not an ID' });
});

test.each([
	[42, '42'],
	[0, '0'],
	[' a\u200bb\u00adc\u2060\ufeff ', 'abc'],
])('%j is the ID %s, without invisible characters', (value, segment) => {
	expect(pathSegment(value)).toEqual({ segment });
});
