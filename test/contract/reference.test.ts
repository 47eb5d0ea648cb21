import { requestUrls, useService } from '../engine/harness/service';
import { cases } from '../operations';
import { coverage, reference } from '../tools/docs/reference';

/** The operations with the endpoints of the reference that they cover. */
const covering = cases.flatMap((each) =>
	[each.operation.endpoint.path, each.operation.endpoint.otherPath?.path]
		.map((path) => `${each.operation.endpoint.method} ${path}`)
		.filter((path) => reference.includes(path))
		.map((path) => ({ each, title: each.title, endpoint: path })),
);

test('the list has the endpoints of the reference, each once', () => {
	expect(reference).toHaveLength(41);
	expect(new Set(reference).size).toBe(reference.length);
	const unlike = reference.filter((each) => !/^(GET|POST|DELETE) \/v1\/[^ ]+[^/ ]$/.test(each));
	expect(unlike).toEqual([]);
});

// `test/engine/schemas.test.ts` compares the documents with these rows, which are those of all other endpoints.
test('an endpoint that no operation covers has a reason, and what to send instead', () => {
	const { rows } = coverage(cases);
	for (const [endpoint, note, call] of rows) {
		expect(`${endpoint}: ${note}`).toMatch(/: .{40}/);
		expect(`${endpoint}: ${call}`).toMatch(/: (No body|(Body|Query): `\w+`.*)$/);
	}
	expect([new Set(covering.map(({ endpoint }) => endpoint)).size, rows.length]).toEqual([35, 6]);
});

describe('on the newest release', () => {
	const bench = useService({ release: '0.86', data: { flows: 20, flowRuns: 30 } });

	test.each(covering)('$title sends $endpoint', async ({ each, endpoint }) => {
		await bench.records(each.parameters(bench.data));
		const [method, path] = endpoint.split(' ');
		const pattern = new RegExp(`^${method} ${path.replace('{id}', '[^/?]+')}(\\?|$)`);
		expect(requestUrls(bench).filter((request) => pattern.test(request))).not.toEqual([]);
	});
});
