import { parse } from 'yaml';

import { reference } from '../docs/reference';
import { read } from '../engine/harness/environment';
import { requestUrls, useService } from '../engine/harness/service';
import { type Case, cases } from '../operations';

const lines = (text: string) => text.split('\n').map((line) => line.trim());

const section = read('docs/verification.md').split(/<!-- (?:begin|end) reference -->/)[1];

const rows = lines(section)
	.filter((line) => line.startsWith('| `'))
	.map((line) => {
		const [endpoint, titles, note, call] = line.slice(2, -2).split(' | ');
		const names = titles === '–' ? [] : titles.split(', ');
		return { endpoint: endpoint.slice(1, -1), names, note, call };
	});
const covered = rows.filter(({ names }) => names.length > 0);
const others = rows.filter(({ names }) => names.length === 0);

/** The endpoints of an operation that the reference has. */
const inReference = ({ operation: { endpoint } }: Case) =>
	[endpoint.path, endpoint.otherPath?.path]
		.map((path) => `${endpoint.method} ${path}`)
		.filter((endpoint) => reference.includes(endpoint));

test('the list has the endpoints of the reference, each once', () => {
	expect(reference).toHaveLength(41);
	expect(new Set(reference).size).toBe(reference.length);
	const unlike = reference.filter((each) => !/^(GET|POST|DELETE) \/v1\/[^ ]+[^/ ]$/.test(each));
	expect(unlike).toEqual([]);
});

test('the table has a row for each endpoint of the reference, in its order, and no other', () => {
	expect(rows.map(({ endpoint }) => endpoint)).toEqual(reference);
});

test('the row of an endpoint names all operations that have it', () => {
	const expected = cases.flatMap((each) =>
		inReference(each).map((endpoint) => `${endpoint}: ${each.title}`),
	);
	const named = covered.flatMap(({ endpoint, names }) =>
		names.map((name) => `${endpoint}: ${name}`),
	);
	expect(named.sort()).toEqual(expected.sort());
});

test('an endpoint that no operation covers has a reason, and what to send instead', () => {
	for (const { endpoint, note, call } of others) {
		expect(`${endpoint}: ${note}`).toMatch(/: .{40}/);
		expect(`${endpoint}: ${call}`).toMatch(/: (No body|(Body|Query): `\w+`.*)$/);
	}
	expect([covered.length, others.length]).toEqual([35, 6]);
});

test('the sentence above the table has its numbers', () => {
	const [all, ofNode, beyond] = [...section.matchAll(/\d+/g)].map(([number]) => Number(number));
	expect([all, ofNode]).toEqual([reference.length, covered.length]);
	expect(beyond).toBe(cases.filter((each) => inReference(each).length === 0).length);
});

test('the contract has each covered endpoint, or the path of another release', () => {
	const { paths } = parse(read('test/contract/openapi.yaml')) as {
		paths: Record<string, Record<string, { operationId: string; 'x-operations'?: string[] }>>;
	};
	for (const { endpoint, names } of covered) {
		for (const { operation, pair } of cases.filter(({ title }) => names.includes(title))) {
			const { method, path, otherPath } = operation.endpoint;
			const described = paths[path][method.toLowerCase()];
			expect(described['x-operations'] ?? [described.operationId]).toContain(pair);
			expect([path, otherPath?.path].map((each) => `${method} ${each}`)).toContain(endpoint);
		}
	}
});

describe('on the newest release', () => {
	const bench = useService({ release: '0.86', data: { flows: 20, flowRuns: 30 } });

	// In the order of the operations, of which those that delete come last.
	const sent = cases.flatMap((each) =>
		covered
			.filter(({ names }) => names.includes(each.title))
			.map(({ endpoint }) => ({ each, title: each.title, endpoint })),
	);

	test.each(sent)('$title sends $endpoint', async ({ each, endpoint }) => {
		await bench.run(each.parameters(bench.data));
		const [method, path] = endpoint.split(' ');
		const pattern = new RegExp(`^${method} ${path.replace('{id}', '[^/?]+')}(\\?|$)`);
		expect(requestUrls(bench).filter((request) => pattern.test(request))).not.toEqual([]);
	});
});
