import type { INodeParameters } from 'n8n-workflow';

import { readExamples } from '../e2e/support/exampleFiles';
import { agentTool } from './harness/agentTool';
import { byId } from './harness/byId';
import { parametersOf } from './harness/parameters';
import { requestPaths, requestUrls, useService } from './harness/service';

const flowsOf = (projectId: string, folderId?: string) =>
	parametersOf('flow.count', {
		projectId: byId(projectId),
		...(folderId !== undefined && { folderId: byId(folderId) }),
	});
const runsOf = (projectId: string, filters = {}) =>
	parametersOf('flowRun.getCounts', { projectId: byId(projectId), ...filters });

describe('Flow → Get Count', () => {
	const context = useService({ data: { projects: 2, flows: 40 } });
	const { record, failsWith } = context;

	test('counts the flows of a project, of a folder, and without a folder, with one request for the project', async () => {
		const [{ id: projectId }] = context.data.projects;
		const flows = context.data.flows.filter((flow) => flow.projectId === projectId);
		const [{ id }] = context.data.folders.filter((folder) => folder.projectId === projectId);
		const inFolder = (folderId: string | null) =>
			flows.filter((flow) => flow.folderId === folderId).length;
		expect(await record(flowsOf(projectId))).toEqual({ count: flows.length, projectId });
		expect(requestUrls(context)).toEqual([`GET /v1/flows/count?projectId=${projectId}`]);
		expect(await record(flowsOf(projectId, id))).toEqual({ count: inFolder(id), projectId });
		for (const none of ['NULL', 'No Folder']) {
			expect(await record(flowsOf(projectId, none))).toEqual({ count: inFolder(null), projectId });
		}
	});

	test('a folder of another project is refused, because the service would count 0 flows', async () => {
		const [one, other] = context.data.projects;
		const folder = context.data.folders.find(({ projectId }) => projectId === other.id)!;
		await failsWith(
			flowsOf(one.id, folder.id),
			`The folder "${folder.displayName}" is in another project`,
			'Choose another folder in Folder',
		);
		expect(requestPaths(context)).toEqual(['GET /v1/flows/count', `GET /v1/folders/${folder.id}`]);
	});

	const ofAll = (more: INodeParameters = {}) =>
		parametersOf('flow.count', { projectId: byId(''), ...more });

	test('without a project, the flows of all projects are counted', async () => {
		const { flows, folders } = context.data;
		expect(await record(ofAll())).toEqual({ count: flows.length, projectId: null });
		const [{ id }] = folders;
		const count = flows.filter(({ folderId }) => folderId === id).length;
		expect(await record(ofAll({ folderId: byId(id) }))).toEqual({ count, projectId: null });
		await failsWith(ofAll({ folderId: byId('A'.repeat(21)) }), /^Folder "A+" was not found$/);
		// None is left out without a word.
		context.fault({ path: '/v1/flows/count', times: 1, after: 1, kind: { status: 403 } });
		await failsWith(ofAll(), /not allowed/);
	});

	test('flows are counted by their status, in one project and in all', async () => {
		const [{ id: projectId }] = context.data.projects;
		for (const status of ['ENABLED', 'DISABLED']) {
			const flows = context.data.flows.filter((flow) => flow.status === status);
			const filters = { status: [status] };
			const all = { count: flows.length, projectId: null };
			expect(await record(ofAll({ filters }))).toEqual(all);
			const own = flows.filter((flow) => flow.projectId === projectId);
			const ofProject = { ...flowsOf(projectId), filters };
			expect(await record(ofProject)).toEqual({ count: own.length, projectId });
		}
	});

	test('a model finds out with a tool of the example how many flows are enabled', async () => {
		const { nodes } = readExamples()['automation-assistant'];
		const { parameters } = nodes.find(({ name }) => name === 'Count Flows')!;
		const call = agentTool(context.engine, context.credential, parameters, {});
		const { flows } = context.data;
		const enabled = flows.filter(({ status }) => status === 'ENABLED').length;
		const counted = [
			['ENABLED', enabled],
			['', flows.length],
		];
		for (const [status, count] of counted) {
			expect(JSON.parse(await call({ status }))).toEqual([{ count, projectId: null }]);
		}
	});

	test('a response that is no number is no count', async () => {
		context.fault({ path: '/v1/flows/count', kind: { body: { count: 3 } } });
		const [{ id }] = context.data.projects;
		await failsWith(flowsOf(id), 'The response for the flows does not have the expected format');
	});
});

