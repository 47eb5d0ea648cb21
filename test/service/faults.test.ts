import { call, start, stopAll } from './client';
import type { Fault } from './index';

afterEach(stopAll);

describe('faults', () => {
	const list = '/v1/global-connections?limit=5';

	async function answer(kind: Fault['kind']) {
		const service = await start();
		service.fault({ kind });
		return await call(service, list);
	}

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

	test('truncated without a length: only the end of the connection ends the body', async () => {
		const cut = await answer({ truncated: true, unframed: true });
		expect(cut.status).toBe(200);
		expect(cut.headers.get('content-length')).toBeNull();
		expect(cut.headers.get('transfer-encoding')).toBeNull();
		expect(() => cut.json()).toThrow();
	});
});
