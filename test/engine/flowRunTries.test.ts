import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { wholeRun } from '../service/flowRunAnswers';
import type { FlowRunRecord } from '../service/flowRunRecords';
import { TRAITS } from '../service/releases';
import { parametersOf, RETRY_ON_FAIL as settings } from './harness/parameters';
import { FIRST_AND_LAST, byId, useService } from './harness/service';

const RETRY = parametersOf('flowRun.retry', { flowRunId: byId('={{ $json.id }}') });
const LATEST: INodeParameters = { ...RETRY, strategy: 'ON_LATEST_VERSION' };

describe.each(FIRST_AND_LAST)('Retry On Fail and Flow Run → Retry on release %s', (release) => {
	const context = useService({ release });

	const run = async (parameters: INodeParameters, items: IDataObject[], more = {}) =>
		await context.run(parameters, { items, settings, ...more });
	const failedRuns = (count: number) =>
		Array.from({ length: count }, () => context.live.addFlowRun({ status: 'FAILED' }));
	const posts = () => context.requests.filter(({ method }) => method === 'POST');
	/** The runs whose retry was carried out, once for each retry. */
	const retried = () =>
		posts()
			.filter(({ status }) => status === 200)
			.map(({ path }) => path.split('/')[3]);
	const itemsOf = (runs: FlowRunRecord[]) => runs.map(({ id }) => ({ id }));
	const loseAnswer = (after = 0) =>
		context.fault({
			method: 'POST',
			after,
			times: 1,
			done: true,
			kind: { reset: 'beforeHeaders' },
		});

	/** A run whose retry ended before it is read again. */
	function endBeforeSecondTry(failed: FlowRunRecord, status: 'FAILED' | 'SUCCEEDED') {
		context.fault({
			method: 'GET',
			path: `/v1/flow-runs/${failed.id}`,
			after: 1,
			times: 1,
			kind: {
				answers: () => wholeRun(context.live.finishFlowRun(failed.id, status), TRAITS[release]),
			},
		});
	}

	test.each(['QUEUED', 'FAILED', 'SUCCEEDED'] as const)(
		'a retry whose response was lost is recognized, and sent once, when its run is %s since',
		async (status) => {
			const [failed] = failedRuns(1);
			loseAnswer();
			if (status !== 'QUEUED') endBeforeSecondTry(failed, status);
			const { items, error } = await run(RETRY, itemsOf([failed]));
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toMatchObject([{ id: failed.id, status }]);
			expect(posts()).toHaveLength(1);
		},
	);

	test('a retry that did not arrive is sent again', async () => {
		const [failed] = failedRuns(1);
		context.fault({ method: 'POST', times: 1, kind: { reset: 'beforeHeaders' } });
		const { items } = await run(RETRY, itemsOf([failed]));
		expect(items.map(({ json }) => json)).toMatchObject([{ id: failed.id, status: 'QUEUED' }]);
		expect(posts()).toHaveLength(2);
		expect(retried()).toEqual([failed.id]);
	});

	test.each([
		['From Failed Step', RETRY],
		['On Latest Version', LATEST],
	])('%s: items completed before another one failed are not repeated', async (_name, strategy) => {
		const runs = failedRuns(3);
		const before = context.data.flowRuns.length;
		context.fault({ method: 'POST', after: 1, times: 1, kind: { status: 422, message: 'no' } });
		const { items, error } = await run(strategy, itemsOf(runs));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.retriedRunId)).toEqual(runs.map(({ id }) => id));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(retried()).toEqual(runs.map(({ id }) => id));
		const made = context.data.flowRuns.length - before;
		expect(made).toBe(strategy === LATEST ? 3 : 0);
	});

	test.each([
		['is lost', { done: true, kind: { reset: 'beforeHeaders' } }],
		['is 500', { done: true, kind: { status: 500 } }],
		['is 504', { done: true, kind: { status: 504 } }],
		['is the page of a proxy', { done: true, kind: { html: true } }],
	] as const)(
		'On Latest Version: when the response %s the outcome is unknown, so it is reported and not sent again',
		async (_how, fault) => {
			const runs = failedRuns(2);
			const before = context.data.flowRuns.length;
			context.fault({ method: 'POST', after: 1, times: 1, ...fault });
			const { error } = await run(LATEST, itemsOf(runs));
			expect(error?.message).toBe(`Could not confirm whether flow run "${runs[1].id}" was retried`);
			expect(error?.description).toContain('Check the runs of the flow in Activepieces');
			expect(error?.description).toContain('1 of 2 items were completed');
			expect(posts()).toHaveLength(2);
			expect(context.data.flowRuns).toHaveLength(before + 2);
		},
	);

	test('with Retry Even If Not Failed, a run that was in progress before is not sent again while its state is uncertain', async () => {
		const running = context.live.addFlowRun({ status: 'RUNNING' });
		loseAnswer();
		const { error } = await run({ ...RETRY, options: { anyStatus: true } }, itemsOf([running]));
		expect(error?.message).toBe(`Could not confirm whether flow run "${running.id}" was retried`);
		expect(posts()).toHaveLength(1);
	});

	test('with Retry Even If Not Failed, a run that succeeded before is recognized as complete', async () => {
		const ended = context.live.addFlowRun({ status: 'SUCCEEDED' });
		loseAnswer();
		const { items } = await run({ ...RETRY, options: { anyStatus: true } }, itemsOf([ended]));
		expect(items.map(({ json }) => json)).toMatchObject([{ id: ended.id, status: 'QUEUED' }]);
		expect(posts()).toHaveLength(1);
	});

	test('also applies to items whose error continues in the workflow', async () => {
		const runs = failedRuns(2);
		loseAnswer();
		const { items } = await run(RETRY, itemsOf(runs), { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json)).toMatchObject(
			runs.map(({ id }) => ({ id, status: 'QUEUED' })),
		);
		expect(retried().length).toBeLessThanOrEqual(2);
		expect(posts()).toHaveLength(2);
	});

	test('does not apply to another run of the node: a run that failed again is retried again', async () => {
		const [failed] = failedRuns(1);
		await run(RETRY, itemsOf([failed]));
		context.live.finishFlowRun(failed.id, 'FAILED');
		await run(RETRY, itemsOf([failed]));
		expect(retried()).toEqual([failed.id, failed.id]);
	});

	test('a run that is queued although no try of this node run requested it has not failed', async () => {
		const queued = context.live.addFlowRun({ status: 'QUEUED' });
		const { error } = await run(RETRY, itemsOf([queued]));
		expect(error?.message).toBe(`Flow run "${queued.id}" has not failed: its status is QUEUED`);
		expect(error?.description).toContain('It may have been retried already');
		expect(posts()).toEqual([]);
	});
});
