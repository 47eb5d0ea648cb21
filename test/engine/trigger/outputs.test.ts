import type { INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST } from '../../service';
import { byId, byUrl, ids } from '../harness/byId';
import { requestUrls, useService } from '../harness/service';
import { signInCredential } from '../harness/signIn';
import { activeTrigger, TriggerRun } from '../harness/trigger';

describe('records that the trigger returns', () => {
	const context = useService({ data: { projects: 2, flows: 10, flowRuns: 10 } });

	const start = (parameters: INodeParameters) => new TriggerRun(context, parameters);
	const listed = async (resource: string, id: string) => {
		const records = await context.records({ resource, operation: 'getAll', returnAll: true });
		return records.find((record) => record.id === id);
	};

	test.each([
		['flowCreated', 'flow'],
		['flowPublished', 'flow'],
		['flowStatusChanged', 'flow'],
		['flowRunFailed', 'flowRun'],
		['flowRunSucceeded', 'flowRun'],
		['platformEvent', 'auditEvent'],
	])('%s has the same fields as Get Many: %s', async (event, resource) => {
		const { live, data } = context;
		const [{ id: projectId }] = data.projects;
		const runs = [{}, { projectId: byId(projectId) }].map((more) => start({ event, ...more }));
		for (const run of runs) await run.activate();
		const flow = live.addFlow({ projectId, published: true, enabled: true });
		const status = event === 'flowRunFailed' ? 'FAILED' : 'SUCCEEDED';
		const ofRun = live.addFlowRun({ flowId: flow.id, status });
		const ofLog = live.addAuditEvent({ action: 'folder.created' });
		const { id } = { flow, flowRun: ofRun, auditEvent: ofLog }[resource]!;
		for (const run of runs) expect(await run.poll()).toEqual([await listed(resource, id)]);
		for (const run of runs) {
			const [example] = await run.fetchTestEvent();
			expect(example).toEqual(await listed(resource, String(example.id)));
		}
	});

	test('cost one request for a poll of one project, and one for its name only when there is something', async () => {
		const [{ id: projectId }] = context.data.projects;
		const run = start({ event: 'flowCreated', projectId: byId(projectId) });
		await run.activate();
		context.clearRequests();
		await run.poll();
		const list = `GET /v1/flows?projectId=${projectId}&limit=1000`;
		expect(requestUrls(context)).toEqual([list]);
		context.live.addFlow({ projectId });
		context.clearRequests();
		await run.poll();
		expect(requestUrls(context)).toEqual([list, 'GET /v1/projects?limit=10000']);
	});

	test('are returned without the name of their project when it cannot be read, and raw without Simplify', async () => {
		const [{ id: projectId }] = context.data.projects;
		const parameters = { event: 'flowCreated', projectId: byId(projectId) };
		const runs = [start(parameters), start({ ...parameters, simplify: false })];
		for (const run of runs) await run.activate();
		const { id } = context.live.addFlow({ projectId });
		context.fault({ path: '/v1/projects', kind: { status: 500 } });
		expect(await runs[0].poll()).toMatchObject([{ id, projectName: null }]);
		const [raw] = await runs[1].poll();
		expect(raw).toMatchObject({ id, version: expect.any(Object) });
		expect(raw).not.toHaveProperty('projectName');
	});

	test('are those of the project or the flow whose URL is entered', async () => {
		const [{ id: projectId }, { id: other }] = context.data.projects;
		const flow = context.live.addFlow({ projectId, published: true });
		const page = `${context.baseUrl.replace(/\/api$/, '')}/projects/${projectId}/flows`;
		const ofProject = start({ event: 'flowCreated', projectId: byUrl(page) });
		const ofFlow = start({ event: 'flowStatusChanged', flowId: byUrl(`${page}/${flow.id}?tab=1`) });
		for (const run of [ofProject, ofFlow]) await run.activate();
		context.live.addFlow({ projectId: other, enabled: true });
		const { id } = context.live.addFlow({ projectId });
		context.live.setFlowStatus(flow.id, 'ENABLED');
		expect(await ofProject.poll()).toMatchObject([{ id }]);
		expect(await ofFlow.poll()).toMatchObject([{ id: flow.id }]);
	});
});

const WATCH = { event: 'connectionNeedsAttention' };

describe.each(FIRST_AND_LAST)('connections on the Community edition of release %s', (release) => {
	const context = useService({ release, edition: 'community', data: { flows: 4 } });
	const watch = async (more: INodeParameters = {}) => {
		const credential = signInCredential(context);
		return await activeTrigger({ ...context, credential }, { ...WATCH, ...more });
	};

	test('a broken connection starts a workflow that names its flows, once', async () => {
		const connection = context.live.addConnection({ externalId: 'breaks', name: 'Breaks' });
		const projectId = connection.projectIds[0];
		const flow = context.live.addFlow({ projectId, enabled: true, connectionIds: ['breaks'] });
		const run = await watch();
		expect(await run.poll()).toEqual([]);

		context.live.setConnectionStatus(connection.id, 'ERROR');
		const text = expect.any(String) as string;
		const { id, pieceName } = connection;
		expect(await run.poll()).toEqual([
			{
				...{ id, externalId: 'breaks', name: 'Breaks', pieceName, status: 'ERROR', projectId },
				...{ projectName: text, flowIds: [flow.id], ownerEmail: text, updated: text },
			},
		]);
		expect(await run.poll()).toEqual([]);
		expect([...run.errors, ...run.warnings, ...run.logged]).toEqual([]);
	});

	test('Global Connections says that the server has none', async () => {
		await expect(watch({ scope: 'global' })).rejects.toThrow(/has no global connections/);
	});
});

describe.each(FIRST_AND_LAST)('connections on Enterprise, release %s', (release) => {
	const context = useService({ release, data: { flows: 4, projects: 3 } });
	const GLOBAL_FIELDS = ['projectIds', 'flowCount', 'type'];
	const PROJECT_FIELDS = ['projectId', 'projectName', 'flowIds'];

	test.each(['all', 'global', 'project'])('Scope %s has the fields of Get Many', async (scope) => {
		const kinds = scope === 'all' ? ['global', 'project'] : [scope];
		const { live, data } = context.service;
		const run = await activeTrigger(context, { ...WATCH, scope });
		const { id: globalId } = data.connections.filter(({ status }) => status === 'ACTIVE')[0];
		live.setConnectionStatus(globalId, 'ERROR');
		const { id } = live.addConnection({ projectId: data.projects[1].id, status: 'ERROR' });
		const given = await run.poll();
		const wanted: Record<string, string> = { global: globalId, project: id };
		expect(ids(given)).toEqual(kinds.map((kind) => wanted[kind]));
		for (const item of given) {
			const isGlobal = item.id === globalId;
			for (const field of GLOBAL_FIELDS) expect(field in item).toBe(isGlobal);
			for (const field of PROJECT_FIELDS) expect(field in item).toBe(!isGlobal);
		}
		expect([...run.errors, ...run.warnings]).toEqual([]);
	});
});
