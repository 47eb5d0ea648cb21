import { sizeOf } from '../../nodes/Activepieces/transport/values';

const LONG = 'x'.repeat(1000);

test.each<[string, unknown, unknown]>([
	['a text', { a: LONG }, { a: '' }],
	['a name', { [LONG]: 1 }, { a: 1 }],
	['a text in a list', { a: [LONG] }, { a: [''] }],
	['a name within a record', { a: { [LONG]: 1 } }, { a: { a: 1 } }],
	['a hundred values', { a: Array<number>(100).fill(1) }, { a: [] }],
])('%s counts', (_name, large, small) => {
	expect(sizeOf(large)).toBeGreaterThan(sizeOf(small) + 900);
});

test('a record may be nested to any depth', () => {
	let nested: unknown = LONG;
	for (let depth = 0; depth < 100_000; depth++) nested = [nested];
	expect(sizeOf(nested)).toBeGreaterThan(100_000);
});
