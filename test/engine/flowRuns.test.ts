import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { failedRun } from '../operations/flowRun';
import { FIRST_AND_LAST } from '../service';
import type { FlowRunRecord } from '../service/flowRunRecords';
import { limits } from './harness/built';
import { byId, ids } from './harness/byId';
import { expectEntries, values } from './harness/locators';
import { ofRecord, parametersOf } from './harness/parameters';
import { requestUrls, useService } from './harness/service';

const LIST = parametersOf('flowRun.getAll');
const ALL = { ...LIST, returnAll: true };

const get = (id: unknown, more: INodeParameters = {}) => ofRecord('flowRun.get', id, more);
const retry = (id: unknown, more: INodeParameters = {}) => ofRecord('flowRun.retry', id, more);
const cancel = (id: unknown) => ofRecord('flowRun.cancel', id);

/** Newest first. */
const sorted = (runs: FlowRunRecord[]) =>
	[...runs].sort((a, b) => (a.created < b.created ? 1 : -1));
const words = (status: string) => status[0] + status.slice(1).toLowerCase().replaceAll('_', ' ');

describe.each(FIRST_AND_LAST)('flow runs on release %s', (release) => {
	const context = useService({ release, data: { flows: 12, flowRuns: 80 } });
	const isOld = release === '0.79';

	const { record, records, failsWith } = context;
	const addRun = (status: FlowRunRecord['status'] = 'FAILED') =>
		context.live.addFlowRun({ status });
	/** Production runs that are not archived. */
	const listed = () =>
		sorted(context.data.flowRuns).filter(
			({ environment, archivedAt }) => environment === 'PRODUCTION' && archivedAt === null,
		);
	const only = (...statuses: string[]) =>
		listed().filter(({ status }) => statuses.includes(status));

	describe('Get Many', () => {
		test('the runs of all projects, or of one, come newest first, exactly as many as asked for', async () => {
			const [, { id }] = context.data.projects;
			const ofOne = listed().filter(({ projectId }) => projectId === id);
			for (const [more, runs] of [
				[{}, listed()],
				[{ projectId: byId(id), options: { pageSize: 4 } }, ofOne],
			] as const) {
				expect(ids(await records({ ...ALL, ...more }))).toEqual(ids(runs));
				const limited = ids(await records({ ...LIST, ...more, limit: 9 }));
				expect(limited).toEqual(ids(runs.slice(0, 9)));
			}
		});

		test('runs of one time stand in the order of their projects, whichever answers first', async () => {
			const { flows } = context.data;
			const projects = await records({ ...parametersOf('project.getAll'), returnAll: true });
			const created = '2027-01-01T00:00:00.000Z';
			const made = projects.flatMap(({ id }) => {
				const flow = flows.find(({ projectId }) => projectId === id);
				return flow ? [context.live.addFlowRun({ flowId: flow.id, created })] : [];
			});
			expect(made.length).toBeGreaterThan(1);
			const inOrder = async () => ids(await records({ ...LIST, limit: made.length }));
			const wanted = await inOrder();
			context.fault({ path: '/v1/flow-runs', times: 2, kind: { delay: 60 } });
			expect(await inOrder()).toEqual(wanted);
			expect(wanted).toEqual(ids(made));
			context.data.flowRuns = context.data.flowRuns.filter((run) => run.created !== created);
		});

		test('archived runs and test runs are left out', async () => {
			const archived = context.live.addFlowRun({ archivedAt: '2026-12-01T08:00:00.000Z' });
			const tested = context.live.addFlowRun({ environment: 'TESTING' });
			const given = ids(await records(ALL));
			for (const { id } of [archived, tested]) expect(given).not.toContain(id);
			expect(await record(get(tested.id))).toMatchObject({ id: tested.id });
		});

		test('Simplify gives ten fields, in which nothing is "" or {}', async () => {
			const given = new Map((await records(ALL)).map((run) => [run.id, run]));
			const { id, version, flowId, projectId, failedStep, ...failed } = failedRun(context.data)!;
			const [started, finished] = [failed.startTime!, failed.finishTime!];
			const { name, displayName, message } = failedStep!;
			expect(given.get(id)).toEqual({
				...{ id, flowName: version.displayName, flowId, projectId, status: 'FAILED' },
				failedStep: { name, displayName, message },
				...{ started, finished },
				projectName: context.data.projects.find((each) => each.id === projectId)?.displayName,
				url: `${context.origin}/projects/${projectId}/runs/${id}`,
			});
			const none = { failedStep: null, started: null, finished: null };
			expect(given.get(only('QUEUED')[0].id)).toMatchObject(none);
			// The first columns of n8n's table are the visible ones.
			expect(Object.keys(given.get(id)!).slice(0, 3)).toEqual(['flowName', 'status', 'failedStep']);
			expect(JSON.stringify([...given.values()])).not.toMatch(/:(""|\{\})/);
		});
	});

	test('only a run that failed has a failed step, although the service keeps it for a retry', async () => {
		const { id } = addRun('QUEUED');
		const life = context.live.flowRunLife(id);
		const shown = async () => {
			const listed = (await records(ALL)).find((run) => run.id === id);
			return [(await record(get(id))).failedStep, listed?.failedStep];
		};
		life.start().finish('FAILED').show();
		const name = 'step_1';
		expect(await shown()).toMatchObject([{ name }, { name }]);
		await record(retry(id));
		for (const step of [() => life, () => life.start(), () => life.finish('SUCCEEDED').show()]) {
			step();
			expect(await shown()).toEqual([null, null]);
			expect((await record(get(id, { simplify: false }))).failedStep).toMatchObject({ name });
		}
	});

	describe('Retry', () => {
		test('a failed run continues from its failed step, with the same ID', async () => {
			const { id, flowId, projectId, version } = addRun();
			expect(await record(retry(id))).toEqual({
				...{ id, retriedRunId: id, status: 'QUEUED' },
				...{ flowName: version.displayName, flowId, projectId },
			});
			const [read, sent] = [`/v1/flow-runs/${id}`, `/v1/flow-runs/${id}/retry`];
			const body = { strategy: 'FROM_FAILED_STEP', projectId };
			expect(context.requests).toMatchObject([{ path: read }, { path: sent, body }]);
		});

		test('on the latest version it is a new run, and both IDs are returned', async () => {
			const { id } = addRun('TIMEOUT');
			const { length } = context.data.flowRuns;
			const run = await record(retry(id, { strategy: 'ON_LATEST_VERSION' }));
			expect(run).toMatchObject({ retriedRunId: id, status: 'QUEUED' });
			expect(run.id).not.toBe(id);
			expect(context.data.flowRuns).toHaveLength(length + 1);
		});

		const RETRIED = 'It may have been retried already. ';
		const BEGINS: Record<string, string> = {
			...{ PAUSED: 'It waits, for example for an approval, and continues by itself. ' },
			...{ RUNNING: RETRIED, QUEUED: RETRIED },
		};
		const AGAIN =
			'Retrying it would run its steps again. To retry it anyway, turn on the option Retry Even If Not Failed. Nothing was changed.';
		const OTHERS = ['SUCCEEDED', 'RUNNING', 'QUEUED', 'PAUSED', 'CANCELED'] as const;
		test.each(OTHERS)('one that is %s only if the person says so', async (status) => {
			const { id } = addRun(status);
			const message = `Flow run "${id}" has not failed: its status is ${status}`;
			const { [status]: begins = '' } = BEGINS;
			await failsWith(retry(id), message, `${begins}${AGAIN}`);
			expect(requestUrls(context)).toHaveLength(1);
			const run = await record(retry(id, { options: { anyStatus: true } }));
			expect(run.status).toBe('QUEUED');
		});

		test('a flow without a published version cannot run on its latest version', async () => {
			const flowId = context.live.addFlow().id;
			const { id } = context.live.addFlowRun({ flowId, status: 'FAILED' });
			const message = `The flow of flow run "${id}" is not published`;
			await failsWith(retry(id, { strategy: 'ON_LATEST_VERSION' }), message, 'From Failed Step');
		});

		test('an old run is retried, or reported as too old', async () => {
			const created = '2026-06-01T00:00:00.000Z';
			const { id } = context.live.addFlowRun({ status: 'FAILED', created });
			if (isOld) expect(await record(retry(id))).toMatchObject({ status: 'QUEUED' });
			else await failsWith(retry(id), `Flow run "${id}" is too old to retry`, '30 days');
		});
	});

	describe('Cancel', () => {
		const path = (id: string) => `/v1/flow-runs/${id}`;
		const statusOf = (id: string) => context.data.flowRuns.find((run) => run.id === id)?.status;

		test.each(['PAUSED', 'QUEUED'] as const)('cancels a run that is %s', async (status) => {
			const { id, flowId, projectId, version, startTime } = addRun(status);
			const other = addRun(status);
			expect(await record(cancel(id))).toEqual({
				...{ id, status: 'CANCELED', flowName: version.displayName, flowId, projectId },
				started: status === 'PAUSED' ? startTime : null,
				url: `${context.origin}/projects/${projectId}/runs/${id}`,
			});
			const read = `GET ${path(id)}`;
			expect(requestUrls(context)).toEqual([read, 'POST /v1/flow-runs/cancel', read]);
			expect([statusOf(id), statusOf(other.id)]).toEqual(['CANCELED', status]);
		});

		// With an empty list the service cancels every waiting run of the project (recorded).
		test('names exactly one run in each request, whatever the input', async () => {
			const runs = Array.from({ length: 4 }, () => addRun('PAUSED'));
			const waits = addRun('PAUSED');
			const given = [...ids(runs), '', ' ', null, [], [waits.id], {}];
			const items = given.map((value) => ({ value }) as IDataObject);
			const onError = 'continueRegularOutput';
			await context.run(cancel('={{ $json.value }}'), { items, onError });
			expect(context.posts().map(({ body }) => body)).toEqual(
				runs.map(({ id, projectId }) => ({ projectId, flowRunIds: [id] })),
			);
			expect(statusOf(waits.id)).toBe('PAUSED');
		});

		test.each([
			['RUNNING', 'is running'],
			['SUCCEEDED', 'has ended: its status is SUCCEEDED'],
			['FAILED', 'has ended: its status is FAILED'],
		] as const)('reports a run that is %s, and sends nothing', async (status, what) => {
			const { id } = addRun(status);
			await failsWith(cancel(id), `Flow run "${id}" ${what}`, 'Nothing was changed');
			expect(context.posts()).toEqual([]);
		});

		test('returns a run that is canceled already, or by another item, and sends nothing', async () => {
			const items = [{ id: addRun('CANCELED').id }, { id: addRun('PAUSED').id }];
			const given = await records(cancel('={{ $json.id }}'), [...items, items[1]]);
			expect(given.map(({ status }) => status)).toEqual(['CANCELED', 'CANCELED', 'CANCELED']);
			expect(context.posts()).toHaveLength(1);
		});

		test('reports a run that started before it could be canceled', async () => {
			const run = addRun('QUEUED');
			context.fault({ method: 'POST', kind: { empty: true } });
			const body = { ...run, status: 'RUNNING' };
			context.fault({ path: path(run.id), after: 1, kind: { body } });
			const message = `Flow run "${run.id}" is running`;
			await failsWith(cancel(run.id), message, 'It started before it could be canceled');
		});

		test('waits until the run is canceled, and reports one that is not', async () => {
			const run = addRun('PAUSED');
			context.fault({ path: path(run.id), after: 1, times: 2, kind: { body: { ...run } } });
			expect(await record(cancel(run.id))).toMatchObject({ status: 'CANCELED' });

			limits.pendingChange.maxElapsedMs = 3_000;
			const stays = addRun('PAUSED');
			context.fault({ method: 'POST', kind: { empty: true } });
			const message = `Flow run "${stays.id}" is still paused after 3 seconds`;
			const says = /^Activepieces accepted the request\. [^.]* run the node again\.$/;
			await failsWith(cancel(stays.id), message, says);
		});

		test('a response with a body comes from something else, and confirms nothing', async () => {
			limits.pendingChange.maxElapsedMs = 1_000;
			const { id } = addRun('PAUSED');
			context.fault({ method: 'POST', kind: { body: {} } });
			const unlike = 'The response for the flow run does not have the expected format';
			await failsWith(cancel(id), unlike, 'Activepieces may have applied the change.');
			expect(statusOf(id)).toBe('PAUSED');
		});

		test('reports that the run may be canceled if it cannot be read afterwards', async () => {
			const { id } = addRun('PAUSED');
			context.fault({ path: path(id), after: 1, kind: { status: 500 } });
			const message = 'Activepieces could not process the request (HTTP 500)';
			await failsWith(cancel(id), message, 'The node had already sent the request');

			const lost = addRun('PAUSED');
			context.fault({ method: 'POST', kind: { status: 502 } });
			context.fault({ path: path(lost.id), after: 1, kind: { status: 500 } });
			await failsWith(cancel(lost.id), /HTTP 502/, 'may have applied the change');
		});

		test('without a worker, a queued run cannot be canceled from 0.85 on', async () => {
			const { id } = addRun('QUEUED');
			context.service.worker.state = 'stopped';
			if (isOld) expect(await record(cancel(id))).toMatchObject({ status: 'CANCELED' });
			else {
				// The service said that it did nothing.
				const says = [/stays queued/, /^((?!may have applied)[^])*$/];
				const message = `Activepieces could not cancel flow run "${id}"`;
				expect((await failsWith(cancel(id), message, says)).httpCode).toBe('500');
				expect(statusOf(id)).toBe('QUEUED');
			}
			context.service.worker.state = 'running';
		});
	});

	describe('From List', () => {
		const FAILED = 'FAILED TIMEOUT INTERNAL_ERROR QUOTA_EXCEEDED MEMORY_LIMIT_EXCEEDED'.split(' ');
		const NEWER = ['LOG_SIZE_EXCEEDED'] as const;
		test.each([
			['of Get shows runs with any status', 'searchAllFlowRuns', () => listed()],
			['of Cancel shows those that wait', 'searchWaitingFlowRuns', () => only('PAUSED', 'QUEUED')],
			['of Retry shows those that failed', 'searchFlowRuns', () => only(...FAILED, ...NEWER)],
		])('%s, with status, flow and time, and finds one by its ID', async (_what, method, runs) => {
			for (const status of NEWER) addRun(status);
			const parameters = cancel('');
			const { results } = await context.search(method, { parameters });
			const wanted = runs();
			expectEntries(results, wanted, (run) => {
				const { created, projectId, version, status } = run;
				const project = context.data.projects.find(({ id }) => id === projectId);
				// The workflow of the tests is in Europe/Berlin.
				const [month, day, time] = new Date(created)
					.toLocaleString('en-US', {
						...({ timeZone: 'Europe/Berlin', month: 'short', day: 'numeric' } as const),
						...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
					})
					.split(/,? /);
				return `${words(status)} · ${version.displayName} · ${day} ${month} ${time} (${project?.displayName})`;
			});
			const [{ id }] = wanted;
			expect(values(await context.search(method, { parameters, filter: id }))).toEqual([id]);
		});
	});
});

