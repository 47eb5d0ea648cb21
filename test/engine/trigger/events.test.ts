import type { INodeParameters } from 'n8n-workflow';

import type { Service } from '../../service';
import { limits } from '../harness/built';
import { FIRST_AND_LAST, byId, type TestContext, useService } from '../harness/service';
import { activeTrigger, ids, TriggerRun } from '../harness/trigger';

/** A flow that is published and enabled; a different one each time. */
let used = 0;
const enabledFlow = ({ data }: Service) => {
	const enabled = data.flows.filter(({ status }) => status === 'ENABLED');
	return enabled[used++ % enabled.length].id;
};
const published = ({ data }: Service, index = 0) =>
	data.flows.filter(({ publishedVersionId }) => publishedVersionId !== null)[index];
const ofFlow = (service: Service) => ({ flowId: byId(published(service).id) });
const isTeam = ({ type }: { type: string }) => type === 'TEAM';
const secondProject = ({ data }: Service) => data.projects[1].id;
const ofSecondProject = (it: Service) => ({ projectId: byId(secondProject(it)) });
const inTwoProjects = <T>(it: Service, add: (projectId: string) => T) =>
	[it.data.projects[0].id, secondProject(it)].map(add);
const activeConnection = ({ data }: Service) =>
	data.connections.filter(({ status }) => status === 'ACTIVE')[0].id;
const timedOut = (service: Service) => ({
	projectId: byId(published(service).projectId),
	statuses: ['TIMEOUT'],
});
const STATUSES = ['FAILED', 'CANCELED', 'PAUSED', 'RUNNING', 'SUCCEEDED'] as const;
type Status = (typeof STATUSES)[number] | 'TIMEOUT';
/** Runs of the first published flows, each with its status. */
const runs = (it: Service, ...each: Array<[flow: number, Status]>) =>
	each.map(([flow, status]) => it.live.addFlowRun({ status, flowId: published(it, flow).id }));

/** Makes an event happen once, among other changes; the last record is the expected item. */
type Happen = (it: Service) => Array<{ id: string }>;

const HAPPENINGS: Record<string, Array<[Happen, of?: (it: Service) => INodeParameters]>> = {
	flowRunFailed: [
		[({ live }) => [live.addFlowRun({ status: 'FAILED' })]],
		[(it) => runs(it, [0, 'FAILED'], [0, 'TIMEOUT']), timedOut],
		[(it) => runs(it, [1, 'FAILED'], [0, 'SUCCEEDED'], [0, 'FAILED']), ofFlow],
	],
	flowRunSucceeded: [
		[({ live }) => STATUSES.map((status) => live.addFlowRun({ status }))],
		[(it) => runs(it, [1, 'SUCCEEDED'], [0, 'SUCCEEDED']), ofFlow],
	],
	flowCreated: [
		[({ live }) => [live.addFlow()]],
		[(it) => inTwoProjects(it, (projectId) => it.live.addFlow({ projectId })), ofSecondProject],
	],
	flowPublished: [
		[(it) => [it.live.publishFlow(it.live.editFlow(enabledFlow(it), 'Edited').id)]],
		[({ live }) => [live.publishFlow(live.addFlow().id)]],
	],
	flowStatusChanged: [
		[(it) => [it.live.setFlowStatus(enabledFlow(it), 'DISABLED')]],
		[({ live }) => [live.setFlowStatus(live.addFlow({ published: true }).id, 'ENABLED')]],
	],
	userInvitationCreated: [
		[({ live }) => [live.addInvitation()]],
		[({ live, data }) => [live.addInvitation({ projectId: data.projects.find(isTeam)?.id })]],
	],
	userJoined: [[({ live }) => [live.addUser()]]],
	connectionNeedsAttention: [
		[(it) => [it.live.setConnectionStatus(activeConnection(it), 'ERROR')]],
		[(it) => [it.live.addConnection({ projectId: secondProject(it), status: 'ERROR' })]],
		[
			(it) =>
				inTwoProjects(it, (projectId) => it.live.addConnection({ projectId, status: 'MISSING' })),
			(it) => ({ scope: 'project', ...ofSecondProject(it) }),
		],
	],
};

const CASES = Object.entries(HAPPENINGS).flatMap(([event, ways]) =>
	ways.map(([happen, of]) => ({ event, happen, of })),
);
type Case = (typeof CASES)[number];

/** Makes it happen, and returns the ID of the expected item. */
const happened = ({ happen }: Case, { service }: TestContext) => happen(service).at(-1)!.id;

const parametersOf = ({ event, of }: Case, { service }: TestContext) =>
	({ event, ...of?.(service) }) as INodeParameters;

