import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { restoreLimits } from '../../restoreLimits';
import type { Service } from '../../service';
import { limits } from '../harness/built';
import { byId, RELEASES, type TestContext, useService } from '../harness/service';
import { activeTrigger, createTriggerRun, ids } from '../harness/trigger';

interface Case {
	event: string;
	parameters?: (service: Service) => INodeParameters;
	/** Lets it happen once and gives the id of the record that is to come out */
	happen: (service: Service) => string;
}

/** A flow that is published and enabled; another one each time. */
let used = 0;
const enabledFlow = ({ data }: Service) => {
	const enabled = data.flows.filter(({ status }) => status === 'ENABLED');
	return enabled[used++ % enabled.length];
};

const publishedFlow = ({ data }: Service, index: number) =>
	data.flows.filter(({ publishedVersionId }) => publishedVersionId !== null)[index];

const CASES: Case[] = [
	{
		event: 'flowRunFailed',
		happen: ({ live }) => live.addFlowRun({ status: 'FAILED' }).id,
	},
	{
		event: 'flowRunFailed',
		parameters: (service) => ({ projectId: byId(publishedFlow(service, 0).projectId) }),
		happen: (service) =>
			service.live.addFlowRun({ status: 'TIMEOUT', flowId: publishedFlow(service, 0).id }).id,
	},
	{
		event: 'flowRunFailed',
		parameters: (service) => ({ flowId: byId(publishedFlow(service, 0).id) }),
		happen: (service) => {
			const [flowId, another] = [0, 1].map((index) => publishedFlow(service, index).id);
			service.live.addFlowRun({ status: 'FAILED', flowId: another });
			service.live.addFlowRun({ status: 'SUCCEEDED', flowId });
			return service.live.addFlowRun({ status: 'FAILED', flowId }).id;
		},
	},
	{
		event: 'flowRunSucceeded',
		happen({ live }) {
			for (const status of ['FAILED', 'CANCELED', 'PAUSED', 'RUNNING'] as const) {
				live.addFlowRun({ status });
			}
			return live.addFlowRun({ status: 'SUCCEEDED' }).id;
		},
	},
	{
		event: 'flowRunSucceeded',
		parameters: (service) => ({ flowId: byId(publishedFlow(service, 0).id) }),
		happen: (service) => {
			const [flowId, another] = [0, 1].map((index) => publishedFlow(service, index).id);
			service.live.addFlowRun({ status: 'SUCCEEDED', flowId: another });
			return service.live.addFlowRun({ status: 'SUCCEEDED', flowId }).id;
		},
	},
	{ event: 'flowCreated', happen: ({ live }) => live.addFlow().id },
	{
		event: 'flowCreated',
		parameters: ({ data }) => ({ projectId: byId(data.projects[1].id) }),
		happen: ({ live, data }) => {
			live.addFlow({ projectId: data.projects[0].id });
			return live.addFlow({ projectId: data.projects[1].id }).id;
		},
	},
	{
		event: 'flowPublished',
		happen: (service) => {
			const { id } = enabledFlow(service);
			service.live.editFlow(id, 'Edited');
			return service.live.publishFlow(id).id;
		},
	},
	{
		event: 'flowPublished',
		happen: ({ live }) => live.publishFlow(live.addFlow().id).id,
	},
	{
		event: 'flowStatusChanged',
		happen: (service) => service.live.setFlowStatus(enabledFlow(service).id, 'DISABLED').id,
	},
	{
		event: 'flowStatusChanged',
		happen: ({ live }) => live.setFlowStatus(live.addFlow({ published: true }).id, 'ENABLED').id,
	},
	{ event: 'userInvitationCreated', happen: ({ live }) => live.addInvitation().id },
	{
		event: 'userInvitationCreated',
		happen: ({ live, data }) =>
			live.addInvitation({
				projectId: data.projects.find(({ type }) => type === 'TEAM')?.id,
			}).id,
	},
	{ event: 'userJoined', happen: ({ live }) => live.addUser().id },
	{
		event: 'connectionNeedsAttention',
		happen: ({ live, data }) =>
			live.setConnectionStatus(
				data.connections.filter(({ status }) => status === 'ACTIVE')[0].id,
				'ERROR',
			).id,
	},
	{
		event: 'connectionNeedsAttention',
		happen: ({ live, data }) =>
			live.addConnection({ projectId: data.projects[1].id, status: 'ERROR' }).id,
	},
	{
		event: 'connectionNeedsAttention',
		parameters: ({ data }) => ({ scope: 'project', projectId: byId(data.projects[1].id) }),
		happen: ({ live, data }) => {
			const [first, second] = data.projects.map(({ id }) => id);
			live.addConnection({ projectId: first, status: 'ERROR' });
			return live.addConnection({ projectId: second, status: 'MISSING' }).id;
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

describe.each(RELEASES)('on release %s', (release) => {
	const context = useService({ release, data: { flowRuns: 60, flows: 30 } });

	test.each(CASES)('$event gives what happens, once, and nothing from before', async (each) => {
		const { service } = context;
		each.happen(service);
		const run = await activeTrigger(context, parametersOf(each, context));
		expect(await run.poll()).toEqual([]);

		const first = each.happen(service);
		expect(ids(await run.poll())).toEqual([first]);
		expect(await run.poll()).toEqual([]);

		const [second, third] = [each.happen(service), each.happen(service)];
		expect(ids(await run.poll()).sort()).toEqual([second, third].sort());
		expect(await run.poll()).toEqual([]);
		expect(run.errors).toEqual([]);
	});

	test.each(CASES)('$event has a test event, real, recent and simplified', async (each) => {
		const { service } = context;
		const made = each.happen(service);
		const [record] = await createTriggerRun(
			context.engine,
			context.credential,
			parametersOf(each, context),
		).fetchTestEvent();
		expect(Object.keys(record).length).toBeLessThanOrEqual(10);
		const { flows, users, invitations, connections, projectConnections, flowRuns } = service.data;
		const lists = [flows, users, invitations, connections, projectConnections, flowRuns];
		const real = ids(lists.flat() as unknown as IDataObject[]);
		expect(real).toContain(record.id);
		// The service lists flows by their last change, those that are enabled first. Of all projects the
		// first one that has any run is enough.
		const isOfOneProject = each.event.startsWith('flowRun') && each.parameters !== undefined;
		if (isOfOneProject || !each.event.startsWith('flow')) expect(record.id).toBe(made);
	});
});

describe('what n8n does', () => {
	const context = useService({ data: { flowRuns: 60, flows: 30 } });
	test.each(EVENTS)('$event is neither lost nor repeated by a restart of n8n', async (each) => {
		const { service } = context;
		const run = await activeTrigger(context, parametersOf(each, context));
		await run.restart();
		expect(run.given).toEqual([]);

		const first = each.happen(service);
		await run.restart();
		expect(ids(run.given)).toEqual([first]);

		await run.poll();
		await run.restart();
		expect(ids(run.given)).toEqual([first]);

		const second = each.happen(service);
		await run.poll();
		await run.poll();
		await run.restart();
		await run.poll();
		expect(ids(run.given)).toEqual([first, second]);
	});

	test.each(EVENTS)(
		'$event of the time while the workflow was inactive stays out',
		async (each) => {
			const { service } = context;
			const run = await activeTrigger(context, parametersOf(each, context));
			const first = each.happen(service);
			await run.poll();
			run.deactivate();
			each.happen(service);
			await run.activate();
			await run.poll();
			expect(ids(run.given)).toEqual([first]);

			const second = each.happen(service);
			await run.change({ ...parametersOf(each, context), simplify: false });
			await run.poll();
			expect(ids(run.given)).toEqual([first, second]);
		},
	);
});

describe('Fetch Test Event', () => {
	const context = useService({ data: { flowRuns: 60, flows: 60, projects: 12 } });

	const events = [
		'flowRunFailed',
		'flowRunSucceeded',
		'flowCreated',
		'flowStatusChanged',
		'userJoined',
	];
	test.each(events)('asks for no more rows than it shows: %s', async (event) => {
		const { engine, credential, service } = context;
		await createTriggerRun(engine, credential, { event }).fetchTestEvent();
		const lists = service.requests.filter(({ path }) => path !== '/v1/projects');
		expect(lists.length).toBeGreaterThan(0);
		expect(lists.map(({ query }) => query.limit)).toEqual(lists.map(() => '1'));
	});
});

describe('flows that change', () => {
	const context = useService({ data: { flows: 40 } });
	const enabled = () => context.service.data.flows.filter(({ status }) => status === 'ENABLED');

	test('are given the change that is oldest first', async () => {
		const { live } = context.service;
		const run = await activeTrigger(context, {
			event: 'flowStatusChanged',
			options: { maxItems: 2 },
		});
		// In another order than that of the list, which has disabled flows by their last change.
		const changed = enabled().slice(0, 6).reverse();
		for (const { id } of changed) live.setFlowStatus(id, 'DISABLED');
		for (let poll = 0; poll < 3; poll++) await run.poll();
		expect(ids(run.given)).toEqual(changed.map(({ id }) => id));
	});

	test.each<[string, (id: string) => void]>([
		['flowStatusChanged', (id) => context.service.live.setFlowStatus(id, 'DISABLED')],
		[
			'flowPublished',
			(id) => context.service.live.publishFlow(context.service.live.editFlow(id, 'Edited').id),
		],
	])('of one flow that is chosen: only its own changes, %s', async (event, change) => {
		const [chosen, other] = enabled().map(({ id }) => id);
		const run = await activeTrigger(context, { event, flowId: byId(chosen) });
		change(other);
		await run.poll();
		expect(run.given).toEqual([]);
		change(chosen);
		await run.poll();
		await run.poll();
		expect(run.errors).toEqual([]);
		expect(ids(run.given)).toEqual([chosen]);
	});
});

describe('a list that is longer than the node reads', () => {
	const context = useService({ data: { flowRuns: 60, flows: 60, connections: 40 } });
	const { maxRecordsPerItem } = limits;
	restoreLimits(limits);

	// A list of runs is read in pieces (`manyRuns.test.ts`).
	test.each(EVENTS.filter(({ event }) => !event.startsWith('flowRun')))(
		'ends at the cap of the node, and nothing is lost by it: $event',
		async (each) => {
			const { service } = context;
			const run = await activeTrigger(context, parametersOf(each, context));
			const made = [...new Set(Array.from({ length: 12 }, () => each.happen(service)))];
			limits.maxRecordsPerItem = 10;
			await run.poll();
			expect(run.errors).toMatchObject([
				{
					message: expect.stringMatching(/^There are more .+ than the node reads at once \(10\)$/),
					description: expect.stringContaining('Select a project or a flow'),
				},
			]);
			expect(run.given).toEqual([]);
			limits.maxRecordsPerItem = maxRecordsPerItem;
			await run.poll();
			expect(ids(run.given).sort()).toEqual(made.sort());
		},
	);

	test('of users is read on behind one whose date cannot be read', async () => {
		const { service } = context;
		const run = await activeTrigger(context, { event: 'userJoined' });
		const { id } = service.live.addUser();
		const [user] = service.data.users.slice(-1);
		const data = [{ ...user, id: 'odd', created: null }, user];
		service.fault({ path: '/v1/users', kind: { body: { data, next: null, previous: null } } });
		await run.poll();
		expect(run.errors).toEqual([]);
		expect(ids(run.given)).toEqual([id]);
	});

	test('that never ends is left at the cap', async () => {
		const { service } = context;
		const run = await activeTrigger(context, { event: 'userJoined' });
		let count = 0;
		const created = '2026-12-01T08:00:00.000Z';
		const page = () => ({
			data: Array.from({ length: 50 }, () => ({ id: `endless-${count++}`, created })),
			next: `page-${count}`,
			previous: null,
		});
		service.fault({ path: '/v1/users', kind: { answers: page } });
		limits.maxRecordsPerItem = 500;
		await run.poll();
		expect(run.errors).toHaveLength(1);
		expect(run.errors[0].message).toBe('There are more users than the node reads at once (500)');
		expect(count).toBeLessThan(1000);
	});
});

describe('Fetch Test Event', () => {
	const context = useService({ data: { projects: 2, flows: 0 } });
	restoreLimits(limits);

	test('looks for a published flow on whole pages, however many others come first', async () => {
		const { service, engine, credential } = context;
		const { id } = service.live.addFlow({ published: true });
		for (let count = 0; count < 60; count++) service.live.addFlow();
		limits.defaultPageSize = 10;
		limits.triggerRunsPageSize = limits.defaultPageSize;
		service.clearRequests();
		const run = createTriggerRun(engine, credential, { event: 'flowPublished' });
		expect(ids(await run.fetchTestEvent())).toEqual([id]);
		const asked = service.requests.filter(({ path }) => path === '/v1/flows');
		expect(asked.length).toBeLessThanOrEqual(12);
	});
});

describe('a run that failed', () => {
	const context = useService({ data: { flowRuns: 20 } });

	test('is noticed when it fails within Lookback after its start, by the clock of the service', async () => {
		const { live, time } = context.service;
		const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
		context.service.data.flowRuns = [];
		time.set(ago(0));
		const run = await activeTrigger(context, { options: { lookbackHours: 3 } });
		// Five minutes of grace are added, in which runs may show up late.
		const [inside, outside] = [2.9, 3.2].map(
			(hours) => live.addFlowRun({ status: 'RUNNING', created: ago(hours) }).id,
		);
		await run.poll();
		live.finishFlowRun(inside, 'FAILED');
		live.finishFlowRun(outside, 'FAILED');
		await run.poll();
		expect(ids(run.given)).toEqual([inside]);
	});

	test('of a status that was not chosen stays out', async () => {
		const { live } = context.service;
		const run = await activeTrigger(context, { statuses: ['CANCELED'] });
		live.addFlowRun({ status: 'FAILED' });
		const { id } = live.addFlowRun({ status: 'CANCELED' });
		await run.poll();
		expect(ids(run.given)).toEqual([id]);
	});
});
