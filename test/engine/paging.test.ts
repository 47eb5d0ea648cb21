import * as fc from 'fast-check';

import type { RecordedRequest } from '../service';
import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { ALL_FLOWS, CONNECTIONS, TEMPLATES } from './harness/parameters';
import { byId, requestPaths, useService } from './harness/service';

restoreLimits(limits);

const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id));
const all = { ...CONNECTIONS, returnAll: true, simplify: false };

describe('paging against a service that misbehaves', () => {
	const context = useService({ data: { projects: 1, connections: 60, flows: 40 } });
	const returnAll = { ...CONNECTIONS, returnAll: true, options: { pageSize: 10 } };

	test('smaller pages than asked for still give every record, and exactly Limit of them', async () => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/global-connections', kind: { pageCap: 7 } });
		const all = await engine.records({
			credential,
			parameters: { ...CONNECTIONS, returnAll: true },
		});
		expect(ids(all)).toEqual(ids(service.data.connections));
		const some = await engine.records({ credential, parameters: { ...CONNECTIONS, limit: 23 } });
		expect(ids(some)).toEqual(ids(service.data.connections.slice(0, 23)));
	});

	test.each([
		['repeats the same cursor', () => 'again'],
		['alternates between two cursors', (n: number) => (n % 2 ? 'this' : 'that')],
		['never ends with ever new cursors', (n: number) => `cursor-${n}`],
	])(
		'a service that %s is left after a few requests, and its part of a list is not given as whole',
		async (_name, next) => {
			const { engine, credential, service } = context;
			service.fault({ path: '/v1/global-connections', kind: { next } });
			const { items, error } = await engine.run({ credential, parameters: returnAll });
			expect(items).toEqual([]);
			expect(error?.message).toBe('The server repeats pages of the list of global connections');
			expect(error?.description).toContain('after 10 records. Use Limit, filters');
			expect(service.requests.length).toBeLessThan(8);
		},
	);

	test('Limit is served all the same when it is reached before the service goes round', async () => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/global-connections', kind: { next: 'again' } });
		const records = await engine.records({
			credential,
			parameters: { ...CONNECTIONS, limit: 10 },
		});
		expect(records).toHaveLength(10);
	});

	test.each([
		['empty', ''],
		['null', null],
	])('a `next` that is %s ends the list', async (_name, next) => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/global-connections', kind: { next } });
		expect(await engine.records({ credential, parameters: returnAll })).toHaveLength(10);
		expect(service.requests).toHaveLength(1);
	});

	test('an absolute `next` on the own server is followed, without changing what was asked for', async () => {
		const { engine, credential, service } = context;
		const parameters = { ...returnAll, filters: { displayName: 'connection', status: ['ACTIVE'] } };
		const records = ids(await engine.records({ credential, parameters }));
		expect(records.length).toBeGreaterThan(20);
		const [first, ...pages] = service.requests.map(({ query }) => query);
		service.clearRequests();
		const { cursor } = pages[0];
		const next = new URL(`${service.baseUrl}/v1/global-connections`);
		next.search = new URLSearchParams({
			cursor: String(cursor),
			limit: '1',
			displayName: 'another',
			status: 'ERROR',
		}).toString();
		service.fault({ times: 1, kind: { next: next.href } });
		expect(ids(await engine.records({ credential, parameters }))).toEqual(records);
		expect(service.requests.map(({ query }) => query)).toEqual([first, ...pages]);
	});

	test('an exactly full last page with a `next` to an empty one is the end of the list', async () => {
		const { engine, credential, service } = context;
		service.fault({
			path: '/v1/global-connections',
			kind: {
				answers: ({ query }) =>
					query.cursor === undefined
						? { data: Array.from({ length: 10 }, (_, id) => ({ id })), next: 'on' }
						: { data: [], next: null },
			},
		});
		const records = await engine.records({ credential, parameters: returnAll });
		expect(ids(records)).toEqual(Array.from({ length: 10 }, (_, id) => String(id)));
		expect(service.requests).toHaveLength(3);
	});

	test('template lists are never paged, whatever `next` says', async () => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/templates', kind: { next: 'bmV4dF91bmRlZmluZWQ=' } });
		const records = await engine.records({ credential, parameters: TEMPLATES });
		expect(new Set(ids(records)).size).toBe(records.length);
		expect(requestPaths(context).filter((path) => path === 'GET /v1/templates')).toHaveLength(1);
	});

	test('a bare array of templates is read like an envelope', async () => {
		const { engine, credential, service } = context;
		service.fault({
			path: '/v1/templates',
			kind: {
				body: [
					{ id: 'a', name: 'A' },
					{ id: 'b', name: 'B' },
				],
			},
		});
		const records = await engine.records({ credential, parameters: TEMPLATES });
		expect(records.map(({ name }) => name)).toEqual(['A', 'B']);
	});

	test('a record that the service gives twice is given once', async () => {
		const { engine, credential, service } = context;
		const twice = [{ id: 'a' }, { id: 'b' }, { id: 'a' }, { id: 'c' }];
		service.fault({
			path: '/v1/global-connections',
			kind: { body: { data: twice, next: null, previous: null } },
		});
		expect(
			ids(await engine.records({ credential, parameters: { ...returnAll, simplify: false } })),
		).toEqual(['a', 'b', 'c']);
	});

	test.each([
		['no `data`', { next: null }],
		['`data: null`', { data: null, next: null }],
		['a number as `data`', { data: 5 }],
		['records that are not objects', { data: [1, 2] }],
		['a text', 'text'],
		['a bare list', []],
		['a `next` that is no text', { data: [], next: 7 }],
	])('an answer with %s is no empty list but a clear message', async (_name, body) => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/global-connections', kind: { body } });
		const error = await engine.failure({ credential, parameters: returnAll });
		expect(error.message).toMatch(
			/^The response for the global connections (does not have the expected format|is incomplete or is not JSON)$/,
		);
	});

	test('a page that goes wrong in the middle gives no part of the list', async () => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/global-connections', after: 2, kind: { status: 500 } });
		const { items, error } = await engine.run({ credential, parameters: returnAll });
		expect(items).toEqual([]);
		expect(error?.httpCode).toBe('500');
	});
});

