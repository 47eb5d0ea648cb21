import { call, start, stopAll, walk } from './client';
import type { Fault } from './index';

afterEach(stopAll);

describe('faults', () => {
	const list = '/v1/global-connections?limit=5';

	async function answer(kind: Fault['kind']) {
		const service = await start();
		service.fault({ kind });
		return await call(service, list);
	}

	test('a status, in each shape, with headers', async () => {
		const limited = await answer({ status: 429, headers: { 'retry-after': '2' } });
		expect(limited.status).toBe(429);
		expect(limited.headers.get('retry-after')).toBe('2');
		expect(JSON.parse(limited.text)).toEqual({
			statusCode: 429,
			error: 'Too Many Requests',
			message: 'Too Many Requests',
		});
		const denied = await answer({ status: 403, shape: 'application', message: 'no' });
		expect(JSON.parse(denied.text)).toEqual({ code: 'AUTHORIZATION', params: { message: 'no' } });
		const proxy = await answer({ status: 502, shape: 'html' });
		expect(proxy.status).toBe(502);
		expect(proxy.headers.get('content-type')).toBe('text/html');
	});

	test('after and times, and faults in turn', async () => {
		const service = await start();
		service.fault({ after: 1, times: 1, kind: { status: 503 } });
		service.fault({ path: /^\/v1\/global/, after: 1, times: 2, kind: { status: 500 } });
		const statuses = [];
		for (let i = 0; i < 5; i++) statuses.push((await call(service, list)).status);
		expect(statuses).toEqual([200, 503, 500, 500, 200]);
		service.fault({ method: 'DELETE', kind: { status: 500 } });
		expect((await call(service, list)).status).toBe(200);
		service.fault({ path: '/v1/global-connections', kind: { status: 500 } });
		expect((await call(service, list)).status).toBe(500);
		service.clearFaults();
		expect((await call(service, list)).status).toBe(200);
	});

	test('a body that a fault refuses is still recorded', async () => {
		const service = await start();
		service.fault({ times: 1, kind: { status: 503 } });
		await call(service, '/v1/folders/x', { method: 'POST', body: '{"displayName":"a"}' });
		expect(service.requests).toMatchObject([{ body: { displayName: 'a' }, status: 503 }]);
	});

	test('delay', async () => {
		const before = performance.now();
		expect((await answer({ delay: 80 })).status).toBe(200);
		expect(performance.now() - before).toBeGreaterThan(75);
	});

	test('reset before the headers and in the body', async () => {
		const service = await start();
		service.fault({ times: 1, kind: { reset: 'beforeHeaders' } });
		service.fault({ after: 1, kind: { reset: 'inBody' } });
		await expect(call(service, list)).rejects.toThrow();
		expect(service.requests[0].status).toBe(0);
		const url = service.baseUrl + list;
		const response = await fetch(url, { headers: { authorization: `Bearer ${service.apiKey}` } });
		expect(response.status).toBe(200);
		await expect(response.text()).rejects.toThrow();
	});

	test('a slow body: headers at once', async () => {
		const service = await start();
		service.fault({ kind: { slowBody: 1000 } });
		const before = performance.now();
		const url = service.baseUrl + list;
		const response = await fetch(url, { headers: { authorization: `Bearer ${service.apiKey}` } });
		expect(performance.now() - before).toBeLessThan(800);
		expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(5);
		expect(performance.now() - before).toBeGreaterThan(990);
	});

	test('truncated, html, empty, noContent, body, redirect', async () => {
		const cut = await answer({ truncated: true });
		expect(cut.status).toBe(200);
		expect(Number(cut.headers.get('content-length'))).toBe(Buffer.byteLength(cut.text));
		expect(() => cut.json()).toThrow();
		expect((await answer({ html: true })).headers.get('content-type')).toMatch('text/html');
		const empty = await answer({ empty: true });
		expect([empty.status, empty.text]).toEqual([200, '']);
		expect((await answer({ noContent: true })).status).toBe(204);
		expect((await answer({ body: ['x'] })).text).toBe('["x"]');
		const plain = await answer({ body: 'ok', contentType: 'text/plain' });
		expect([plain.text, plain.headers.get('content-type')]).toEqual(['ok', 'text/plain']);
		const moved = await answer({ redirect: 'https://example.test/' });
		expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://example.test/']);
		expect((await answer({ redirect: '/x', status: 308 })).status).toBe(308);
	});

	test('next: repeated, computed, none', async () => {
		const service = await start();
		service.fault({ times: 2, kind: { next: 'again' } });
		expect((await call(service, list)).json()).toMatchObject({ next: 'again', previous: null });
		expect((await call(service, list)).json().data).toHaveLength(5);
		service.clearFaults();
		service.fault({ kind: { next: (n) => (n < 3 ? `c${n}` : null) } });
		const cursors = [];
		for (let i = 0; i < 3; i++) cursors.push((await call(service, list)).json().next);
		expect(cursors).toEqual(['c1', 'c2', null]);
	});

	test('pageCap: a walk still reaches every row', async () => {
		const service = await start();
		service.fault({ kind: { pageCap: 10 } });
		const { sizes, ids } = await walk(service, '/v1/global-connections?limit=1000');
		expect(sizes).toEqual([10, 10, 5]);
		expect(new Set(ids).size).toBe(25);
		expect((await call(service, '/v1/global-connections?limit=-1')).json().data).toHaveLength(10);
	});

	test('done: the service does what it is asked, and another answer goes out', async () => {
		const service = await start();
		const [first, second, third] = service.data.invitations.map(({ id }) => id);
		const remove = async (id: string) =>
			await call(service, `/v1/user-invitations/${id}`, { method: 'DELETE' });
		service.fault({ times: 1, done: true, kind: { status: 502, shape: 'html' } });
		const proxy = await remove(first);
		expect([proxy.status, proxy.headers.get('content-type')]).toEqual([502, 'text/html']);
		service.fault({ times: 1, done: true, kind: { reset: 'beforeHeaders' } });
		await expect(remove(second)).rejects.toThrow();
		service.fault({ times: 1, done: true, kind: { delay: 80 } });
		const before = performance.now();
		expect((await remove(third)).status).toBe(204);
		expect(performance.now() - before).toBeGreaterThan(75);
		const left = service.data.invitations.map(({ id }) => id);
		expect([first, second, third].filter((id) => left.includes(id))).toEqual([]);
	});

	test('a service whose client gave up before its turn does nothing', async () => {
		const service = await start();
		const [{ id }] = service.data.invitations;
		service.fault({ kind: { delay: 150 } });
		const signal = AbortSignal.timeout(20);
		const path = `/v1/user-invitations/${id}`;
		await expect(call(service, path, { method: 'DELETE', signal })).rejects.toThrow();
		service.clearFaults();
		service.fault({ kind: { delay: 300 } });
		await call(service, list);
		expect(service.data.invitations.map((row) => row.id)).toContain(id);
	});

	test('answers made of the request', async () => {
		const service = await start();
		service.fault({ kind: { answers: ({ query }, n) => ({ asked: query.limit, n }) } });
		expect(JSON.parse((await call(service, list)).text)).toEqual({ asked: '5', n: 1 });
		expect(JSON.parse((await call(service, list)).text)).toEqual({ asked: '5', n: 2 });
	});

	test('truncated without a length: only the end of the connection ends the body', async () => {
		const cut = await answer({ truncated: true, unframed: true });
		expect(cut.status).toBe(200);
		expect(cut.headers.get('content-length')).toBeNull();
		expect(cut.headers.get('transfer-encoding')).toBeNull();
		expect(() => cut.json()).toThrow();
	});

	test('tls: https with the certificate given', async () => {
		const service = await start({ tls: true });
		expect(service.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/api$/);
		await expect(call(service, list)).rejects.toThrow(/fetch failed/);
	});
});