describe.each(['0.79', '0.85', '0.92'] as const)(
	'counts of all projects on release %s',
	(release) => {
		const context = useService({ release, data: { projects: 12, flows: 40, flowRuns: 40 } });
		const pairs: Array<[string, string, () => number]> = [
			['flow.count', 'count', () => context.data.flows.length],
			['flowRun.getCounts', 'total', () => context.data.flowRuns.length],
		];

		test.each(release === '0.79' ? pairs.slice(0, 1) : pairs)(
			'go on without a project that was deleted since the projects were listed: %s',
			async (pair, field, number) => {
				const [first, ...others] = context.data.projects;
				const gone = { id: 'GoneGoneGoneGoneGone1', displayName: 'Gone', type: 'TEAM' };
				const body = { data: [first, gone, ...others], next: null, previous: null };
				context.fault({ path: '/v1/projects', times: 1, kind: { body } });
				const counted = await context.record(parametersOf(pair, { projectId: byId('') }));
				expect(counted).toMatchObject({ [field]: number(), projectId: null });
				// One that is chosen is not left out.
				const chosen = parametersOf(pair, { projectId: byId(gone.id) });
				expect((await context.failure(chosen)).message).toMatch(/not found|not allowed/);
			},
		);

		test.each(release === '0.79' ? pairs.slice(0, 1) : pairs)(
			'are those of the listed projects, also of one or none: %s',
			async (pair, field) => {
				const [{ id }] = context.data.projects;
				const gone = 'GoneGoneGoneGoneGone1';
				const countOf = async (...listed: string[]) => {
					const data = listed.map((each) => ({ id: each, displayName: each, type: 'TEAM' }));
					const body = { data, next: null, previous: null };
					context.clearFaults();
					context.fault({ path: '/v1/projects', times: 1, kind: { body } });
					return await context.record(parametersOf(pair, { projectId: byId('') }));
				};
				expect(await countOf(id)).toMatchObject({ projectId: id });
				expect(await countOf()).toMatchObject({ [field]: 0, projectId: null });
				expect(await countOf(gone)).toMatchObject({ [field]: 0, projectId: gone });
			},
		);

		test('see a project that was created since the item before', async () => {
			const [first, ...later] = context.data.projects;
			context.fault({
				path: '/v1/projects',
				times: 1,
				kind: { body: { data: [first, later[0]], next: null, previous: null } },
			});
			const counts = await context.records(parametersOf('flow.count', { projectId: byId('') }), [
				{},
				{},
			]);
			expect(counts.map(({ count }) => count)).toContain(context.data.flows.length);
		});
	},
);

describe('Flow Run → Get Counts', () => {
	const context = useService({ data: { projects: 2, flowRuns: 200 } });
	const older = useService({ release: '0.79' });

	test('returns the number of runs with each status, 0 for those that do not occur', async () => {
		const [{ id: projectId }] = context.data.projects;
		const runs = context.data.flowRuns.filter((run) => run.projectId === projectId);
		const counted = await context.record(runsOf(projectId));
		const { total, projectId: given, ...counts } = counted;
		expect([total, given]).toEqual([runs.length, projectId]);
		for (const [status, count] of Object.entries(counts)) {
			expect([status, count]).toEqual([status, runs.filter((run) => run.status === status).length]);
		}
		expect(counts).toMatchObject({ FAILED: expect.any(Number), LOG_SIZE_EXCEEDED: 0 });
		expect(requestPaths(context)).toEqual(['GET /v1/flow-runs/count-by-status']);
	});

	test('without a project, the runs of all projects are counted', async () => {
		const { flowRuns } = context.data;
		const all = await context.record(parametersOf('flowRun.getCounts', { projectId: byId('') }));
		const succeeded = flowRuns.filter(({ status }) => status === 'SUCCEEDED');
		expect(all).toMatchObject({ projectId: null, SUCCEEDED: succeeded.length });
		expect(all.total).toBe(flowRuns.length);
	});

	test('counts the runs of a time, with times in the workflow’s time zone', async () => {
		const [{ id: projectId }] = context.data.projects;
		const [middle] = context.data.flowRuns.filter((run) => run.projectId === projectId).slice(50);
		const later = context.data.flowRuns.filter(
			(run) => run.projectId === projectId && run.created >= middle.created,
		);
		const { total } = await context.record(runsOf(projectId, { createdAfter: middle.created }));
		expect(total).toBe(later.length);
	});

	test('an older release counts no runs, and is not taken for one with a wrong ID', async () => {
		await older.failsWith(
			runsOf(older.data.projects[0].id),
			'In this Activepieces release, flow runs cannot be counted',
			'This requires Activepieces 0.85 or later. Use Get Many instead.',
		);
	});
});
