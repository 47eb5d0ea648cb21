import { call, flowsOf, post, start, stopAll, walk } from './client';
import { startService } from './index';
import { Waits } from './waits';

afterEach(stopAll);

describe('0.79', () => {
	test('more than 20 repeats of a key are refused', async () => {
		const service = await start({ release: '0.79' });
		const ids = (n: number) => '&externalIds=ext-flow-000'.repeat(n);
		expect((await call(service, flowsOf(service) + ids(20))).status).toBe(200);
		expect((await call(service, flowsOf(service) + ids(21))).status).toBe(400);
	});

	test('a shared template and a project invitation can be deleted', async () => {
		const service = await start({ release: '0.79', data: 'recorded' });
		const shared = service.data.templates.find(({ type }) => type === 'SHARED');
		const invitation = service.data.invitations.find(({ type }) => type === 'PROJECT');
		const method = 'DELETE';
		expect((await call(service, `/v1/templates/${shared?.id}`, { method })).status).toBe(204);
		const path = `/v1/user-invitations/${invitation?.id}`;
		expect((await call(service, path, { method })).status).toBe(204);
		expect((await call(service, path, { method })).status).toBe(404);
	});
});

describe('options', () => {
	test('routes can be left out', async () => {
		const service = await start({ without: ['GET /v1/projects', 'DELETE /v1/templates/{id}'] });
		expect((await call(service, '/v1/projects')).text).toContain('Route not found');
		const gone = await call(service, '/v1/templates/x', { method: 'DELETE' });
		expect(gone.text).toContain('Route not found');
	});

	test('sizes are kept, and the same sizes give the same data', async () => {
		const few = { connections: 7, templates: 3, invitations: 4, steps: 2 };
		const sizes = { projects: 2, flows: 50, ...few };
		const [one, two] = [await start({ data: sizes }), await start({ data: sizes })];
		expect(one.data.flows).toHaveLength(50);
		expect(one.data.folders).toHaveLength(8);
		expect(two.data).toEqual(one.data);
		const served = await walk(one, `${flowsOf(one)}&limit=10`);
		const own = one.data.flows.filter(({ projectId }) => projectId === one.data.projects[0].id);
		expect(served.ids.sort()).toEqual(own.map(({ id }) => id).sort());
	});

	test('keys look like the real ones', async () => {
		const { apiKey, otherPlatformKey } = await start();
		expect(apiKey).toMatch(/^sk-[0-9A-Za-z]{61}$/);
		expect(otherPlatformKey).toMatch(/^sk-[0-9A-Za-z]{61}$/);
	});
});

describe('what is watched', () => {
	test('requests in order, with body and status', async () => {
		const service = await start();
		const [folder] = service.data.folders;
		const path = `/v1/folders/${folder.id}`;
		const body = { displayName: 'New' };
		await post(service, path, body);
		await call(service, '/v1/nope?a=1&a=2');
		expect(folder.displayName).toBe('New');
		expect(service.requests).toMatchObject([
			{ method: 'POST', path, body, status: 200 },
			{ url: '/api/v1/nope?a=1&a=2', path: '/v1/nope', query: { a: ['1', '2'] }, status: 404 },
		]);
		service.clearRequests();
		expect(service.requests).toEqual([]);
	});

	test('how many requests and connections at once', async () => {
		const service = await start();
		service.fault({ kind: { delay: 50 } });
		await Promise.all([1, 2, 3].map(async () => await call(service, '/v1/projects')));
		expect(service.inFlight.peak).toBe(3);
		expect(service.connections.opened).toBe(3);
		expect(service.connections.peak).toBe(3);
	});
});

test('close ends at once, with requests hanging and sockets kept alive', async () => {
	const service = await startService();
	await call(service, '/v1/projects');
	service.fault({ path: '/v1/projects', kind: { delay: 60_000 } });
	service.fault({ path: '/v1/global-connections', kind: { slowBody: 60_000 } });
	const hanging = [call(service, '/v1/projects'), call(service, '/v1/global-connections')];
	const ended = Promise.allSettled(hanging);
	while (service.inFlight.now < 2) await call(service, '/v1/nope');
	const before = performance.now();
	await service.close();
	expect(performance.now() - before).toBeLessThan(500);
	expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('ended waits are over, so that nothing keeps the process alive', async () => {
	const waits = new Waits();
	const waiting = waits.after(60_000);
	waits.endAll();
	expect(await waiting).toBe(false);
});
