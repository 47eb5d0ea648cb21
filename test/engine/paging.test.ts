import * as fc from 'fast-check';

import type { FaultKind } from '../service';
import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { CONNECTIONS, TEMPLATES } from './harness/parameters';
import { ids, requestPaths, useService } from './harness/service';

restoreLimits(limits);

const all = { ...CONNECTIONS, returnAll: true, simplify: false };

describe('paging with a service that misbehaves', () => {
	const context = useService({ data: { projects: 1, connections: 60, flows: 40 } });
	const path = '/v1/global-connections';
	const returnAll = { ...CONNECTIONS, returnAll: true, options: { pageSize: 10 } };

	test('smaller pages than requested still return every record, and exactly Limit of them', async () => {
		context.fault({ path, kind: { pageCap: 7 } });
		const all = await context.records({ ...CONNECTIONS, returnAll: true });
		expect(ids(all)).toEqual(ids(context.data.connections));
		const some = await context.records({ ...CONNECTIONS, limit: 23 });
		expect(ids(some)).toEqual(ids(context.data.connections.slice(0, 23)));
	});

	test.each<[string, FaultKind, number]>([
		['never ends with ever new cursors', { next: (n) => `cursor-${n}` }, 7],
		['leads to itself', { answers: (_, n) => ({ data: [{ id: n }], next: 'again' }) }, 2],
	])(
		'a list that %s fails, and no part is returned as the whole list',
		async (_name, kind, most) => {
			context.fault({ path, kind });
			const { items, error } = await context.run(returnAll);
			expect(items).toEqual([]);
			expect(error?.message).toBe('The server repeats pages of the list of global connections');
			expect(error?.description).toMatch(/after \d+ records?\. Use Limit, filters/);
			expect(context.requests.length).toBeLessThanOrEqual(most);
		},
	);

	test('Limit still works when it is reached before the cursors repeat', async () => {
		context.fault({ path, kind: { next: 'again' } });
		expect(await context.records({ ...CONNECTIONS, limit: 10 })).toHaveLength(10);
	});

	test.each([
		['empty', ''],
		['null', null],
	])('a `next` that is %s ends the list', async (_name, next) => {
		context.fault({ path, kind: { next } });
		expect(await context.records(returnAll)).toHaveLength(10);
		expect(context.requests).toHaveLength(1);
	});

	test('an absolute `next` on the same server is followed, without changing the request', async () => {
		const filters = { displayName: 'connection', connectionStatus: ['ACTIVE'] };
		const parameters = { ...returnAll, filters };
		const records = ids(await context.records(parameters));
		expect(records.length).toBeGreaterThan(20);
		const [first, ...pages] = context.requests.map(({ query }) => query);
		context.clearRequests();
		const next = new URL(`${context.baseUrl}/v1/global-connections`);
		const other = { limit: '1', displayName: 'another', status: 'ERROR' };
		next.search = String(new URLSearchParams({ cursor: String(pages[0].cursor), ...other }));
		context.fault({ times: 1, kind: { next: next.href } });
		expect(ids(await context.records(parameters))).toEqual(records);
		expect(context.requests.map(({ query }) => query)).toEqual([first, ...pages]);
	});

	test('template lists are never paged, whatever `next` says', async () => {
		context.fault({ path: '/v1/templates', kind: { next: 'bmV4dF91bmRlZmluZWQ=' } });
		const records = await context.records(TEMPLATES);
		expect(new Set(ids(records)).size).toBe(records.length);
		expect(requestPaths(context).filter((path) => path === 'GET /v1/templates')).toHaveLength(1);
	});

	test('a bare array of templates is read like an envelope', async () => {
		const body = ['A', 'B'].map((name) => ({ id: name, name }));
		context.fault({ path: '/v1/templates', kind: { body } });
		expect((await context.records(TEMPLATES)).map(({ name }) => name)).toEqual(['A', 'B']);
	});
});

describe('cursors', () => {
	const context = useService({ data: { projects: 1, flows: 0, connections: 1 } });

	test('any text arrives at the service exactly as it was sent', async () => {
		// A lone surrogate is not a character, so no URL can contain it; an absolute URL is tested elsewhere.
		const isSendable = (text: string) =>
			text !== '' && Buffer.from(text).toString() === text && !/^https?:/i.test(text);
		const text = fc
			.oneof(
				fc.string({ unit: fc.constantFrom(...'+/=&?#%;,[]{}"\'\\<> .:@!$^|~é日🚀\u0000\u00a0') }),
				fc.string({ unit: 'binary' }),
				fc.base64String(),
				fc.constantFrom(...'%2B + % //other.example/x ../.. a=b&cursor=c cursor[]=1'.split(' ')),
			)
			.filter(isSendable);
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 5 }), async (cursors) => {
				context.clearFaults();
				context.clearRequests();
				const answers = (_request: unknown, n: number) => {
					return { data: [{ id: n }], next: cursors[n - 1] ?? null };
				};
				context.fault({ kind: { answers } });
				expect(await context.records(all)).toHaveLength(cursors.length + 1);
				const sent = context.requests.map(({ url }) => new URL(url, context.origin).searchParams);
				expect(sent.map((query) => query.get('cursor'))).toEqual([null, ...cursors]);
				for (const query of sent) expect([...query.keys()].length).toBeLessThanOrEqual(2);
			}),
			{ numRuns: 20 },
		);
	});

	test('any other server is refused, whatever its URL looks like, and only ours receives requests', async () => {
		await fc.assert(
			fc.asyncProperty(fc.webUrl({ withQueryParameters: true }), async (next) => {
				context.clearFaults();
				context.clearRequests();
				context.fault({ kind: { next } });
				expect((await context.failure(all)).message).toContain('continues on another server');
				expect(context.requests).toHaveLength(1);
			}),
			{ numRuns: 10 },
		);
	});
});

describe('a service that never ends its list', () => {
	const context = useService({ data: { projects: 1, connections: 5 } });

	test('with empty pages only fails with a message', async () => {
		context.fault({ kind: { answers: (_request, n) => ({ data: [], next: `cursor-${n}` }) } });
		expect((await context.failure(all)).message).toBe(
			'The server returns only empty pages of the list of global connections',
		);
		expect(context.requests).toHaveLength(20);
	});
});

// Other numbers, page sizes and Limits are in unit/paginate.test.ts.
describe('250 connections created in one second, 100 a page', () => {
	const data = { projects: 1, flows: 0, connections: 250, sameSecond: true };
	const context = useService({ data });
	const options = { pageSize: 100 };

	test.each([250, 101])('%i of them are returned, with few requests', async (limit) => {
		const records = await context.records({ ...all, returnAll: limit === 250, limit, options });
		expect(ids(records)).toEqual(ids(context.data.connections.slice(0, limit)));
		expect(context.requests.length).toBeLessThanOrEqual(5);
	});
});

describe('a service that leaves out records', () => {
	const context = useService({ data: { projects: 1, flows: 0, sameSecond: true } });

	test('even on larger pages fails with a message, and returns no part of the list', async () => {
		context.fault({ path: '/v1/global-connections', kind: { pageCap: 10 } });
		const { items, error } = await context.run(all);
		expect(items).toEqual([]);
		expect(error?.message).toBe('The server leaves records out of the list of global connections');
		expect(context.requests.length).toBeLessThanOrEqual(4);
	});
});
