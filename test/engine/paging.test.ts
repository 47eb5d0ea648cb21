import { CONNECTIONS, TEMPLATES } from './harness/parameters';
import { requestPaths, useService } from './harness/service';

const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id));

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
			expect(error?.message).toBe(
				'The server repeats pages of the list of global connections instead of going on',
			);
			expect(error?.description).toContain('after 10 records. Raise Page Size');
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

	test('an absolute `next` on another server is refused, and the key is not sent there', async () => {
		const { engine, credential, service } = context;
		service.fault({ kind: { next: 'http://198.51.100.7/api/v1/global-connections?cursor=abc' } });
		const error = await engine.failure({ credential, parameters: returnAll });
		expect(error.message).toBe(
			'The list of global connections continues on another server, 198.51.100.7',
		);
		expect(service.requests).toHaveLength(1);
	});

	test('an absolute `next` on the own server is followed', async () => {
		const { engine, credential, service } = context;
		const first = await fetch(`${credential.baseUrl}/v1/global-connections?limit=10`, {
			headers: { Authorization: `Bearer ${credential.apiKey}` },
		});
		const { next } = (await first.json()) as { next: string };
		service.fault({
			times: 1,
			kind: {
				next: `${service.origin}/api/v1/global-connections?limit=10&cursor=${encodeURIComponent(next)}`,
			},
		});
		const records = await engine.records({ credential, parameters: returnAll });
		expect(ids(records)).toEqual(ids(service.data.connections));
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
			/^The answer for the global connections (does not have the expected form|is incomplete or not JSON)$/,
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
