import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { call } from '../../service/client';
import type { FlowRunLife } from '../../service/flowRunLife';
import { FIRST_AND_LAST, useService } from '../harness/service';
import { activeTrigger } from '../harness/trigger';

/** Intervals in the lives of runs on real servers (service/next, part d), in milliseconds. */
const SECOND = 1000;
const LONGEST_RUN = 600 * SECOND;
const SHOWN_AFTER = 575;
const WORKER_REPLACED = { '0.73': 64 * SECOND, '0.86': 145 * SECOND };
const HOUR = 3600 * SECOND;

// From 0.85 on a retry changes the start of a run. Complete histories are in `test/unit/trigger`.
describe.each(FIRST_AND_LAST)('runs that workers process on %s', (release) => {
	const context = useService({ release });
	afterEach(() => jest.restoreAllMocks());

	const change = async ({ run }: FlowRunLife, path: string, body: IDataObject) =>
		await call(context.service, `/v1/flow-runs/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ projectId: run.projectId, ...body }),
		});
	const retry = async (life: FlowRunLife) =>
		await change(life, `${life.run.id}/retry`, { strategy: 'FROM_FAILED_STEP' });
	const cancel = async (life: FlowRunLife) =>
		await change(life, 'cancel', { flowRunIds: [life.run.id] });

	const startLives = (count: number) =>
		Array.from({ length: count }, () => {
			return context.live.flowRunLife(context.live.addFlowRun({ status: 'QUEUED' }).id).start();
		});

	/** Both events of runs, which watch the same runs. */
	async function watchBoth(options: INodeParameters = {}) {
		context.data.flowRuns = [];
		context.time.step = 1;
		// The clock of n8n follows that of the service.
		jest.spyOn(Date, 'now').mockImplementation(() => context.time.now);
		const watch = async (event: string) =>
			await activeTrigger(context, { event, simplify: false, options });
		const failed = await watch('flowRunFailed');
		const succeeded = await watch('flowRunSucceeded');
		const poll = async () => [...(await failed.poll()), ...(await succeeded.poll())];
		return {
			failed,
			succeeded,
			poll,
			async restart() {
				await failed.restart();
				await succeeded.restart();
			},
			async pass(ms: number) {
				context.time.advance(ms);
				return await poll();
			},
		};
	}

	test('each end is given once, at the intervals of real servers, over restarts and an outage', async () => {
		const watched = await watchBoth();
		const { pass, poll } = watched;
		const [long, lost, retried, again, canceled] = startLives(5);
		const ends = { failed: [] as string[], succeeded: [] as string[] };
		const end = async (life: FlowRunLife, how: keyof typeof ends) => {
			life.finish(how === 'failed' ? 'FAILED' : 'SUCCEEDED');
			// It appears later than its time.
			expect(await poll()).toEqual([]);
			context.time.advance(SHOWN_AFTER);
			const { id, finishTime } = life.show();
			ends[how].push(`${id} ${finishTime}`);
			await pass(SECOND);
		};

		canceled.pause();
		lost.loseWorker();
		await end(retried, 'failed');
		await end(again, 'failed');
		for (const life of [retried, again]) await retry(life);
		expect(await pass(SECOND)).toEqual([]);
		for (const life of [retried, again]) life.start();
		await pass(WORKER_REPLACED[release]);
		lost.start();
		await watched.restart();
		await end(lost, 'failed');
		await end(retried, 'succeeded');
		await end(again, 'failed');
		// It starts first and ends last.
		await pass(LONGEST_RUN);
		context.fault({ kind: { status: 503 } });
		await end(long, 'failed');
		context.clearFaults();
		await watched.restart();
		await cancel(canceled);
		expect(canceled.run.status).toBe('CANCELED');
		await pass(LONGEST_RUN);

		expect(ends.failed).toHaveLength(5);
		const given = (items: IDataObject[]) =>
			items.map(({ id, finishTime }) => `${String(id)} ${String(finishTime)}`).sort();
		expect(given(watched.failed.given)).toEqual(ends.failed.sort());
		expect(given(watched.succeeded.given)).toEqual(ends.succeeded.sort());
	});

	if (release === '0.73') return;
	test.each([
		{ lookbackHours: 24, isGiven: false },
		{ lookbackHours: 24 * 6, isGiven: true },
	])('a run paused for 5 days, Lookback $lookbackHours h', async ({ lookbackHours, isGiven }) => {
		const watched = await watchBoth({ lookbackHours });
		const lives = startLives(2).map((life) => life.pause());
		const made: unknown[] = [];
		for (let day = 0; day < 5; day++) {
			// Other runs end meanwhile, which advances what is known.
			made.push(context.live.addFlowRun({ status: 'FAILED' }).id);
			made.push(context.live.addFlowRun({ status: 'SUCCEEDED' }).id);
			await watched.pass(24 * HOUR);
		}
		lives[0].start().finish('FAILED').show();
		lives[1].start().finish('SUCCEEDED').show();
		if (isGiven) made.push(...lives.map(({ run }) => run.id));
		await watched.poll();
		await watched.poll();
		const given = [...watched.failed.given, ...watched.succeeded.given];
		expect(given.map(({ id }) => id).sort()).toEqual(made.sort());
	});
});
