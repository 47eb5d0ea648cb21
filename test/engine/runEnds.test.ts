import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';

import type { FlowRunStatus } from '../service/flowRunRecords';
import { ids } from './harness/byId';
import { ofRecord, RETRY_ON_FAIL } from './harness/parameters';
import { calls, flowAdder, runFlow, WAIT } from './harness/runFlow';
import { requestPaths, useService } from './harness/service';

const awaited = (more: INodeParameters = {}) => ({ options: { waitForEnd: true, ...more } });

describe.each(['0.79', '0.85', '0.92'] as const)('the end of a run on release %s', (release) => {
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
		const expectEnd = async (id: string, state: RegExp, ends: RegExp) =>
			await failsWith(
				retry(id, { waitTimeout: 3 }),
				`Flow run "${id}" has not ended after 3 seconds`,
				[
					state,
					ends,
					/\. Open it there: \S+\. To wait longer, raise the option Wait Timeout \(Seconds\)\.$/,
				],
			);
		await expectEnd(failed().id, /^It is queued,/, / and goes on in Activepieces\./);
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
		const until = /^It is paused at "Approve" \(step_1\) until 2026-12-02T08:00:00\.000Z:/;
		await expectEnd(paused.id, until, /: it waits, for example for an approval\./);
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
		const begin = () => {
			const [{ headers }] = calls(context);
			const run = context.live.addFlowRun({ flowId: id, status: 'RUNNING' });
			run.steps = { trigger: { output: { headers } } };
		};
		const list = '/v1/flow-runs';
		context.fault({ method: 'GET', path: list, after: 3, times: 1, kind: { before: begin } });
		const message = /^Flow run "\w+" has not ended after 4 seconds$/;
		await failsWith(runFlow(id, awaited({ waitTimeout: 4 })), message, /^It is running,/);
		const looks = requestPaths(context).filter((path) => path.startsWith(`GET ${list}`));
		expect(looks.filter((path) => path === `GET ${list}`).length).toBeLessThanOrEqual(5);
	});

	test('Run returns the run that it started, for each item', async () => {
		const { id } = add();
		context.live.addFlowRun({ flowId: id, status: 'SUCCEEDED' });
		const given = await records(runFlow(id, awaited()), [{ order: 1 }, { order: 2 }]);
		for (const run of given) {
			expect(run).toMatchObject({ status: 'SUCCEEDED', flowId: id });
			expect(run).toEqual(await record(ofRecord('flowRun.get', run.id)));
		}
		expect(given.map((run) => bodyOf(run.id))).toEqual([{ order: 1 }, { order: 2 }]);
		expect(new Set(given.map((run) => run.id)).size).toBe(2);
	});

	test('Run returns a run that failed, and no error', async () => {
		const { id } = add();
		context.service.webhooks.ends.set(id, 'fails');
		const run = await record(runFlow(id, awaited()));
		expect(run).toMatchObject({ status: 'FAILED', failedStep: { displayName: 'Check the order' } });
	});

	test('Run says that no worker starts the run', async () => {
		const { id } = add();
		context.service.worker.state = 'stopped';
		const late = /^Flow ".*" \(\w+\) was started, but its run was not found within 2 seconds$/;
		const noWorker = 'check that a worker is running';
		await failsWith(runFlow(id, awaited({ waitTimeout: 2 })), late, noWorker);
		expect(context.posts()).toHaveLength(1);
	});

	const bodyOf = (runId: unknown) => {
		const { steps } = context.data.flowRuns.find((each) => each.id === runId)!;
		return (steps as { trigger: { output: IDataObject } }).trigger.output.body;
	};

	test('Run returns its own run, although calls of others are queued, running, or come at the same time', async () => {
		const { id } = add();
		const startOthers = () => {
			context.live.addFlowRun({ flowId: id, status: 'SUCCEEDED', log: true });
			context.live.addFlowRun({ flowId: id, status: 'QUEUED' });
			// It ended before its first step.
			context.live.addFlowRun({ flowId: id, status: 'INTERNAL_ERROR' });
		};
		context.fault({ path: /webhooks/, times: 1, kind: { before: startOthers } });
		const ended = await Promise.all(
			[1, 2, 3].map(async (order) => await record(runFlow(id, awaited()), [{ order }])),
		);
		expect(ended.map((run) => bodyOf(run.id))).toEqual([1, 2, 3].map((order) => ({ order })));
	});

	test('Run finds the run of a large input, which the log has in a file', async () => {
		const { id } = add();
		const text = 'x'.repeat(40_000);
		const run = await record(runFlow(id, awaited({ waitTimeout: 5 })), [{ text }]);
		expect(run).toMatchObject({ flowId: id, status: 'SUCCEEDED' });
		const isWhole = release === '0.79';
		expect(requestPaths(context).some((path) => path.startsWith('GET /v1/files/'))).toBe(!isWhole);
	});

	test('many items look for their runs together', async () => {
		const { id } = add();
		const items = Array.from({ length: 10 }, (_, order) => ({ order }));
		const ended = await records(runFlow(id, awaited()), items);
		expect(ended.map((run) => bodyOf(run.id))).toEqual(items);
		const lists = requestPaths(context).filter((path) => path === 'GET /v1/flow-runs');
		expect(lists.length).toBeLessThanOrEqual(items.length);
	});

	test.each([
		['schedule', 'starts on a schedule'],
		['manual-trigger', 'starts manually'],
		['subflows', 'starts as a subflow'],
		['gmail', 'starts on an app event'],
	])('the end is not awaited if the run keeps no headers: %s', async (kind, starts) => {
		const { id } = add(undefined, { kind });
		const message = `Flow "Orders" (${id}) ${starts}, so the end of its run cannot be awaited`;
		await failsWith(runFlow(id, awaited()), message, 'Turn off Wait for the End');
		const headers = { values: [{ name: 'AP-Raw-Payload', value: 'true' }] };
		const raw = 'The end of a run cannot be awaited with the header ap-raw-payload';
		await failsWith(runFlow(add().id, awaited({ headers })), raw, 'Remove it');
		expect(context.posts()).toEqual([]);
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
