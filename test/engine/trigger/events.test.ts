import type { INodeParameters } from 'n8n-workflow';

import { events } from '../../../nodes/Activepieces/trigger/events';
import { FIRST_AND_LAST, type Service } from '../../service';
import { HAPPENINGS, type Happening } from '../../service/happenings';
import { limits } from '../harness/built';
import { byId, ids } from '../harness/byId';
import { useService, type TestContext } from '../harness/service';
import { activeTrigger, TriggerRun } from '../harness/trigger';

/** A flow that is published and enabled; a different one each time. */
let used = 0;
const enabledFlow = ({ data }: Service) => {
	const enabled = data.flows.filter(({ status }) => status === 'ENABLED');
	return enabled[used++ % enabled.length].id;
};
const disabledFlow = ({ live }: Service) => live.addFlow({ published: true }).id;
const published = ({ data }: Service, index = 0) =>
	data.flows.filter(({ publishedVersionId }) => publishedVersionId !== null)[index];
const ofFlow = (service: Service) => ({ flowId: byId(published(service).id) });
const second = ({ data }: Service) => data.projects[1].id;
const ofSecond = (it: Service) => ({ projectId: byId(second(it)) });
const inTwo = <T>(it: Service, add: (projectId: string) => T) =>
	[it.data.projects[0].id, second(it)].map(add);
const addBroken = ({ live }: Service, projectId: string) =>
	live.addConnection({ projectId, status: 'MISSING' });
const invite = ({ live }: Service, projectId: string) => live.addInvitation({ projectId });
const ofScope = (it: Service) => ({ scope: 'project', ...ofSecond(it) });
const timedOut = (it: Service) => {
	return { projectId: byId(published(it).projectId), statuses: '={{ ["Timeout"] }}' };
};
const STATUSES = ['FAILED', 'CANCELED', 'PAUSED', 'RUNNING', 'SUCCEEDED'] as const;
type Status = (typeof STATUSES)[number] | 'TIMEOUT';
/** Runs of the first published flows, each with its status. */
const runs = (it: Service, ...each: Array<[flow: number, Status]>) =>
	each.map(([flow, status]) => it.live.addFlowRun({ status, flowId: published(it, flow).id }));

/** Makes an event happen once, among other changes; the last record is the expected item. */
type Happen = (it: Service) => Array<{ id: string }>;

/** Beside those that `HAPPENINGS` has for each event */
const OTHER_WAYS: Array<[event: string, Happen, of?: Happening['parameters']]> = [
	['flowRunFailed', (it) => runs(it, [0, 'FAILED'], [0, 'TIMEOUT']), timedOut],
	['flowRunFailed', (it) => runs(it, [1, 'FAILED'], [0, 'SUCCEEDED'], [0, 'FAILED']), ofFlow],
	['flowRunSucceeded', ({ live }) => STATUSES.map((status) => live.addFlowRun({ status }))],
	['flowRunSucceeded', (it) => runs(it, [1, 'SUCCEEDED'], [0, 'SUCCEEDED']), ofFlow],
	['flowCreated', (it) => inTwo(it, (projectId) => it.live.addFlow({ projectId })), ofSecond],
	['flowPublished', (it) => [it.live.publishFlow(it.live.editFlow(enabledFlow(it), 'Edited').id)]],
	['flowStatusChanged', (it) => [it.live.setFlowStatus(disabledFlow(it), 'ENABLED')]],
	['userInvitationCreated', (it) => [invite(it, second(it))]],
	['userInvitationCreated', (it) => inTwo(it, (id) => invite(it, id)), ofSecond],
	['connectionNeedsAttention', (it) => [addBroken(it, second(it))]],
	['connectionNeedsAttention', (it) => inTwo(it, (id) => addBroken(it, id)), ofScope],
];

interface Case extends Happening {
	event: string;
}

/** Every event but Queue Backlog, which is of no record */
const FIRST_WAYS = events
	.filter(({ value }) => value !== 'queueBacklog')
	.map(({ value: event }): Case => ({ event, ...HAPPENINGS[event] }));

const CASES: Case[] = [
	...FIRST_WAYS,
	...OTHER_WAYS.map(([event, happen, parameters]): Case => {
		return { event, happen: (it) => happen(it).at(-1)!.id, parameters };
	}),
];

const happened = ({ happen }: Case, { service }: TestContext) => happen(service);

