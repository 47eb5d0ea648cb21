import type { INodeParameters } from 'n8n-workflow';

import { byUrl } from '../harness/byId';
import { byId, requestUrls, useService } from '../harness/service';
import { TriggerRun } from '../harness/trigger';

describe('flows that the trigger returns', () => {
	const context = useService({ data: { projects: 2, flows: 10, flowRuns: 10 } });

	const start = (parameters: INodeParameters) => new TriggerRun(context, parameters);
	const listed = async (id: string) => {
		const flows = await context.records({ resource: 'flow', operation: 'getAll', returnAll: true });
		return flows.find((flow) => flow.id === id);
	};

	const events = ['flowCreated', 'flowPublished', 'flowStatusChanged'];
	test.each(events)('have the same fields as in Flow → Get Many: %s', async (event) => {
		const [{ id: projectId }] = context.data.projects;
		const runs = [{}, { projectId: byId(projectId) }].map((more) => start({ event, ...more }));
		for (const run of runs) await run.activate();
		const { id } = context.live.addFlow({ projectId, published: true, enabled: true });
		for (const run of runs) expect(await run.poll()).toEqual([await listed(id)]);
		for (const run of runs) {
			const [example] = await run.fetchTestEvent();
			expect(example).toEqual(await listed(String(example.id)));
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
		expect(requestUrls(context)).toEqual([list, 'GET /v1/projects?limit=1000']);
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
		context.live.addFlow({ projectId: other });
		const { id } = context.live.addFlow({ projectId });
		context.live.setFlowStatus(flow.id, 'ENABLED');
		expect(await ofProject.poll()).toMatchObject([{ id }]);
		expect(await ofFlow.poll()).toMatchObject([{ id: flow.id }]);
	});
});