describe('cursors on their way', () => {
	const context = useService({ data: { projects: 1, flows: 0, connections: 1 } });

	test('any text arrives at the service exactly as it was given', async () => {
		const { engine, credential, service } = context;
		// A lone surrogate is no character, so no address can hold it; an absolute URL is another matter.
		const isSendable = (text: string) =>
			text !== '' && Buffer.from(text).toString() === text && !/^https?:/i.test(text);
		const text = fc
			.oneof(
				fc.string({ unit: fc.constantFrom(...'+/=&?#%;,[]{}"\'\\<> .:@!$^|~é日🚀\u0000\u00a0') }),
				fc.string({ unit: 'binary' }),
				fc.base64String(),
				fc.constantFrom(
					'%2B',
					'+',
					'%',
					'//other.example/x',
					'../..',
					'a=b&cursor=c',
					'cursor[]=1',
				),
			)
			.filter(isSendable);
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 5 }), async (cursors) => {
				service.clearFaults();
				service.clearRequests();
				service.fault({
					kind: {
						answers: (_request: RecordedRequest, n: number) => ({
							data: [{ id: n }],
							next: cursors[n - 1] ?? null,
						}),
					},
				});
				const records = await engine.records({ credential, parameters: all });
				expect(records).toHaveLength(cursors.length + 1);
				const sent = service.requests.map(({ url }) => new URL(url, service.origin).searchParams);
				expect(sent.map((query) => query.get('cursor'))).toEqual([null, ...cursors]);
				for (const query of sent) expect([...query.keys()].length).toBeLessThanOrEqual(2);
			}),
			{ numRuns: 60 },
		);
	});

	test('any other server is refused, whatever the address looks like, and only ours is asked', async () => {
		const { engine, credential, service } = context;
		await fc.assert(
			fc.asyncProperty(fc.webUrl({ withQueryParameters: true }), async (next) => {
				service.clearFaults();
				service.clearRequests();
				service.fault({ kind: { next } });
				const error = await engine.failure({ credential, parameters: all });
				expect(error.message).toContain('continues on another server');
				expect(service.requests).toHaveLength(1);
			}),
			{ numRuns: 30 },
		);
	});
});

