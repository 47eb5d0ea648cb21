import type { INodeParameters } from 'n8n-workflow';

import { restoreLimits } from '../../restoreLimits';
import type { Service } from '../../service';
import { limits } from '../harness/built';
import { byId, type TestContext, useService } from '../harness/service';
import { activeTrigger, createTriggerRun, ids } from '../harness/trigger';

/** A flow that is published and enabled; another one each time. */
let used = 0;
const enabledFlow = ({ data }: Service) => {
	const enabled = data.flows.filter(({ status }) => status === 'ENABLED');
	return enabled[used++ % enabled.length];
};
const published = ({ data }: Service, index = 0) =>
	data.flows.filter(({ publishedVersionId }) => publishedVersionId !== null)[index];
const ofFlow = (service: Service) => ({ flowId: byId(published(service).id) });
const ofSecondProject = ({ data }: Service) => ({ projectId: byId(data.projects[1].id) });
const activeConnection = ({ data }: Service) =>
	data.connections.filter(({ status }) => status === 'ACTIVE')[0].id;
const OTHERS = ['FAILED', 'CANCELED', 'PAUSED', 'RUNNING'] as const;

interface Case {
	event: string;
	parameters?: (service: Service) => INodeParameters;
	/** Lets it happen once, among others, and gives the record that is to come out */
	happen: (service: Service) => { id: string };
}

const CASES: Case[] = [
	{ event: 'flowRunFailed', happen: ({ live }) => live.addFlowRun({ status: 'FAILED' }) },
	{
		event: 'flowRunFailed',
		parameters: (service) => ({
			projectId: byId(published(service).projectId),
			statuses: ['TIMEOUT'],
		}),
		happen(service) {
			const flowId = published(service).id;
			service.live.addFlowRun({ status: 'FAILED', flowId });
			return service.live.addFlowRun({ status: 'TIMEOUT', flowId });
		},
	},
	{
		event: 'flowRunFailed',
		parameters: ofFlow,
		happen(service) {
			const flowId = published(service).id;
			service.live.addFlowRun({ status: 'FAILED', flowId: published(service, 1).id });
			service.live.addFlowRun({ status: 'SUCCEEDED', flowId });
			return service.live.addFlowRun({ status: 'FAILED', flowId });
		},
	},
	{
		event: 'flowRunSucceeded',
		happen({ live }) {
			for (const status of OTHERS) live.addFlowRun({ status });
			return live.addFlowRun({ status: 'SUCCEEDED' });
		},
	},
	{
		event: 'flowRunSucceeded',
		parameters: ofFlow,
		happen(service) {
			service.live.addFlowRun({ status: 'SUCCEEDED', flowId: published(service, 1).id });
			return service.live.addFlowRun({ status: 'SUCCEEDED', flowId: published(service).id });
		},
	},
	{ event: 'flowCreated', happen: ({ live }) => live.addFlow() },
	{
		event: 'flowCreated',
		parameters: ofSecondProject,
		happen({ live, data }) {
			live.addFlow({ projectId: data.projects[0].id });
			return live.addFlow({ projectId: data.projects[1].id });
		},
	},
	{
		event: 'flowPublished',
		happen(service) {
			const { id } = enabledFlow(service);
			service.live.editFlow(id, 'Edited');
			return service.live.publishFlow(id);
		},
	},
	{ event: 'flowPublished', happen: ({ live }) => live.publishFlow(live.addFlow().id) },
	{
		event: 'flowStatusChanged',
		happen: (service) => service.live.setFlowStatus(enabledFlow(service).id, 'DISABLED'),
	},
	{
		event: 'flowStatusChanged',
		happen: ({ live }) => live.setFlowStatus(live.addFlow({ published: true }).id, 'ENABLED'),
	},
	{ event: 'userInvitationCreated', happen: ({ live }) => live.addInvitation() },
	{
		event: 'userInvitationCreated',
		happen: ({ live, data }) =>
			live.addInvitation({ projectId: data.projects.find(({ type }) => type === 'TEAM')?.id }),
	},
	{ event: 'userJoined', happen: ({ live }) => live.addUser() },
	{
		event: 'connectionNeedsAttention',
		happen: (service) => service.live.setConnectionStatus(activeConnection(service), 'ERROR'),
	},
	{
		event: 'connectionNeedsAttention',
		happen: ({ live, data }) =>
			live.addConnection({ projectId: data.projects[1].id, status: 'ERROR' }),
	},
	{
		event: 'connectionNeedsAttention',
		parameters: (service) => ({ scope: 'project', ...ofSecondProject(service) }),
		happen({ live, data }) {
			live.addConnection({ projectId: data.projects[0].id, status: 'ERROR' });
			return live.addConnection({ projectId: data.projects[1].id, status: 'MISSING' });
		},
	},
];

/** One of each event, for what does not depend on what happens to which record. */
const EVENTS = CASES.filter(
	({ event }, index) => CASES.findIndex((each) => each.event === event) === index,
);

const parametersOf = ({ event, parameters }: Case, { service }: TestContext): INodeParameters => ({
	event,
	...parameters?.(service),
});