describe.each(FIRST_AND_LAST)('on release %s', (release) => {
	const context = useService({ release, data: { flowRuns: 60, flows: 30 } });

	test.each(CASES)('$event returns each event once, and nothing from before', async (each) => {
		happened(each, context);
		const run = await activeTrigger(context, parametersOf(each, context));
		expect(await run.poll()).toEqual([]);

		const first = happened(each, context);
		expect(ids(await run.poll())).toEqual([first]);
		expect(await run.poll()).toEqual([]);

		const both = [happened(each, context), happened(each, context)];
		expect(ids(await run.poll()).sort()).toEqual(both.sort());
		expect(await run.poll()).toEqual([]);
		expect(run.errors).toEqual([]);
	});

	test.each(CASES)('$event has a test event, real, recent and simplified', async (each) => {
		const made = happened(each, context);
		const run = new TriggerRun(context, parametersOf(each, context));
		const [record] = await run.fetchTestEvent();
		expect(Object.keys(record).length).toBeLessThanOrEqual(10);
		const { flows, users, invitations, connections, projectConnections, flowRuns } = context.data;
		const lists = [flows, users, invitations, connections, projectConnections, flowRuns];
		expect(lists.flatMap((list) => ids(list))).toContain(record.id);
		// The service sorts flows by their last change, enabled ones first. Of all projects, the first one with
		// a run is enough.
		const isOfOneProject = each.event.startsWith('flowRun') && each.of !== undefined;
		if (isOfOneProject || !each.event.startsWith('flow')) expect(record.id).toBe(made);
	});
});

describe('Fetch Test Event', () => {
	const context = useService({ data: { flowRuns: 60, flows: 60, projects: 12 } });
	test('searches whole pages for a published flow, however many others come first', async () => {
		context.data.flows = [];
		const { id } = context.live.addFlow({ published: true });
		for (let count = 0; count < 60; count++) context.live.addFlow();
		limits.triggerRunsPageSize = limits.defaultPageSize = 10;
		const run = new TriggerRun(context, { event: 'flowPublished' });
		expect(ids(await run.fetchTestEvent())).toEqual([id]);
		const asked = context.requests.filter(({ path }) => path === '/v1/flows');
		expect(asked.length).toBeLessThanOrEqual(6 + context.data.projects.length);
	});

	const events = ['flowRunFailed', 'flowCreated', 'flowStatusChanged', 'userJoined'];
	test.each(events)('requests no more records than it shows: %s', async (event) => {
		await new TriggerRun(context, { event }).fetchTestEvent();
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
		// Not in the order of the list, which has disabled flows sorted by their last change.
		const changed = enabled().slice(0, 6).reverse();
		for (const { id } of changed) context.live.setFlowStatus(id, 'DISABLED');
		for (let poll = 0; poll < 3; poll++) await run.poll();
		expect(ids(run.given)).toEqual(ids(changed));
	});

	test.each(['flowStatusChanged', 'flowPublished'])('of one flow only: %s', async (event) => {
		const { live } = context;
		const change = ({ id }: { id: string }) => {
			if (event === 'flowStatusChanged') live.setFlowStatus(id, 'DISABLED');
			else live.publishFlow(live.editFlow(id, 'Edited').id);
		};
		const [chosen, other] = enabled();
		const run = await activeTrigger(context, { event, flowId: byId(chosen.id) });
		change(other);
		expect(await run.poll()).toEqual([]);
		change(chosen);
		expect(ids(await run.poll())).toEqual([chosen.id]);
		expect(run.errors).toEqual([]);
	});
});

describe('a list that is longer than the node reads', () => {
	const context = useService({ data: { flowRuns: 60, flows: 60, connections: 40 } });
	const { maxRecordsPerItem } = limits;
	// A list of runs is read in parts (`manyRuns.test.ts`).
	const others = CASES.filter(
		({ event }, index) => !event.startsWith('flowRun') && event !== CASES[index - 1].event,
	);
	test.each(others)('ends at the maximum, without losing anything: $event', async (each) => {
		const run = await activeTrigger(context, parametersOf(each, context));
		const made = new Set(Array.from({ length: 12 }, () => happened(each, context)));
		limits.maxRecordsPerItem = 10;
		await run.poll();
		const message = expect.stringMatching(/^There are more .+ than the node reads at once \(10\)$/);
		const description = expect.stringContaining('Select a project or a flow');
		expect(run.errors).toMatchObject([{ message, description }]);
		expect(run.given).toEqual([]);
		limits.maxRecordsPerItem = maxRecordsPerItem;
		await run.poll();
		expect(ids(run.given).sort()).toEqual([...made].sort());
	});

	test('of users is read further after one whose date cannot be parsed', async () => {
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
