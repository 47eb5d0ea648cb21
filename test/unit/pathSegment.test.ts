import * as fc from 'fast-check';

import { pathSegment } from '../../nodes/Activepieces/transport/pathSegment';

const hostile = fc.constantFrom(
	'../users/x',
	'..\\users',
	'%2e%2e/',
	'//evil.example/',
	'a/../b',
	'?a=b',
	'#x',
	'@host',
	':80',
	'\u2025',
	'\u0000',
	'\ud800',
);
const ids = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary' }),
	fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', ' ') }),
	fc.tuple(fc.string(), hostile, fc.string()).map((parts) => parts.join('')),
);

test('any id is one path segment of the same route, or refused', () => {
	fc.assert(
		fc.property(ids, (id) => {
			const result = pathSegment(id);
			if ('invalid' in result) {
				const text = id.trim();
				expect(text === '' || text === '.' || text === '..' || /\p{Surrogate}/u.test(text)).toBe(
					true,
				);
				return;
			}
			const url = new URL(`https://host.example/api/v1/folders/${result.segment}`);
			expect(url.host).toBe('host.example');
			expect(url.search + url.hash).toBe('');
			const segments = url.pathname.split('/');
			expect(segments.slice(0, 4)).toEqual(['', 'api', 'v1', 'folders']);
			expect(segments).toHaveLength(5);
			expect(decodeURIComponent(segments[4])).toBe(id.trim());
		}),
		{ numRuns: 5_000 },
	);
});

test.each([undefined, null, {}, [], true, Symbol('x')])('%p is no id', (value) => {
	expect(pathSegment(value)).toEqual({ invalid: 'is empty' });
});

test('a number is an id', () => {
	expect(pathSegment(42)).toEqual({ segment: '42' });
});