describe.each(['0.73', '0.85'] as const)('on release %s', (release) => {
	const context = useService({ release, data: { flowRuns: 60, flows: 30 } });

	test.each(CASES)('$event gives what happens, once, and nothing from before', async (each) => {
		each.happen(context.service);
		const run = await activeTrigger(context, parametersOf(each, context));
		expect(await run.poll()).toEqual([]);

		const first = each.happen(context.service).id;
		expect(ids(await run.poll())).toEqual([first]);
		expect(await run.poll()).toEqual([]);

		const both = [each.happen(context.service).id, each.happen(context.service).id];
		expect(ids(await run.poll()).sort()).toEqual(both.sort());
		expect(await run.poll()).toEqual([]);
		expect(run.errors).toEqual([]);
	});

	test.each(CASES)('$event has a test event, real, recent and simplified', async (each) => {
		const { service, engine, credential } = context;
		const made = each.happen(service).id;
		const run = createTriggerRun(engine, credential, parametersOf(each, context));
		const [record] = await run.fetchTestEvent();
		expect(Object.keys(record).length).toBeLessThanOrEqual(10);
		const { flows, users, invitations, connections, projectConnections, flowRuns } = service.data;
		const lists = [flows, users, invitations, connections, projectConnections, flowRuns];
		const isReal = ({ id }: { id: string }) => id === record.id;
		expect(lists.some((list) => (list as Array<{ id: string }>).some(isReal))).toBe(true);
		// The service lists flows by their last change, those that are enabled first. Of all projects the
		// first one that has any run is enough.
		const isOfOneProject = each.event.startsWith('flowRun') && each.parameters !== undefined;
		if (isOfOneProject || !each.event.startsWith('flow')) expect(record.id).toBe(made);
	});
});

describe('Fetch Test Event', () => {
	const context = useService({ data: { flowRuns: 60, flows: 60, projects: 12 } });

	const events = ['flowRunFailed', 'flowCreated', 'flowStatusChanged', 'userJoined'];
	test.each(events)('asks for no more rows than it shows: %s', async (event) => {
		await createTriggerRun(context.engine, context.credential, { event }).fetchTestEvent();
		const lists = context.requests.filter(({ path }) => path !== '/v1/projects');
		expect(lists.length).toBeGreaterThan(0);
		expect(lists.map(({ query }) => query.limit)).toEqual(lists.map(() => '1'));
	});
});

describe('flows that change', () => {
	const context = useService({ data: { flows: 40 } });
	const enabled = () => context.data.flows.filter(({ status }) => status === 'ENABLED');

	test('are given the change that is oldest first', async () => {
		const options = { maxItems: 2 };
		const run = await activeTrigger(context, { event: 'flowStatusChanged', options });
		// In another order than that of the list, which has disabled flows by their last change.
		const changed = enabled().slice(0, 6).reverse();
		for (const { id } of changed) context.live.setFlowStatus(id, 'DISABLED');
		for (let poll = 0; poll < 3; poll++) await run.poll();
		expect(ids(run.given)).toEqual(changed.map(({ id }) => id));
	});

	test.each(['flowStatusChanged', 'flowPublished'])(
		'of one flow, only its own: %s',
		async (event) => {
			const [chosen, other] = enabled().map(({ id }) => id);
			const change = (id: string) =>
				event === 'flowPublished'
					? context.live.publishFlow(context.live.editFlow(id, 'Edited').id)
					: context.live.setFlowStatus(id, 'DISABLED');
			const run = await activeTrigger(context, { event, flowId: byId(chosen) });
			change(other);
			expect(await run.poll()).toEqual([]);
			change(chosen);
			expect(ids(await run.poll())).toEqual([chosen]);
			expect(await run.poll()).toEqual([]);
			expect(run.errors).toEqual([]);
		},
	);
});

describe('a list that is longer than the node reads', () => {
	const context = useService({ data: { flowRuns: 60, flows: 60, connections: 40 } });
	const { maxRecordsPerItem } = limits;
	restoreLimits(limits);

	// A list of runs is read in pieces (`manyRuns.test.ts`).
	test.each(EVENTS.filter(({ event }) => !event.startsWith('flowRun')))(
		'ends at the cap of the node, and nothing is lost by it: $event',
		async (each) => {
			const run = await activeTrigger(context, parametersOf(each, context));
			const made = new Set(Array.from({ length: 12 }, () => each.happen(context.service).id));
			limits.maxRecordsPerItem = 10;
			await run.poll();
			const message = expect.stringMatching(
				/^There are more .+ than the node reads at once \(10\)$/,
			);
			const description = expect.stringContaining('Select a project or a flow');
			expect(run.errors).toMatchObject([{ message, description }]);
			expect(run.given).toEqual([]);
			limits.maxRecordsPerItem = maxRecordsPerItem;
			await run.poll();
			expect(ids(run.given).sort()).toEqual([...made].sort());
		},
	);

	test('of users is read on behind one whose date cannot be read', async () => {
		const run = await activeTrigger(context, { event: 'userJoined' });
		const { id } = context.live.addUser();
		const [user] = context.data.users.slice(-1);
		const data = [{ ...user, id: 'odd', created: null }, user];
		context.fault({ path: '/v1/users', kind: { body: { data, next: null, previous: null } } });
		await run.poll();
		expect(run.errors).toEqual([]);
		expect(ids(run.given)).toEqual([id]);
	});
});

describe('Fetch Test Event', () => {
	const context = useService({ data: { projects: 2, flows: 0 } });
	restoreLimits(limits);

	test('looks for a published flow on whole pages, however many others come first', async () => {
		const { id } = context.live.addFlow({ published: true });
		for (let count = 0; count < 60; count++) context.live.addFlow();
		limits.defaultPageSize = 10;
		limits.triggerRunsPageSize = limits.defaultPageSize;
		context.clearRequests();
		const run = createTriggerRun(context.engine, context.credential, { event: 'flowPublished' });
		expect(ids(await run.fetchTestEvent())).toEqual([id]);
		const asked = context.requests.filter(({ path }) => path === '/v1/flows');
		expect(asked.length).toBeLessThanOrEqual(12);
	});
});
