import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { call } from '../../service/client';
import type { FlowRunLife } from '../../service/flowRunLife';
import { RELEASES, useService } from '../harness/service';
import { createTriggerRun } from '../harness/trigger';

/** What may happen to a run; it does where the run is so far. Going on is towards its next failure. */
const TURNS = ['pause', 'succeed', 'lose', 'cancel'] as const;
type Step = (typeof TURNS)[number] | 'start' | 'fail' | 'show' | 'retry' | 'go on';

describe.each(RELEASES)('runs in the hands of workers on release %s', (release) => {
	const context = useService({ release });

	/** Runs whose lives a test plays, and every end of them that is a failure. */
	function play(count: number) {
		const { service } = context;
		const { live } = service;
		const ends: string[] = [];
		const lives = Array.from({ length: count }, () =>
			live.flowRunLife(live.addFlowRun({ status: 'QUEUED' }).id),
		);
		const finishing = new Map<FlowRunLife, boolean>();

		const post = async (path: string, body: IDataObject) =>
			await call(service, path, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});

		function show(life: FlowRunLife) {
			if (!finishing.has(life)) return;
			const { id, finishTime } = life.show();
			if (finishing.get(life) === true) ends.push(`${id} ${finishTime}`);
			finishing.delete(life);
		}

		async function step(index: number, what: Step) {
			const life = lives[index % count];
			const { id, projectId, status } = life.run;
			const isWorking = status === 'RUNNING' && !finishing.has(life);
			const isWaiting = status === 'QUEUED' || status === 'PAUSED';
			if (what === 'start' && isWaiting) life.start();
			else if (what === 'pause' && isWorking) life.pause();
			else if (what === 'fail' && isWorking) finishing.set(life.finish('FAILED'), true);
			else if (what === 'succeed' && isWorking) finishing.set(life.finish('SUCCEEDED'), false);
			else if (what === 'show') show(life);
			else if (what === 'lose' && isWorking) life.loseWorker().start();
			else if (what === 'cancel' && isWaiting) {
				await post('/v1/flow-runs/cancel', { projectId, flowRunIds: [id] });
			} else if (what === 'retry' && status === 'FAILED') {
				await post(`/v1/flow-runs/${id}/retry`, { projectId, strategy: 'FROM_FAILED_STEP' });
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
