import { call, start, stopAll } from './client';
import { FlowWorker } from './flowChanges';
import type { Release, Service } from './index';
import type { FlowRecord } from './records';
import { stepsOf } from './webhookSteps';

afterEach(stopAll);

const post = async (service: Service, id: string, body: unknown, signal?: AbortSignal) =>
	await call(service, `/v1/flows/${id}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		signal,
	});
const change = async (service: Service, id: string, status: string, signal?: AbortSignal) =>
	await post(service, id, { type: 'CHANGE_STATUS', request: { status } }, signal);
const publish = async (service: Service, id: string) =>
	await post(service, id, { type: 'LOCK_AND_PUBLISH', request: {} });
const look = async (service: Service, { id }: FlowRecord) => {
	const flow = (await call(service, `/v1/flows/${id}`)).json() as unknown as FlowRecord;
	return [flow.status, flow.operationStatus];
};

const QUEUED: Release[] = ['0.73', '0.79'];
const IMMEDIATE: Release[] = ['0.85', '0.86'];

describe.each(QUEUED)('changes of flows on %s', (release) => {
	test('are done once a flow has been looked at often enough', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ published: true });
		service.worker.settleAfter = 2;
		expect((await change(service, flow.id, 'ENABLED')).text).toContain('"status":"DISABLED"');
		expect(await look(service, flow)).toEqual(['DISABLED', 'ENABLING']);
		expect(await look(service, flow)).toEqual(['DISABLED', 'ENABLING']);
		expect(await look(service, flow)).toEqual(['ENABLED', 'NONE']);
	});

	test('wait for a worker, all behind the first; those that need none before it are not held up', async () => {
		const service = await start({ release });
		const [one, two] = [1, 2].map(() => service.live.addFlow({ published: true }));
		const never = service.live.addFlow();
		service.worker.state = 'stopped';
		await change(service, never.id, 'ENABLED');
		await change(service, one.id, 'ENABLED');
		await change(service, two.id, 'ENABLED');
		service.settleFlowChanges();
		expect(await look(service, never)).toEqual(['DISABLED', 'NONE']);
		expect(await look(service, one)).toEqual(['DISABLED', 'ENABLING']);
		expect(await look(service, two)).toEqual(['DISABLED', 'ENABLING']);
		service.worker.state = 'running';
		service.settleFlowChanges();
		expect(await look(service, two)).toEqual(['ENABLED', 'NONE']);
	});

	test('to the status a flow has never end', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ enabled: true });
		expect((await change(service, flow.id, 'ENABLED')).status).toBe(200);
		service.settleFlowChanges();
		expect(await look(service, flow)).toEqual(['ENABLED', 'ENABLING']);
		const next = await change(service, flow.id, 'DISABLED');
		expect(next.status).toBe(release === '0.73' ? 409 : 200);
		service.settleFlowChanges();
		const after = release === '0.73' ? ['ENABLED', 'ENABLING'] : ['DISABLED', 'NONE'];
		expect(await look(service, flow)).toEqual(after);
	});

	test('publish an empty trigger, and leave the flow disabled', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ trigger: 'empty' });
		expect((await publish(service, flow.id)).status).toBe(200);
		service.settleFlowChanges();
		expect(await look(service, flow)).toEqual(['DISABLED', 'NONE']);
		expect(flow.publishedVersionId).toBe(flow.version.id);
	});

	test('are refused while another user edits the flow, for a minute', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ published: true });
		service.live.editFlow(flow.id, 'Edited', 'somebody else');
		expect((await change(service, flow.id, 'ENABLED')).text).toContain('FLOW_IN_USE');
		service.time.advance(60_000);
		expect((await change(service, flow.id, 'ENABLED')).status).toBe(200);
	});
});

describe.each(IMMEDIATE)('changes of flows on %s', (release) => {
	test('are done when they are answered; one to the same status changes nothing', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ published: true });
		expect((await change(service, flow.id, 'ENABLED')).text).toContain('"status":"ENABLED"');
		const { updated } = flow;
		expect((await change(service, flow.id, 'ENABLED')).status).toBe(200);
		expect(flow.updated).toBe(updated);
		service.live.editFlow(flow.id, 'Edited', 'somebody else');
		expect((await change(service, flow.id, 'DISABLED')).status).toBe(200);
	});

	test('hang without a worker, and go on with one', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ published: true });
		service.worker.state = 'stopped';
		const hanging = change(service, flow.id, 'ENABLED');
		const left = new AbortController();
		const given = change(service, flow.id, 'ENABLED', left.signal);
		while (service.inFlight.now < 2) await call(service, '/v1/nope');
		left.abort();
		await expect(given).rejects.toThrow('abort');
		expect(await look(service, flow)).toEqual(['DISABLED', 'NONE']);
		service.worker.state = 'running';
		expect((await hanging).text).toContain('"status":"ENABLED"');
	});

	test('publish an empty trigger, and answer 404', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ trigger: 'empty' });
		const { status, text } = await publish(service, flow.id);
		expect([status, text]).toEqual([404, expect.stringContaining('piece_trigger')]);
		expect(flow).toMatchObject({ publishedVersionId: flow.version.id, status: 'DISABLED' });
	});

	test('publish no version of a piece that is not installed, and answer 404', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ steps: stepsOf('webhook') });
		service.worker.pieces.set('@activepieces/piece-webhook', '0.1.34');
		const { status, text } = await publish(service, flow.id);
		expect([status, text]).toEqual([404, expect.stringContaining('piece-webhook@')]);
		expect(flow).toMatchObject({ publishedVersionId: flow.version.id, status: 'DISABLED' });
	});

	test('fail when a trigger does, and when nothing was published', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ published: true });
		service.worker.hook = 'fails';
		expect((await change(service, flow.id, 'ENABLED')).text).toContain('TRIGGER_UPDATE_STATUS');
		expect((await change(service, service.live.addFlow().id, 'ENABLED')).status).toBe(500);
	});
});

test('closing ends requests that hang on a worker', async () => {
	const service = await start();
	const flow = service.live.addFlow({ published: true });
	service.worker.state = 'stopped';
	const hanging = change(service, flow.id, 'ENABLED');
	const ended = Promise.allSettled([hanging]);
	while (service.inFlight.now < 1) await call(service, '/v1/nope');
	await service.close();
	expect((await ended)[0].status).toBe('rejected');
});

test('a worker that was stopped twice lets go of everything that waits', async () => {
	const worker = new FlowWorker();
	worker.state = 'stopped';
	const waiting = [worker.ready(), worker.ready()];
	worker.state = 'stopped';
	worker.state = 'running';
	await expect(Promise.all(waiting)).resolves.toHaveLength(2);
});

describe.each<Release>(['0.73', '0.85'])('flows made and deleted on %s', (release) => {
	const create = async (service: Service, body: object) =>
		await call(service, '/v1/flows', {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ projectId: service.data.projects[0].id, ...body }),
		});
	const remove = async (service: Service, id: string) =>
		(await call(service, `/v1/flows/${id}`, { method: 'DELETE' })).status;

	test('any name and any folder will do; an unknown folder is 500 (b/1, b/7, b/8, b/10, b/14)', async () => {
		const service = await start({ release, data: { projects: 2, foldersPerProject: 1 } });
		const foreign = service.data.folders.find(
			({ projectId }) => projectId !== service.data.projects[0].id,
		);
		const made = await create(service, { displayName: '', folderId: foreign?.id });
		expect(made.status).toBe(201);
		expect(made.json()).toMatchObject({
			status: 'DISABLED',
			folderId: foreign?.id,
			version: { displayName: '', valid: false, state: 'DRAFT', trigger: { type: 'EMPTY' } },
		});
		const unknown = await create(service, { displayName: 'x', folderId: 'NULL' });
		expect([unknown.status, unknown.text]).toEqual([500, expect.stringContaining('"23503"')]);
		const flow = service.live.addFlow();
		const move = async (request: object) =>
			(await post(service, flow.id, { type: 'CHANGE_FOLDER', request })).status;
		expect(await move({ folderId: foreign?.id })).toBe(200);
		expect(await move({ folderId: 'NULL' })).toBe(500);
		// b/34: nothing is changed.
		expect(await move({})).toBe(200);
		expect(flow.folderId).toBe(foreign?.id);
	});

	test('a deleted flow is in no list, and by id for a moment (b/97 to b/106)', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ enabled: true });
		const run = service.live.addFlowRun({ flowId: flow.id });
		expect(await remove(service, flow.id)).toBe(204);
		expect(await look(service, flow)).toEqual(['ENABLED', 'DELETING']);
		expect(service.data.flows).not.toContain(flow);
		expect(await remove(service, flow.id)).toBe(release === '0.73' ? 404 : 409);
		expect((await call(service, `/v1/flows/${flow.id}`)).status).toBe(404);
		expect(service.data.flowRuns).not.toContain(run);
		expect(await remove(service, flow.id)).toBe(404);
	});
});