const parametersOf = ({ event, parameters }: Case, { service }: TestContext): INodeParameters => {
	return { event, ...(parameters?.(service) as INodeParameters) };
};

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
		const lists = Object.values(context.data).filter((each) => Array.isArray(each));
		expect(lists.flatMap((list) => ids(list))).toContain(record.id);
		if (HAPPENINGS[each.event].exampleMayBeOlder) return;
		// The newest of all projects.
		expect(record.id).toBe(made);
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

	test('tells of a project that cannot be read, if the others have none', async () => {
		const [, { id: projectId }] = context.data.projects;
		context.fault({ path: '/v1/flows', projectId, kind: { status: 403 } });
		context.fault({ path: '/v1/flows', kind: { body: { data: [], next: null } } });
		const run = new TriggerRun(context, { event: 'flowCreated' });
		await expect(run.fetchTestEvent()).rejects.toThrow(/not allowed to access/);
	});

	const events = ['flowRunFailed', 'flowCreated', 'flowStatusChanged', 'userJoined'];
	test.each(events)('requests no more records than it shows: %s', async (event) => {
		await new TriggerRun(context, { event }).fetchTestEvent();
		const lists = context.requests.filter(({ path }) => path !== '/v1/projects');
		expect(lists.length).toBeGreaterThan(0);
		expect(lists.map(({ query }) => query.limit)).toEqual(lists.map(() => '1'));
		expect(new Set(lists.map(({ query }) => query.projectId)).size).toBe(lists.length);
	});
});

describe('flows that change', () => {
	const context = useService({ data: { flows: 40 } });
	test.each(['flowStatusChanged', 'flowPublished'])(
		'are no event of %s while deleted',
		async (event) => {
			const { live, service } = context;
			// Otherwise the flow is gone at the next poll, which is an error.
			service.worker.state = 'stopped';
			const [watched, other] = [live.addFlow(), live.addFlow()];
			const runs = await Promise.all([
				activeTrigger(context, { event, flowId: byId(watched.id) }),
				activeTrigger(context, { event }),
			]);
			for (const { id } of [watched, other]) {
				live.publishFlow(id);
				live.deleteFlow(id);
			}
			for (const run of runs) {
				await run.poll();
				expect([run.given, run.errors]).toEqual([[], []]);
			}
			service.worker.state = 'running';
		},
	);
});

describe('a list that is longer than the node reads', () => {
	const context = useService({ data: { flowRuns: 60, flows: 60, connections: 80 } });
	const { maxRecordsPerItem } = limits;
	const withFact = (wanted: boolean) =>
		FIRST_WAYS.filter(({ isReadInParts = false }) => isReadInParts === wanted);
	// See also `manyRuns.test.ts`.
	test.each(withFact(true))('is read in parts: $event', async (each) => {
		const run = await activeTrigger(context, parametersOf(each, context));
		const made = new Set(Array.from({ length: 12 }, () => happened(each, context)));
		limits.maxRecordsPerItem = 10;
		await run.poll();
		expect(run.errors).toEqual([]);
		expect(ids(run.given).sort()).toEqual([...made].sort());
	});

	test.each(withFact(false))(
		'ends at the maximum, without losing anything: $event',
		async (each) => {
			const run = await activeTrigger(context, parametersOf(each, context));
			const made = new Set(Array.from({ length: 12 }, () => happened(each, context)));
			limits.maxRecordsPerItem = 10;
			await run.poll();
			const message = expect.stringMatching(
				/^There are more .+ than the node reads at once \(10\)$/,
			);
			const description = expect.stringContaining('Select a project or a flow if');
			expect(run.errors).toMatchObject([{ message, description }]);
			expect(run.given).toEqual([]);
			limits.maxRecordsPerItem = maxRecordsPerItem;
			await run.poll();
			expect(ids(run.given).sort()).toEqual([...made].sort());
		},
	);

	test('of users is read further after one whose date cannot be parsed', async () => {
		const run = await activeTrigger(context, { event: 'userJoined' });
		const { id } = context.live.addUser();
		const [user] = context.data.users.slice(-1);
		const odd = { ...user, id: 'odd', created: null };
		const pages = [odd, { ...user, lastActiveDate: '', externalId: undefined }];
		const answers = (_request: unknown, n: number) => {
			return { data: [pages[n - 1]], next: n < pages.length ? `page ${n + 1}` : null };
		};
		context.fault({ path: '/v1/users', kind: { answers } });
		await run.poll();
		expect(run.errors).toEqual([]);
		const { email, firstName, lastName, status, platformRole, created } = user;
		const shown = { id, email, firstName, lastName, status, platformRole, created };
		expect(run.given).toEqual([{ ...shown, lastActiveDate: null, externalId: null }]);
	});
});
