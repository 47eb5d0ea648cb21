import { call, post, start, stopAll } from './client';
import type { FlowRunRecord } from './flowRunRecords';
import { RECORDED_RELEASES, type Release, type Service } from './index';

afterEach(stopAll);

type Run = Record<string, unknown> & { failedStep: Record<string, unknown> };

const isLate = (release: Release) => release >= '0.85';

const get = async (service: Service, { id }: FlowRunRecord) =>
	JSON.parse((await call(service, `/v1/flow-runs/${id}`)).text) as Run;
const list = async (service: Service, { projectId }: FlowRunRecord, query = '') =>
	(await call(service, `/v1/flow-runs?projectId=${projectId}&limit=100${query}`)).json().data;
const retry = async (service: Service, { id, projectId }: FlowRunRecord) =>
	await post(service, `/v1/flow-runs/${id}/retry`, { projectId, strategy: 'FROM_FAILED_STEP' });

describe.each(RECORDED_RELEASES)('the life of a run on %s', (release) => {
	const none = release === '0.73' ? '' : null;
	let service: Service;
	let run: FlowRunRecord;

	beforeEach(async () => {
		service = await start({ release });
		run = service.live.addFlowRun({ status: 'QUEUED' });
	});

	test('is QUEUED, RUNNING and FAILED, which is seen after its finish', async () => {
		const life = service.live.flowRunLife(run.id);
		expect(await get(service, run)).toMatchObject({ status: 'QUEUED', startTime: none });
		life.start();
		const running = await get(service, run);
		expect(running).toMatchObject({ status: 'RUNNING', finishTime: none });
		expect(running.startTime).toEqual(isLate(release) ? null : run.updated);
		life.finish('FAILED');
		const finished = new Date(service.time.now).toISOString();
		expect(await get(service, run)).toEqual(running);
		expect(await list(service, run, '&status=FAILED')).toEqual([]);
		life.show();
		const failed = await get(service, run);
		expect(failed).toMatchObject({ status: 'FAILED', created: run.created });
		expect(String(failed.finishTime) < finished).toBe(true);
		expect(String(failed.startTime) < String(failed.finishTime)).toBe(true);
		const [listed] = await list(service, run, '&status=FAILED');
		expect(listed.failedStep).toEqual(failed.failedStep);
	});

	test('a code step says what it threw: nothing, a text, or JSON that is cut off', async () => {
		service.live.flowRunLife(run.id).start().finish('FAILED', 'Error: Boom').show();
		const { failedStep, steps } = await get(service, run);
		const { errorMessage } = (steps as Record<string, Record<string, string>>).step_1;
		const message = String(failedStep.message);
		if (release === '0.73') {
			expect(failedStep).toEqual({ name: 'step_1', displayName: 'Check the order' });
			expect(errorMessage).toMatch(/^Error: Boom\n/);
		} else if (release === '0.79') {
			expect(message).toBe(errorMessage);
			expect(message).toMatch(/^Error: Boom\n/);
		} else {
			expect(message).toMatch(/^\{"__apErrorVersion":1,"message":"Error: Boom","raw":".{500,}…$/s);
			expect(errorMessage.startsWith(message.slice(0, -1))).toBe(true);
			expect(JSON.parse(errorMessage)).toMatchObject({ message: 'Error: Boom' });
		}
	});

	test.each(['INTERNAL_ERROR', 'MEMORY_LIMIT_EXCEEDED'] as const)(
		'%s has no failed step, or that of the attempt before',
		async (status) => {
			const life = service.live.flowRunLife(run.id);
			life.start().finish(status).show();
			const { failedStep, finishTime } = await get(service, run);
			expect(failedStep).toEqual(release === '0.73' ? {} : null);
			expect(finishTime).not.toBe(none);
			await retry(service, run);
			life.start().finish('FAILED').show();
			await retry(service, run);
			life.start().finish(status).show();
			expect(await get(service, run)).toMatchObject({ status, failedStep: { name: 'step_1' } });
		},
	);

	test('a run whose worker was killed is started again under its id', async () => {
		const life = service.live.flowRunLife(run.id).start();
		const { startTime, created } = await get(service, run);
		life.finish('FAILED').loseWorker();
		const lost = isLate(release) ? 'QUEUED' : 'RUNNING';
		expect(await get(service, run)).toMatchObject({ status: lost, finishTime: none });
		life.start();
		const again = await get(service, run);
		expect(again).toMatchObject({ id: run.id, created, status: 'RUNNING' });
		expect(again.startTime === startTime).toBe(release !== '0.73');
		expect(life.finish('SUCCEEDED').show()).toMatchObject({
			status: 'SUCCEEDED',
			failedStep: null,
		});
	});
});
