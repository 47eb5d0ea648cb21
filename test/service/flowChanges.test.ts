import { call, post, start, stopAll } from './client';
import { FlowWorker } from './flowChanges';
import type { Release, Service } from './index';
import type { FlowRecord } from './records';
import { stepsOf } from './webhookSteps';

afterEach(stopAll);

const change = async (service: Service, id: string, status: string, signal?: AbortSignal) =>
	await post(service, `/v1/flows/${id}`, { type: 'CHANGE_STATUS', request: { status } }, signal);
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
});

describe.each(IMMEDIATE)('changes of flows on %s', (release) => {
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

	test('publish no version of a piece that is not installed, and answer 404', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ steps: stepsOf('webhook') });
		service.worker.pieces.set('@activepieces/piece-webhook', '0.1.34');
		const { status, text } = await post(service, `/v1/flows/${flow.id}`, {
			type: 'LOCK_AND_PUBLISH',
			request: {},
		});
		expect([status, text]).toEqual([404, expect.stringContaining('piece-webhook@')]);
		expect(flow).toMatchObject({ publishedVersionId: flow.version.id, status: 'DISABLED' });
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