describe('any pages at all, over HTTP', () => {
	const context = useService({ data: { projects: 1, flows: 0, connections: 1 } });
	const rows = fc.array(fc.nat(40), { maxLength: 6 });
	const fakePages = fc.array(fc.record({ rows, next: fc.option(fc.nat(6)) }), {
		minLength: 1,
		maxLength: 7,
	});

	test('it ends, gives nothing twice, and gives the whole list or a message', async () => {
		const { engine, credential, service } = context;
		await fc.assert(
			fc.asyncProperty(fakePages, fc.integer({ min: 1, max: 10 }), async (pages, pageSize) => {
				service.clearFaults();
				service.clearRequests();
				const pageOf = (cursor: unknown) => pages[Number(cursor ?? 0) % pages.length];
				service.fault({
					kind: {
						answers: ({ query }) => {
							const page = pageOf(query.cursor);
							const next = page.next === null ? null : String(page.next % pages.length);
							return { data: page.rows.map((id) => ({ id })), next };
						},
					},
				});
				const { items, error } = await engine.run({
					credential,
					parameters: { ...all, options: { pageSize } },
				});
				expect(service.requests.length).toBeLessThanOrEqual(pages.length + 40);
				if (error !== undefined) {
					expect(items).toEqual([]);
					expect(error.description).toMatch(
						/^The node stopped after \d+ records\. Use Limit, filters/,
					);
					return;
				}
				const reached = new Set<number>();
				let at: number | null = 0;
				while (at !== null && !reached.has(at)) {
					reached.add(at);
					const { next }: { next: number | null } = pages[at];
					at = next === null ? null : next % pages.length;
				}
				const given = ids(items.map(({ json }) => json));
				expect(new Set(given).size).toBe(given.length);
				expect(new Set(given)).toEqual(
					new Set([...reached].flatMap((page) => pages[page].rows.map(String))),
				);
			}),
			{ numRuns: 60 },
		);
	});
});

describe('a service that never stops', () => {
	const context = useService({ data: { projects: 1, connections: 5 } });

	test('is left at the cap on pages, with a message', async () => {
		const { engine, credential, service } = context;
		limits.maxPages = 30;
		service.fault({
			kind: { answers: (_request, n) => ({ data: [{ id: n }], next: `cursor-${n}` }) },
		});
		const { items, error } = await engine.run({ credential, parameters: all });
		expect(items).toEqual([]);
		expect(error?.message).toBe('The list of global connections never ends');
		expect(service.requests).toHaveLength(30);
	});

	test('with empty pages only is left, with a message', async () => {
		const { engine, credential, service } = context;
		service.fault({
			kind: { answers: (_request, n) => ({ data: [], next: `cursor-${n}` }) },
		});
		const error = await engine.failure({ credential, parameters: all });
		expect(error.message).toBe(
			'The server returns only empty pages of the list of global connections',
		);
		expect(service.requests).toHaveLength(20);
	});
});

describe.each([
	[250, 100, 5],
	[2_500, 1_000, 5],
])('%i connections created in one second, %i a page', (connections, pageSize, requests) => {
	const context = useService({ data: { projects: 1, flows: 0, connections, sameSecond: true } });
	const parameters = { ...CONNECTIONS, simplify: false, options: { pageSize } };

	test('are all given, in few requests', async () => {
		const { engine, credential, service } = context;
		const records = await engine.records({
			credential,
			parameters: { ...parameters, returnAll: true },
		});
		expect(ids(records)).toEqual(ids(service.data.connections));
		expect(service.requests.length).toBeLessThanOrEqual(requests);
	});

	test('Limit stays exact', async () => {
		const { engine, credential, service } = context;
		for (const limit of [1, pageSize, pageSize + 1, 2 * pageSize, connections - 1, connections]) {
			service.clearRequests();
			const records = await engine.records({ credential, parameters: { ...parameters, limit } });
			expect(ids(records)).toEqual(ids(service.data.connections.slice(0, limit)));
			for (const { query } of service.requests) {
				expect(Number(query.limit)).toBeLessThanOrEqual(limit);
			}
		}
	});
});

describe('a service that leaves records out', () => {
	const context = useService({
		data: { projects: 1, flows: 0, connections: 25, sameSecond: true },
	});

	test('also on longer pages is left, with a message and no part of the list', async () => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/global-connections', kind: { pageCap: 10 } });
		const { items, error } = await engine.run({ credential, parameters: all });
		expect(items).toEqual([]);
		expect(error?.message).toBe('The server leaves records out of the list of global connections');
		expect(service.requests.length).toBeLessThanOrEqual(4);
	});

	test('does so for the flows of a project as well', async () => {
		const { engine, credential, service } = context;
		service.fault({
			path: '/v1/flows',
			kind: {
				answers: ({ query }) =>
					query.cursor === undefined
						? { data: Array.from({ length: 5 }, (_, id) => ({ id })), next: 'on' }
						: { data: [], next: null },
			},
		});
		const error = await engine.failure({
			credential,
			parameters: { ...ALL_FLOWS, projectId: byId(service.data.projects[0].id) },
		});
		expect(error.message).toBe('The server leaves records out of the list of flows');
	});
});
