import type { IDataObject } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { parametersOf } from './harness/parameters';
import { FIRST_AND_LAST, byId, requestUrls, useService, sortedIds } from './harness/service';
import { signedIn } from './harness/signIn';

restoreLimits(limits);

const cancel = (id: unknown) => parametersOf('flowRun.cancel', { flowRunId: byId(id) });

describe.each(FIRST_AND_LAST)('Flow Run → Cancel on release %s', (release) => {
	const context = useService({ release, data: { flows: 12, flowRuns: 40 } });

	const { records, failure, failsWith } = context;
	const posts = () => context.requests.filter(({ method }) => method === 'POST');
	const statusOf = (id: string) => context.data.flowRuns.find((run) => run.id === id)?.status;
	const path = (id: string) => `/v1/flow-runs/${id}`;

	test.each(['PAUSED', 'QUEUED'] as const)('cancels a run that is %s', async (status) => {
		const run = context.live.addFlowRun({ status });
		const other = context.live.addFlowRun({ status });
		expect(await records(cancel(run.id))).toEqual([
			{
				id: run.id,
				status: 'CANCELED',
				flowName: run.version.displayName,
				flowId: run.flowId,
				projectId: run.projectId,
				started: status === 'PAUSED' ? run.startTime : null,
				url: `${context.origin}/projects/${run.projectId}/runs/${run.id}`,
			},
		]);
		expect(requestUrls(context)).toEqual([
			`GET ${path(run.id)}`,
			'POST /v1/flow-runs/cancel',
			`GET ${path(run.id)}`,
		]);
		expect([statusOf(run.id), statusOf(other.id)]).toEqual(['CANCELED', status]);
	});

	// With an empty list the service cancels every waiting run of the project (recorded).
	test('names exactly one run in each request, whatever the input', async () => {
		const runs = Array.from({ length: 4 }, () => context.live.addFlowRun({ status: 'PAUSED' }));
		const waits = context.live.addFlowRun({ status: 'PAUSED' });
		const values: unknown[] = [...runs.map(({ id }) => id), '', ' ', null, [], [waits.id], {}];
		await context.run(cancel('={{ $json.value }}'), {
			items: values.map((value) => ({ value }) as IDataObject),
			onError: 'continueRegularOutput',
		});
		expect(posts().map(({ body }) => body)).toEqual(
			runs.map(({ id, projectId }) => ({ projectId, flowRunIds: [id] })),
		);
		expect(statusOf(waits.id)).toBe('PAUSED');
	});

	test.each([
		['RUNNING', 'is running'],
		['SUCCEEDED', 'has ended: its status is SUCCEEDED'],
		['FAILED', 'has ended: its status is FAILED'],
	] as const)('reports a run that is %s, and sends nothing', async (status, words) => {
		const run = context.live.addFlowRun({ status });
		await failsWith(cancel(run.id), `Flow run "${run.id}" ${words}`, 'Nothing was changed');
		expect(posts()).toEqual([]);
	});

	test('returns a run that was canceled before, and sends nothing', async () => {
		const run = context.live.addFlowRun({ status: 'CANCELED' });
		expect(await records(cancel(run.id))).toMatchObject([{ id: run.id, status: 'CANCELED' }]);
		expect(posts()).toEqual([]);
	});

	test('reports a run that started before it could be canceled', async () => {
		const run = context.live.addFlowRun({ status: 'QUEUED' });
		context.fault({ method: 'POST', kind: { empty: true } });
		const began = { ...run, status: 'RUNNING' };
		context.fault({ path: path(run.id), after: 1, kind: { body: began } });
		const error = await failure(cancel(run.id));
		expect(error.message).toBe(`Flow run "${run.id}" is running`);
		expect(error.description).toContain('It started before it could be canceled');
	});

	test('waits until the run is canceled, and reports one that is not', async () => {
		const run = context.live.addFlowRun({ status: 'PAUSED' });
		context.fault({ path: path(run.id), after: 1, times: 2, kind: { body: { ...run } } });
		expect(await records(cancel(run.id))).toMatchObject([{ status: 'CANCELED' }]);

		limits.pendingChange.maxElapsedMs = 3_000;
		const stays = context.live.addFlowRun({ status: 'PAUSED' });
		context.fault({ method: 'POST', kind: { empty: true } });
		await failsWith(cancel(stays.id), `Flow run "${stays.id}" is still paused after 3 seconds`);
	});

	test('reports that the run may be canceled if it cannot be read afterwards', async () => {
		const run = context.live.addFlowRun({ status: 'PAUSED' });
		context.fault({ path: path(run.id), after: 1, kind: { status: 500 } });
		await failsWith(cancel(run.id), /./, 'The node had already sent the request');
	});

	test('returns the same for a second input item with the same run', async () => {
		const { id } = context.live.addFlowRun({ status: 'PAUSED' });
		const given = await records(cancel('={{ $json.id }}'), [{ id }, { id }]);
		expect(given.map(({ status }) => status)).toEqual(['CANCELED', 'CANCELED']);
		expect(posts()).toHaveLength(1);
	});

	test('without a worker, a queued run cannot be canceled from 0.85 on', async () => {
		const run = context.live.addFlowRun({ status: 'QUEUED' });
		context.service.worker.state = 'stopped';
		if (release === '0.73') {
			expect(await records(cancel(run.id))).toMatchObject([{ status: 'CANCELED' }]);
		} else {
			const error = await failure(cancel(run.id));
			expect(error.message).toBe(`Activepieces could not cancel flow run "${run.id}"`);
			expect(error.description).toContain('stays queued');
			expect(statusOf(run.id)).toBe('QUEUED');
		}
		context.service.worker.state = 'running';
	});

	test('From List shows only runs that are waiting', async () => {
		const { results } = await context.search('searchWaitingFlowRuns', { parameters: cancel('') });
		const wanted = context.data.flowRuns.filter(
			({ status, environment, archivedAt }) =>
				(status === 'PAUSED' || status === 'QUEUED') &&
				environment === 'PRODUCTION' &&
				archivedAt === null,
		);
		expect(wanted.length).toBeGreaterThan(0);
		expect(results.map(({ value }) => value).sort()).toEqual(sortedIds(wanted));
		for (const { name } of results) expect(name).toMatch(/, (paused|queued)( \(|$)/);
	});
});

describe.each(FIRST_AND_LAST)('Flow Run → Cancel on Community %s', (release) => {
	const context = useService({ release, edition: 'community', data: { flows: 4, flowRuns: 4 } });

	test('cancels a run of the user', async () => {
		const { id } = context.live.addFlowRun({ status: 'PAUSED' });
		expect(await signedIn(context).records(cancel(id))).toMatchObject([{ id, status: 'CANCELED' }]);
	});
});
