import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';

import type { FlowRunStatus } from '../service/flowRunRecords';
import { ids } from './harness/byId';
import { ofRecord, RETRY_ON_FAIL } from './harness/parameters';
import { flowAdder, runFlow, WAIT } from './harness/runFlow';
import { requestPaths, useService } from './harness/service';

const awaited = (more: INodeParameters = {}) => ({ options: { waitForEnd: true, ...more } });

describe.each(['0.73', '0.85', '0.92'] as const)('the end of a run on release %s', (release) => {
	const context = useService({ release, data: { flows: 4, flowRuns: 4 } });
	const { failsWith, record, records } = context;
	const add = flowAdder(context);
	afterEach(() => {
		context.service.worker.state = 'running';
	});
	const failed = () => context.live.addFlowRun({ status: 'FAILED' });
	const retry = (id: unknown, more?: INodeParameters) =>
		ofRecord('flowRun.retry', id, awaited(more));

	/** Ends a run, as a worker does, once it was queued again. */
	const endAfterRetry = async (id: string, status: FlowRunStatus) => {
		const isSent = () => context.posts().some(({ path }) => path.endsWith('/retry'));
		while (!isSent()) await sleep(1);
		context.live.flowRunLife(id).start().finish(status).show();
	};

	test.each(['SUCCEEDED', 'FAILED'] as const)('Retry returns the run that %s', async (status) => {
		const { id } = failed();
		const [given] = await Promise.all([record(retry(id)), endAfterRetry(id, status)]);
		expect(given).toEqual({ ...(await record(ofRecord('flowRun.get', id))), retriedRunId: id });
		expect(given).toMatchObject({ id, status });
	});

	test('Retry says the state of a run that has not ended in time, and what a paused one waits for', async () => {
		const expectEnd = async (id: string, state: RegExp) =>
			await failsWith(
				retry(id, { waitTimeout: 3 }),
				`Flow run "${id}" has not ended after 3 seconds`,
				[
					state,
					/ and goes on in Activepieces\. Open it there: \S+\. To wait longer, raise Wait Timeout \(Seconds\) under Options\.$/,
				],
			);
		await expectEnd(failed().id, /^It is queued,/);
		const paused = failed();
		const step = { name: 'step_1', displayName: 'Approve', type: 'PIECE', settings: {} };
		const answers = (): IDataObject => ({
			...paused,
			...{ status: 'PAUSED', steps: { step_1: { type: 'PIECE', status: 'PAUSED' } } },
			flowVersion: { displayName: 'Orders', trigger: { name: 'trigger', nextAction: step } },
			pauseMetadata: { type: 'DELAY', resumeDateTime: '2026-12-02T08:00:00.000Z' },
		});
		const path = `/v1/flow-runs/${paused.id}`;
		context.fault({ method: 'GET', path, after: 1, kind: { answers } });
		const until = /^It is paused at "Approve" \(step_1\) until 2026-12-02T08:00:00\.000Z,/;
		await expectEnd(paused.id, until);
	});

	/** A run cannot be read in one try of the node, and is there in the next one. */
	const hideOnce = (path: string | RegExp, after = 0) =>
		context.fault({ method: 'GET', path, after, times: 1, kind: { status: 500 } });

	test('a later try waits for the run that the earlier one has retried on the latest version', async () => {
		const { id } = failed();
		hideOnce(/^\/v1\/flow-runs\/\w/, 1);
		const newest = () => context.data.flowRuns[0].id;
		const before = newest();
		const endNewest = async () => {
			while (newest() === before) await sleep(1);
			context.live.flowRunLife(newest()).start().finish('SUCCEEDED').show();
		};
		const latest = { ...retry(id), strategy: 'ON_LATEST_VERSION' };
		const run = context.run(latest, { settings: RETRY_ON_FAIL });
		const [{ error, items }] = await Promise.all([run, endNewest()]);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ id: newest(), status: 'SUCCEEDED', retriedRunId: id });
		expect(context.posts()).toHaveLength(1);
	});

	test('a later try waits for the run that the earlier one has started', async () => {
		const { id } = add();
		hideOnce(/^\/v1\/flow-runs\/\w/);
		const { error, items } = await context.run(runFlow(id, awaited()), { settings: RETRY_ON_FAIL });
		expect(error).toBeUndefined();
		const started = context.data.flowRuns.filter(({ flowId }) => flowId === id);
		expect(ids(started)).toEqual([items[0].json.id]);
		expect(items[0].json).toMatchObject({ status: 'SUCCEEDED' });
		expect(context.posts()).toHaveLength(1);
	});

	test('Wait Timeout is one time for the start and the end of a run', async () => {
		const { id } = add();
		context.service.worker.state = 'stopped';
		const begin = () => void context.live.addFlowRun({ flowId: id, status: 'QUEUED' });
		const list = '/v1/flow-runs';
		context.fault({ method: 'GET', path: list, after: 3, times: 1, kind: { before: begin } });
		const message = /^Flow run "\w+" has not ended after 4 seconds$/;
		await failsWith(runFlow(id, awaited({ waitTimeout: 4 })), message, /^It is queued,/);
		const looks = requestPaths(context).filter((path) => path.startsWith(`GET ${list}`));
		// Before the start; until the run is listed, once a second for three; and of the run itself at once and in the fourth.
		expect(looks.filter((path) => path === `GET ${list}`)).toHaveLength(4);
		expect(looks.length).toBeLessThanOrEqual(6);
	});

	test('Run returns the run that it started, for each item', async () => {
		const { id } = add();
		context.live.addFlowRun({ flowId: id, status: 'SUCCEEDED' });
		const given = await records(runFlow(id, awaited()), [{ order: 1 }, { order: 2 }]);
		for (const run of given) {
			expect(run).toMatchObject({ status: 'SUCCEEDED', flowId: id });
			expect(run).toEqual(await record(ofRecord('flowRun.get', run.id)));
		}
		const bodies = given.map(({ id: runId }) => {
			const { steps } = context.data.flowRuns.find((each) => each.id === runId)!;
			return (steps as { trigger: { output: IDataObject } }).trigger.output.body;
		});
		expect(bodies).toEqual([{ order: 1 }, { order: 2 }]);
		expect(new Set(given.map((run) => run.id)).size).toBe(2);
	});

	test('Run returns a run that failed, and no error', async () => {
		const { id } = add();
		context.service.webhooks.ends.set(id, 'fails');
		const run = await record(runFlow(id, awaited()));
		expect(run).toMatchObject({ status: 'FAILED', failedStep: { displayName: 'Check the order' } });
	});

	test('Run says that no worker starts the run, or that others began at the same time', async () => {
		const { id } = add();
		const { worker } = context.service;
		worker.state = 'stopped';
		const late = /^Flow ".*" \(\w+\) was started, but its run did not begin within 2 seconds$/;
		const noWorker = 'Check that a worker is running.';
		await failsWith(runFlow(id, awaited({ waitTimeout: 2 })), late, noWorker);
		worker.state = 'running';
		const startAnother = async () => {
			while (!requestPaths(context).includes(`POST /v1/webhooks/${id}`)) await sleep(0);
			for (let run = 0; run < 2; run++) context.live.addFlowRun({ flowId: id, status: 'QUEUED' });
		};
		context.clearRequests();
		const other = startAnother();
		const several = /^Flow ".*" \(\w+\) was started, but other runs of it began at the same time$/;
		const which = 'The node cannot tell which run is its own.';
		await failsWith(runFlow(id, awaited()), several, which);
		await other;
	});

	test('a test run cannot be awaited, and a response is awaited as before', async () => {
		const { id } = add({ body: { order: 1 } });
		await context.refuses(
			runFlow(id, awaited({ version: 'draft' })),
			'The end of a test run cannot be awaited',
			'Set Version to Published, or turn off Wait for the End.',
		);
		expect(await record(runFlow(id, { ...WAIT, ...awaited() }))).toEqual({ order: 1 });
	});
});
