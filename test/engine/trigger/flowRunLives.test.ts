import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { call } from '../../service/client';
import type { FlowRunLife } from '../../service/flowRunLife';
import { RELEASES, useService } from '../harness/service';
import { createTriggerRun } from '../harness/trigger';

/** What may happen to a run; it does where the run is so far. Going on is towards its next failure. */
const TURNS = ['pause', 'succeed', 'lose', 'cancel'] as const;

/** How long what happens to runs took on real servers (service/next, part d), in milliseconds. */
const SECOND = 1000;
const LONGEST_RUN = 600 * SECOND;
const SHOWN_AFTER = 575;
const WORKER_REPLACED = { '0.73': 64, '0.79': 68, '0.85': 145, '0.86': 145 };
const HOUR = 3600 * SECOND;

type Step = (typeof TURNS)[number] | 'start' | 'fail' | 'show' | 'retry' | 'go on';

describe.each(RELEASES)('runs in the hands of workers on release %s', (release) => {
	const context = useService({ release });
	afterEach(() => jest.restoreAllMocks());

	const post = async (path: string, body: IDataObject) =>
		await call(context.service, path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	const retry = async ({ id, projectId }: FlowRunLife['run']) =>
		await post(`/v1/flow-runs/${id}/retry`, { projectId, strategy: 'FROM_FAILED_STEP' });
	const cancel = async ({ id, projectId }: FlowRunLife['run']) =>
		await post('/v1/flow-runs/cancel', { projectId, flowRunIds: [id] });

	/** Runs whose lives a test plays, and every end of them that is a failure. */
	function play(count: number) {
		const { service } = context;
		const { live } = service;
		const ends: string[] = [];
		const lives = Array.from({ length: count }, () =>
			live.flowRunLife(live.addFlowRun({ status: 'QUEUED' }).id),
		);
		const finishing = new Map<FlowRunLife, boolean>();

		function show(life: FlowRunLife) {
			if (!finishing.has(life)) return;
			const { id, finishTime } = life.show();
			if (finishing.get(life) === true) ends.push(`${id} ${finishTime}`);
			finishing.delete(life);
		}

		async function step(index: number, what: Step) {
			const life = lives[index % count];
			const { status } = life.run;
			const isWorking = status === 'RUNNING' && !finishing.has(life);
			const isWaiting = status === 'QUEUED' || status === 'PAUSED';
			if (what === 'start' && isWaiting) life.start();
			else if (what === 'pause' && isWorking) life.pause();
			else if (what === 'fail' && isWorking) finishing.set(life.finish('FAILED'), true);
			else if (what === 'succeed' && isWorking) finishing.set(life.finish('SUCCEEDED'), false);
			else if (what === 'show') show(life);
			else if (what === 'lose' && isWorking) life.loseWorker().start();
			else if (what === 'cancel' && isWaiting) {
				await cancel(life.run);
			} else if (what === 'retry' && status === 'FAILED') {
				await retry(life.run);
			}
		}

		/** Of the steps ahead at most one is possible at a time. */
		async function goOn(index: number) {
			const life = lives[index];
			const { status } = life.run;
			if (finishing.has(life)) show(life);
			else
				await step(index, status === 'RUNNING' ? 'fail' : status === 'FAILED' ? 'retry' : 'start');
		}

		const isRetryNext = (index: number, what: Step) =>
			what === 'go on' && lives[index].run.status === 'FAILED' && !finishing.has(lives[index]);

		return { ends, step, goOn, isRetryNext, showAll: () => lives.forEach(show) };
	}

	async function watch() {
		context.service.data.flowRuns = [];
		const trigger = createTriggerRun(context.engine, context.credential, {
			statuses: ['FAILED'],
			simplify: false,
		});
		await trigger.activate();
		return trigger;
	}

	const given = (trigger: { given: IDataObject[] }) =>
		trigger.given.map(({ id, finishTime }) => `${String(id)} ${String(finishTime)}`);

	test('each is given when it fails, in whatever order they were created, and again after a retry', async () => {
		const trigger = await watch();
		const { ends, step } = play(4);
		for (const index of [0, 1, 2, 3]) await step(index, 'start');
		await trigger.poll();
		for (const index of [2, 0, 3]) {
			if (index === 0) await step(1, 'pause');
			await step(index, 'fail');
			expect(await trigger.poll()).toEqual([]);
			await step(index, 'show');
			expect(await trigger.poll()).toHaveLength(1);
		}
		await step(2, 'retry');
		expect(await trigger.poll()).toEqual([]);
		for (const index of [1, 2]) await step(index, 'start');
		for (const index of [2, 1]) {
			await step(index, 'fail');
			await step(index, 'show');
		}
		await trigger.poll();
		await trigger.poll();
		expect(ends).toHaveLength(5);
		expect(given(trigger).sort()).toEqual([...ends].sort());
	});

	/** Both events of runs, which watch the same runs. */
	async function watchBoth(options: INodeParameters = {}) {
		const { data, time } = context.service;
		data.flowRuns = [];
		time.step = 1;
		// The clock of n8n goes as that of the service does.
		jest.spyOn(Date, 'now').mockImplementation(() => time.now);
		const watched = await Promise.all(
			['flowRunFailed', 'flowRunSucceeded'].map(async (event) => {
				const trigger = createTriggerRun(context.engine, context.credential, {
					event,
					simplify: false,
					options,
				});
				await trigger.activate();
				return trigger;
			}),
		);
		const [failed, succeeded] = watched;
		return {
			failed,
			succeeded,
			async poll() {
				for (const trigger of watched) await trigger.poll();
			},
			async restart() {
				for (const trigger of watched) await trigger.restart();
			},
		};
	}

	test('each end is given once, at the intervals of real servers, over restarts and an outage', async () => {
		const { service } = context;
		const { live, time } = service;
		const watched = await watchBoth();
		const lives = Array.from({ length: 7 }, () =>
			live.flowRunLife(live.addFlowRun({ status: 'QUEUED' }).id),
		);
		const [long, quick, lost, paused, retried, again, canceled] = lives;
		const ends = { failed: [] as string[], succeeded: [] as string[] };
		const end = (life: FlowRunLife, how: keyof typeof ends) => {
			life.finish(how === 'failed' ? 'FAILED' : 'SUCCEEDED');
			time.advance(SHOWN_AFTER);
			const { id, finishTime } = life.show();
			ends[how].push(`${id} ${finishTime}`);
		};
		const pass = async (ms: number) => {
			time.advance(ms);
			await watched.poll();
		};

		for (const life of lives) life.start();
		for (const life of [paused, canceled]) life.pause();
		lost.loseWorker();
		await pass(2 * SECOND);
		end(quick, 'succeeded');
		for (const life of [retried, again]) end(life, 'failed');
		await pass(30 * SECOND);
		for (const { run } of [retried, again]) await retry(run);
		await pass(SECOND);
		for (const life of [retried, again]) life.start();
		await pass(WORKER_REPLACED[release as keyof typeof WORKER_REPLACED] * SECOND);
		lost.start();
		await watched.restart();
		end(lost, 'failed');
		end(retried, 'succeeded');
		end(again, 'failed');
		// It began first and ends last.
		await pass(LONGEST_RUN);
		service.fault({ kind: { status: 503 } });
		end(long, 'failed');
		await watched.poll();
		await watched.poll();
		service.clearFaults();
		await watched.restart();
		await cancel(canceled.run);
		expect(canceled.run.status).toBe('CANCELED');
		await pass(LONGEST_RUN);
		paused.start();
		end(paused, 'succeeded');
		await pass(SECOND);
		await watched.restart();
		await pass(SECOND);

		expect(ends.failed).toHaveLength(5);
		expect(given(watched.failed).sort()).toEqual([...ends.failed].sort());
		expect(given(watched.succeeded).sort()).toEqual([...ends.succeeded].sort());
	});

	test.each([
		{ lookbackHours: 24, isGiven: false },
		{ lookbackHours: 24 * 6, isGiven: true },
	])(
		'a run that paused for five days is given only within Lookback: $lookbackHours hours',
		async ({ lookbackHours, isGiven }) => {
			const { live, time } = context.service;
			const watched = await watchBoth({ lookbackHours });
			const lives = Array.from({ length: 2 }, () =>
				live
					.flowRunLife(live.addFlowRun({ status: 'QUEUED' }).id)
					.start()
					.pause(),
			);
			for (let day = 0; day < 5; day++) {
				// Other runs end meanwhile, which moves what is known on.
				for (const status of ['FAILED', 'SUCCEEDED'] as const) live.addFlowRun({ status });
				time.advance(24 * HOUR);
				await watched.poll();
			}
			const before = watched.failed.given.length + watched.succeeded.given.length;
			expect(before).toBe(10);
			lives[0].start().finish('FAILED').show();
			lives[1].start().finish('SUCCEEDED').show();
			await watched.poll();
			await watched.poll();
			const after = [watched.failed, watched.succeeded].map((each) => each.given.at(-1)?.id);
			if (isGiven) expect(after).toEqual(lives.map(({ run }) => run.id));
			else for (const { run } of lives) expect(after).not.toContain(run.id);
			expect(watched.failed.given.length + watched.succeeded.given.length).toBe(
				isGiven ? before + 2 : before,
			);
		},
	);

	// Histories as such are those of `test/unit/trigger`; here runs live as they do in a server.
	if (release !== '0.85') return;
	test('each end is given once, whatever happens between polls', async () => {
		const action = fc.oneof(
			{ weight: 6, arbitrary: fc.tuple(fc.nat({ max: 3 }), fc.constant('go on' as const)) },
			{ weight: 2, arbitrary: fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(...TURNS)) },
			{ weight: 2, arbitrary: fc.constant('poll' as const) },
		);
		let seen = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60 }), async (history) => {
				const trigger = await watch();
				const { ends, step, goOn, isRetryNext, showAll } = play(4);
				for (const each of history) {
					if (each === 'poll') {
						await trigger.poll();
						continue;
					}
					const [index, what] = each;
					// A retry between two polls takes away the end before it: nobody could see that.
					if (isRetryNext(index, what)) await trigger.poll();
					await (what === 'go on' ? goOn(index) : step(index, what));
				}
				showAll();
				await trigger.poll();
				await trigger.poll();
				expect(given(trigger).sort()).toEqual([...ends].sort());
				expect(trigger.errors).toEqual([]);
				seen += ends.length;
			}),
			{ numRuns: 8 },
		);
		expect(seen).toBeGreaterThan(8);
	});
});
