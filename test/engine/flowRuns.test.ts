import type { INodeParameters } from 'n8n-workflow';

import { failedRun } from '../operations/flowRun';
import type { FlowRunRecord } from '../service/flowRunRecords';
import { parametersOf } from './harness/parameters';
import { FIRST_AND_LAST, byId, ids, requestUrls, useService, sortedIds } from './harness/service';

const LIST: INodeParameters = { resource: 'flowRun', operation: 'getAll' };
const ALL: INodeParameters = { ...LIST, returnAll: true };

const get = (id: unknown) => parametersOf('flowRun.get', { flowRunId: byId(id) });
const retry = (id: unknown, more: INodeParameters = {}) =>
	parametersOf('flowRun.retry', { flowRunId: byId(id), ...more });

describe.each(FIRST_AND_LAST)('flow runs on release %s', (release) => {
	const context = useService({ release, data: { flows: 12, flowRuns: 80 } });

	const { records, failure, failsWith } = context;

	/** Production runs that are not archived, newest first. */
	const listed = () =>
		context.data.flowRuns
			.filter(({ environment, archivedAt }) => environment === 'PRODUCTION' && archivedAt === null)
			.sort((a, b) => (a.created < b.created ? 1 : -1));

	test('the runs of all projects come newest first, with Limit and with Return All', async () => {
		const wanted = ids(listed());
		expect(ids(await records(ALL))).toEqual(wanted);
		expect(ids(await records({ ...LIST, limit: 17 }))).toEqual(wanted.slice(0, 17));
		expect(ids(await records({ ...LIST, limit: 3 }))).toEqual(wanted.slice(0, 3));
	});

	test('runs of one time stand in the order of their projects, whichever answers first', async () => {
		const { projects } = context.data;
		const created = '2027-01-01T00:00:00.000Z';
		const made = projects.flatMap(({ id }) => {
			const flow = context.data.flows.find(({ projectId }) => projectId === id);
			return flow === undefined ? [] : [context.live.addFlowRun({ flowId: flow.id, created })];
		});
		expect(made.length).toBeGreaterThan(1);
		const inOrder = async () => ids(await records({ ...LIST, limit: made.length }));
		const wanted = await inOrder();
		const times = Math.ceil(projects.length / 2);
		context.fault({ path: '/v1/flow-runs', times, kind: { delay: 60 } });
		expect(await inOrder()).toEqual(wanted);
		expect([...wanted].sort()).toEqual(sortedIds(made));
		context.data.flowRuns = context.data.flowRuns.filter((run) => run.created !== created);
	});

	test('the runs of a project come newest first, exactly as many as asked for', async () => {
		const [, { id }] = context.data.projects;
		const wanted = ids(listed().filter(({ projectId }) => projectId === id));
		const ofProject = { ...LIST, projectId: byId(id), limit: 9, options: { pageSize: 4 } };
		expect(ids(await records(ofProject))).toEqual(wanted.slice(0, 9));
		expect(ids(await records({ ...ofProject, returnAll: true }))).toEqual(wanted);
	});

	test('archived runs and test runs are left out', async () => {
		const archived = context.live.addFlowRun({ archivedAt: '2026-12-01T08:00:00.000Z' });
		const tested = context.live.addFlowRun({ environment: 'TESTING' });
		const given = ids(await records(ALL));
		expect(given.filter((id) => id === archived.id || id === tested.id)).toEqual([]);
		expect(await records(get(tested.id))).toEqual([expect.objectContaining({ id: tested.id })]);
	});

	test('Simplify gives ten fields, in which nothing is "" or {}', async () => {
		const given = new Map((await records(ALL)).map((run) => [run.id, run]));
		const failed = failedRun(context.data)!;
		expect(given.get(failed.id)).toEqual({
			id: failed.id,
			flowName: failed.version.displayName,
			flowId: failed.flowId,
			projectId: failed.projectId,
			status: 'FAILED',
			failedStep: {
				name: failed.failedStep?.name,
				displayName: failed.failedStep?.displayName,
				message: release === '0.73' ? null : failed.failedStep?.message,
			},
			started: failed.startTime,
			finished: failed.finishTime,
			durationSeconds:
				(Date.parse(failed.finishTime ?? '') - Date.parse(failed.startTime ?? '')) / 1000,
			url: `${context.baseUrl.replace(/\/api$/, '')}/projects/${failed.projectId}/runs/${failed.id}`,
		});
		expect(given.get(listed().find(({ status }) => status === 'QUEUED')?.id)).toMatchObject({
			failedStep: null,
			started: null,
			finished: null,
			durationSeconds: null,
		});
		// The first columns of n8n's table are the visible ones.
		expect(Object.keys(given.get(failed.id)!).slice(0, 3)).toEqual(['id', 'status', 'flowName']);
		expect(JSON.stringify([...given.values()])).not.toMatch(/:(""|\{\})/);
	});

	test('without Simplify a run is what the service sent', async () => {
		const [run] = await records({ ...LIST, limit: 1, simplify: false });
		expect(run).toMatchObject({ stepNameToTest: release === '0.73' ? '' : null });
		expect(run).toHaveProperty('flowVersion.displayName');
		expect('flowVersion_trigger' in run).toBe(release !== '0.73');
	});

	test('Get says why a run failed, on releases that keep it in the steps only as well', async () => {
		const failed = failedRun(context.data)!;
		const [run] = await records(get(failed.id));
		const logged = failed.steps[failed.failedStep?.name ?? ''] as { errorMessage: string };
		expect(run.failedStep).toMatchObject({
			name: failed.failedStep?.name,
			message: release === '0.73' ? logged.errorMessage : failed.failedStep?.message,
		});
		const [raw] = await records({ ...get(failed.id), simplify: false });
		expect(raw.steps).toEqual(failed.steps);
	});

	test.each<[INodeParameters, (run: FlowRunRecord) => boolean]>([
		[{ runStatus: ['FAILED', 'TIMEOUT'] }, ({ status }) => /^(FAILED|TIMEOUT)$/.test(status)],
		[{ tags: 'nightly, none' }, ({ tags }) => tags !== null],
		[{ failedStepName: ' step_2 ' }, ({ failedStep }) => failedStep?.name === 'step_2'],
	])('the filter %j is the service’s', async (filters, passes) => {
		const wanted = ids(listed().filter(passes));
		expect(wanted.length).toBeGreaterThan(0);
		expect(wanted.length).toBeLessThan(listed().length);
		expect(ids(await records({ ...ALL, filters }))).toEqual(wanted);
	});

	test('flows are selected by their IDs', async () => {
		const [one, two] = new Set(listed().map(({ flowId }) => flowId));
		expect(ids(await records({ ...ALL, filters: { flowIds: `${one}, ${two}` } }))).toEqual(
			ids(listed().filter(({ flowId }) => flowId === one || flowId === two)),
		);
	});

	test('Created After and Created Before include their own time', async () => {
		const wanted = listed().slice(10, 20);
		const filters = {
			createdAfter: wanted[9].created,
			createdBefore: wanted[0].created.replace('Z', '+00:00'),
		};
		expect(ids(await records({ ...ALL, filters }))).toEqual(ids(wanted));
	});

	test('a time from an expression, and one without a zone, are sent in UTC', async () => {
		const filters = {
			createdAfter: "={{ DateTime.fromISO('2026-12-01T09:00:00+02:00') }}",
			createdBefore: '2026-12-01T09:00:00',
		};
		await records({ ...LIST, projectId: byId(context.data.projects[0].id), filters });
		// The workflow of the tests is in Europe/Berlin.
		expect(context.requests[0].query).toMatchObject({
			createdAfter: '2026-12-01T07:00:00.000Z',
			createdBefore: '2026-12-01T08:00:00.000Z',
		});
	});

	test.each(['yesterday', '2026', '2026-13-01', '20:15'])(
		'the time "%s" is refused, and nothing is sent',
		async (createdAfter) => {
			const error = await failure({ ...LIST, filters: { createdAfter } });
			expect(error.message).toBe(`Created After must be a date, not "${createdAfter}"`);
			expect(error.description).toContain('Nothing was sent');
			expect(context.requests).toEqual([]);
		},
	);

	test('a failed run continues from its failed step, with the same ID', async () => {
		const run = context.live.addFlowRun({ status: 'FAILED' });
		expect(await records(retry(run.id))).toEqual([
			{
				id: run.id,
				retriedRunId: run.id,
				status: 'QUEUED',
				flowName: run.version.displayName,
				flowId: run.flowId,
				projectId: run.projectId,
			},
		]);
		expect(requestUrls(context)).toEqual([
			`GET /v1/flow-runs/${run.id}`,
			`POST /v1/flow-runs/${run.id}/retry`,
		]);
		expect(context.requests[1].body).toEqual({
			strategy: 'FROM_FAILED_STEP',
			projectId: run.projectId,
		});
	});

	test('on the latest version it is a new run, and both IDs are returned', async () => {
		const run = context.live.addFlowRun({ status: 'TIMEOUT' });
		const count = context.data.flowRuns.length;
		const [record] = await records(retry(run.id, { strategy: 'ON_LATEST_VERSION' }));
		expect(record).toMatchObject({ retriedRunId: run.id, status: 'QUEUED' });
		expect(record.id).not.toBe(run.id);
		expect(context.data.flowRuns).toHaveLength(count + 1);
	});

	test.each(['SUCCEEDED', 'RUNNING', 'QUEUED', 'PAUSED', 'CANCELED'] as const)(
		'a run that is %s is not retried unless the person says so',
		async (status) => {
			const run = context.live.addFlowRun({ status });
			const error = await failure(retry(run.id));
			expect(error.message).toBe(`Flow run "${run.id}" has not failed: its status is ${status}`);
			expect(error.description).toContain('Nothing was changed');
			expect(requestUrls(context)).toHaveLength(1);
			const [record] = await records(retry(run.id, { options: { anyStatus: true } }));
			expect(record.status).toBe('QUEUED');
		},
	);

	test('a run that appears twice in the input is retried once', async () => {
		const { id } = context.live.addFlowRun({ status: 'FAILED' });
		const { items } = await context.run(retry('={{ $json.id }}'), {
			items: [{ id }, { id }],
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json.error ?? json.status)).toEqual([
			'QUEUED',
			`Flow run "${id}" has not failed: its status is QUEUED`,
		]);
		expect(context.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	test('a flow without a published version cannot run on its latest version', async () => {
		const run = context.live.addFlowRun({ flowId: context.live.addFlow().id, status: 'FAILED' });
		const error = await failure(retry(run.id, { strategy: 'ON_LATEST_VERSION' }));
		expect(error.message).toBe(`The flow of flow run "${run.id}" is not published`);
		expect(error.description).toContain('From Failed Step');
	});

	test('an old run is retried, or reported as too old', async () => {
		const run = context.live.addFlowRun({ status: 'FAILED', created: '2026-06-01T00:00:00.000Z' });
		if (release !== '0.73') {
			await failsWith(retry(run.id), `Flow run "${run.id}" is too old to retry`, '30 days');
		} else {
			expect(await records(retry(run.id))).toMatchObject([{ status: 'QUEUED' }]);
		}
	});

	test('From List of Get shows runs with any status', async () => {
		const { results } = await context.search('searchAllFlowRuns');
		expect(results.map(({ value }) => value).sort()).toEqual(sortedIds(listed()));
		for (const { name, value } of results) {
			const { status } = listed().find(({ id }) => id === value)!;
			expect(name).toContain(`, ${status.toLowerCase().replaceAll('_', ' ')} (`);
		}
	});

	test('From List shows the failed runs of each project, newest first', async () => {
		const { results } = await context.search('searchFlowRuns');
		const failed = listed().filter(({ status }) =>
			['FAILED', 'TIMEOUT', 'INTERNAL_ERROR', 'QUOTA_EXCEEDED', 'MEMORY_LIMIT_EXCEEDED'].includes(
				status,
			),
		);
		expect(results.map(({ value }) => value).sort()).toEqual(sortedIds(failed));
		for (const { name, value } of results) {
			const run = failed.find(({ id }) => id === value)!;
			const project = context.data.projects.find(({ id }) => id === run.projectId);
			const reason = run.failedStep?.displayName ?? run.status.toLowerCase().replaceAll('_', ' ');
			expect(name).toBe(
				`${run.created.slice(0, 10)} ${run.created.slice(11, 19)}Z, ${run.version.displayName}, ${reason} (${project?.displayName})`,
			);
		}
		expect(new Set(results.map(({ name }) => name)).size).toBe(results.length);
		const found = await context.search('searchFlowRuns', { filter: failed[0].id });
		expect(found.results.map((each) => each.value)).toEqual([failed[0].id]);
	});
});

describe('the list of runs of a single project', () => {
	const context = useService({ data: { projects: 1, flows: 2, flowRuns: 20 } });

	test('does not name the project', async () => {
		context.data.projects.splice(0, context.data.projects.length - 1);
		const [{ id, displayName }] = context.data.projects;
		for (const run of context.data.flowRuns) run.projectId = id;
		const { results } = await context.search('searchFlowRuns');
		expect(results.length).toBeGreaterThan(0);
		for (const { name } of results) expect(name).not.toContain(displayName);
	});
});

describe('runs of many projects', () => {
	const context = useService({ data: { projects: 30, flows: 60, flowRuns: 400 } });

	test('the newest of all projects are found with few records: later projects are asked only for newer ones', async () => {
		const given = await context.records({ ...LIST, limit: 20 });
		const newest = [...context.data.flowRuns].sort((a, b) => (a.created < b.created ? 1 : -1));
		expect(ids(given)).toEqual(ids(newest.slice(0, 20)));
		const lists = context.requests.filter(({ path }) => path === '/v1/flow-runs');
		expect(lists.filter(({ query }) => query.createdAfter === undefined).length).toBeLessThan(20);
		expect(context.inFlight.peak).toBeLessThanOrEqual(10);
	});

	test('Created After of the person is kept', async () => {
		const newest = [...context.data.flowRuns].sort((a, b) => (a.created < b.created ? 1 : -1));
		const parameters = { ...LIST, limit: 20, filters: { createdAfter: newest[9].created } };
		expect(ids(await context.records(parameters))).toEqual(ids(newest.slice(0, 10)));
	});
});

describe.each(['0.73', '0.79'] as const)('runs of one second on release %s', (release) => {
	const context = useService({
		release,
		data: { projects: 1, flows: 4, flowRuns: 30, flowRunsSameSecond: true },
	});

	test('are all returned, although the service loses them at page edges', async () => {
		const given = await context.records({ ...ALL, options: { pageSize: 7 } });
		expect(sortedIds(given)).toEqual(sortedIds(context.data.flowRuns));
	});
});

describe('the message of a failed code step', () => {
	const context = useService({ release: '0.85' });

	test('is shortened in a list, and complete in Get, which has the steps', async () => {
		// JSON writes each of these characters with six.
		const whole = `Error: ${'\u0007'.repeat(150)}`;
		const errorMessage = JSON.stringify({ __apErrorVersion: 1, message: whole, raw: 'Error' });
		const named = { name: 'step_1', displayName: 'Code' };
		const failedStep = { ...named, message: `${errorMessage.slice(0, 640)}…` };
		const run = { id: 'A'.repeat(21), status: 'FAILED', failedStep };
		const full = { ...run, steps: { step_1: { type: 'CODE', errorMessage } } };
		context.fault({ path: '/v1/flow-runs', kind: { body: { data: [run], next: null } } });
		context.fault({ path: `/v1/flow-runs/${run.id}`, kind: { body: full } });
		expect(
			await context.records({ ...ALL, projectId: byId(context.data.projects[0].id) }),
		).toMatchObject([{ failedStep: { ...named, message: `${whole.slice(0, 107)}…` } }]);
		expect(await context.records(get(run.id))).toMatchObject([
			{ failedStep: { ...named, message: whole } },
		]);
	});
});
