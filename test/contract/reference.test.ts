import { parse } from 'yaml';

import { reference } from '../docs/reference';
import { read } from '../engine/harness/environment';
import { requestUrls, useService } from '../engine/harness/service';
import { type Case, cases } from '../operations';

const lines = (text: string) => text.split('\n').map((line) => line.trim());

const section = read('docs/verification.md').split(/<!-- (?:begin|end) reference -->/)[1];

/** The endpoints that no operation covers. */
const rows = lines(section)
	.filter((line) => line.startsWith('| `'))
	.map((line) => {
		const [endpoint, note, call] = line.slice(2, -2).split(' | ');
		return { endpoint: endpoint.slice(1, -1), note, call };
	});

/** The endpoints of an operation that the reference has. */
const inReference = ({ operation: { endpoint } }: Case) =>
	[endpoint.path, endpoint.otherPath?.path]
		.map((path) => `${endpoint.method} ${path}`)
		.filter((endpoint) => reference.includes(endpoint));

/** The operations with the endpoints that they cover. */
const covering = cases.flatMap((each) =>
	inReference(each).map((endpoint) => ({ each, title: each.title, endpoint })),
);
const covered = new Set(covering.map(({ endpoint }) => endpoint));

test('the list has the endpoints of the reference, each once', () => {
	expect(reference).toHaveLength(41);
	expect(new Set(reference).size).toBe(reference.length);
	const unlike = reference.filter((each) => !/^(GET|POST|DELETE) \/v1\/[^ ]+[^/ ]$/.test(each));
	expect(unlike).toEqual([]);
});

test('the table has a row for each endpoint that no operation covers, in the order of the reference, and no other', () => {
	expect(rows.map(({ endpoint }) => endpoint)).toEqual(
		reference.filter((endpoint) => !covered.has(endpoint)),
	);
});

test('the calls of each operation name the endpoints of the reference that it covers', () => {
	const calls = read('docs/verification.md').split(/<!-- (?:begin|end) operations -->/)[1];
	for (const { title, endpoint } of covering) {
		const own = lines(calls)
			.find((line) => line.startsWith(`- ${title}: `))!
			.split(/: |\. /)[1];
		expect(own.split(' or ')).toContain(`\`${endpoint}\``);
	}
});

test('an endpoint that no operation covers has a reason, and what to send instead', () => {
	for (const { endpoint, note, call } of rows) {
		expect(`${endpoint}: ${note}`).toMatch(/: .{40}/);
		expect(`${endpoint}: ${call}`).toMatch(/: (No body|(Body|Query): `\w+`.*)$/);
	}
	expect([covered.size, rows.length]).toEqual([35, 6]);
});

test('the sentence above the table has its numbers', () => {
	const [all, others, beyond] = [...section.matchAll(/\d+/g)].map(([number]) => Number(number));
	expect([all, others]).toEqual([reference.length, rows.length]);
	expect(beyond).toBe(cases.filter((each) => inReference(each).length === 0).length);
});

test('the contract has each covered endpoint, or the path of another release', () => {
	const { paths } = parse(read('test/contract/openapi.yaml')) as {
		paths: Record<string, Record<string, { operationId: string; 'x-operations'?: string[] }>>;
	};
	for (const { each, endpoint } of covering) {
		const { method, path, otherPath } = each.operation.endpoint;
		const described = paths[path][method.toLowerCase()];
		expect(described['x-operations'] ?? [described.operationId]).toContain(each.pair);
		expect([path, otherPath?.path].map((one) => `${method} ${one}`)).toContain(endpoint);
	}
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