describe('times of runs', () => {
	const context = useService({ data: { projects: 1, flows: 2, flowRuns: 20 } });

	test('from an expression, and without a zone, are sent in UTC', async () => {
		const filters = {
			createdAfter: "={{ DateTime.fromISO('2026-12-01T09:00:00+02:00') }}",
			createdBefore: '2026-12-01T09:00:00',
		};
		await context.records({ ...LIST, projectId: byId(context.data.projects[0].id), filters });
		// The workflow of the tests is in Europe/Berlin.
		const listed = context.requests.find(({ path }) => path === '/v1/flow-runs');
		expect(listed?.query).toMatchObject({
			createdAfter: '2026-12-01T07:00:00.000Z',
			createdBefore: '2026-12-01T08:00:00.000Z',
		});
	});
});

describe('runs of many projects', () => {
	const context = useService({ data: { projects: 30, flows: 60, flowRuns: 400 } });
	const newest = (count: number) => sorted(context.data.flowRuns).slice(0, count);

	test('the newest of more than an item may have are found: later projects are asked only for newer ones', async () => {
		limits.maxRecordsPerItem = 50;
		const options = { pageSize: 50 };
		expect(ids(await context.records({ ...LIST, limit: 20, options }))).toEqual(ids(newest(20)));
		const lists = context.requests.filter(({ path }) => path === '/v1/flow-runs');
		expect(lists.filter(({ query }) => query.createdAfter === undefined).length).toBeLessThan(20);
		expect(context.inFlight.peak).toBeLessThanOrEqual(10);
		await context.failsWith({ ...ALL, options }, /^There are more flow runs than .* \(50\)/);
	});

	test('Created After of the person is kept', async () => {
		const filters = { createdAfter: newest(10)[9].created };
		const given = await context.records({ ...LIST, limit: 20, filters });
		expect(ids(given)).toEqual(ids(newest(10)));
	});
});
