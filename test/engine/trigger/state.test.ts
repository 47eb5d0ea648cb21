import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { limits } from '../harness/built';
import { byId, requestPaths, useService } from '../harness/service';
import { createTriggerRun } from '../harness/trigger';

const ids = (items: IDataObject[]) => items.map(({ id }) => id);

describe('what a trigger remembers', () => {
	const context = useService({ data: { flowRuns: 20, flows: 20 } });
	// The clock of n8n goes as that of the service does.
	beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => context.service.time.now));
	afterEach(() => jest.restoreAllMocks());
	const start = (parameters: INodeParameters = {}) =>
		createTriggerRun(context.engine, context.credential, parameters);

	test('Max Items per Poll leaves the rest to the next polls, over a restart too', async () => {
		const { live } = context.service;
		const run = start({ event: 'userJoined', options: { maxItems: 3 } });
		await run.activate();
		const made = Array.from({ length: 8 }, () => live.addUser().id);
		expect(ids(await run.poll())).toEqual(made.slice(0, 3));
		await run.restart();
		expect(ids(run.given)).toEqual(made.slice(0, 6));
		expect(ids(await run.poll())).toEqual(made.slice(6));
		expect(await run.poll()).toEqual([]);
	});

	test('of one and the same moment all are given, also those that come to light later', async () => {
		const { live, time } = context.service;
		const run = start({ event: 'userJoined', options: { maxItems: 2 } });
		await run.activate();
		const { step } = time;
		time.step = 0;
		const made = Array.from({ length: 5 }, () => live.addUser().id);
		await run.poll();
		await run.poll();
		await run.poll();
		const late = live.addUser().id;
		time.step = step;
		await run.restart();
		expect(ids(run.given).slice(0, 5).sort()).toEqual(made.sort());
		expect(ids(run.given).slice(5)).toEqual([late]);
	});

	test('a record that is stored after a younger one is given', async () => {
		const { live, time } = context.service;
		const run = start({ event: 'userJoined' });
		await run.activate();
		const created = new Date(time.now).toISOString();
		time.advance(30_000);
		const younger = live.addUser().id;
		await run.poll();
		const older = live.addUser({ created }).id;
		await run.poll();
		expect(ids(run.given)).toEqual([younger, older]);
	});

	test('no more ids are kept than are needed, and what they leave out is known by its time', async () => {
		const { live, time } = context.service;
		const { step } = time;
		limits.triggerSeenRecords = 4;
		// Records may show up late for five minutes.
		time.step = 120_000;
		try {
			const run = start({ event: 'userJoined' });
			await run.activate();
			const made = Array.from({ length: 30 }, () => live.addUser().id);
			await run.poll();
			expect(made.filter((id) => run.stored?.includes(id))).toEqual(made.slice(-4));
			await run.restart();
			await run.poll();
			expect(ids(run.given)).toEqual(made);
		} finally {
			limits.triggerSeenRecords = 1000;
			time.step = step;
		}
	});

	test.each<[string, INodeParameters, (flow: string) => INodeParameters]>([
		['another event', { event: 'flowRunFailed' }, () => ({ event: 'flowCreated' })],
		['another flow', {}, (flow) => ({ flowId: byId(flow) })],
		['other statuses', {}, () => ({ statuses: ['CANCELED', 'FAILED'] })],
	])('begins anew with %s', async (_name, before, after) => {
		const { live, data } = context.service;
		const run = start(before);
		await run.activate();
		const { flowId } = live.addFlowRun({ status: 'FAILED' });
		live.addFlow();
		await run.change(after(flowId));
		await run.poll();
		expect(run.given).toEqual([]);
		expect(data.flows.map(({ id }) => id)).toContain(flowId);
		live.addFlow();
		live.addFlowRun({ status: 'FAILED', flowId });
		await run.poll();
		expect(run.given).toHaveLength(1);
	});

	test('stays with a change that does not matter', async () => {
		const { live } = context.service;
		const run = start();
		await run.activate();
		const { id } = live.addFlowRun({ status: 'FAILED' });
		await run.change({ simplify: false, options: { lookbackHours: 48, maxItems: 5 } });
		await run.poll();
		expect(ids(run.given)).toEqual([id]);
		expect(run.given[0]).toHaveProperty('flowVersion');
	});

	test('a poll that begins while another is under way leaves everything to that one', async () => {
		const { service } = context;
		const run = start({ event: 'userJoined' });
		await run.activate();
		const { id } = service.live.addUser();
		service.clearRequests();
		service.fault({ times: 1, kind: { delay: 200 } });
		const [first, second] = await Promise.all([run.poll(), run.poll()]);
		expect([ids(first), ids(second)]).toEqual([[id], []]);
		expect(requestPaths(context)).toEqual(['GET /v1/users']);
	});

	test('runs beyond the edge of a page in one second all come', async () => {
		const { live, time } = context.service;
		const run = start({ options: { maxItems: 5000 } });
		await run.activate();
		time.step = 0;
		const made = Array.from({ length: 1100 }, () => live.addFlowRun({ status: 'FAILED' }).id);
		time.step = 1000;
		await run.poll();
		await run.poll();
		expect(new Set(ids(run.given))).toEqual(new Set(made));
		expect(run.given).toHaveLength(made.length);
	});
});

describe('a connection', () => {
	const context = useService();
	const start = (parameters: INodeParameters = {}) =>
		createTriggerRun(context.engine, context.credential, {
			event: 'connectionNeedsAttention',
			...parameters,
		});
	const healthy = (index: number) =>
		context.service.data.connections.filter(({ status }) => status === 'ACTIVE')[index].id;

	test('that stays broken is given once, and again when it broke anew', async () => {
		const { live } = context.service;
		const id = healthy(0);
		const run = start();
		await run.activate();
		live.setConnectionStatus(id, 'ERROR');
		await run.poll();
		live.setConnectionStatus(id, 'MISSING');
		await run.poll();
		expect(ids(run.given)).toEqual([id]);
		live.setConnectionStatus(id, 'ACTIVE');
		await run.poll();
		live.setConnectionStatus(id, 'MISSING');
		await run.poll();
		expect(ids(run.given)).toEqual([id, id]);
	});

	test('that was repaired and broke again is not lost in a restart', async () => {
		const { live } = context.service;
		const id = healthy(1);
		const run = start();
		await run.activate();
		live.setConnectionStatus(id, 'ERROR');
		await run.poll();
		live.setConnectionStatus(id, 'ACTIVE');
		await run.poll();
		live.setConnectionStatus(id, 'ERROR');
		// n8n has stored that it is broken, which is true again.
		await run.restart();
		expect(ids(run.given)).toEqual([id, id]);
	});

	test('that was broken before is not given, not after a restart either', async () => {
		const { live } = context.service;
		live.setConnectionStatus(healthy(2), 'ERROR');
		const run = start();
		await run.activate();
		await run.restart();
		await run.poll();
		expect(run.given).toEqual([]);
	});

	test('beyond Max Items per Poll comes with the next poll', async () => {
		const { live } = context.service;
		const run = start({ options: { maxItems: 2 } });
		await run.activate();
		const broken = [0, 1, 2].map((index) => healthy(index));
		for (const id of broken) live.setConnectionStatus(id, 'ERROR');
		expect(ids(await run.poll())).toEqual(broken.slice(0, 2));
		expect(ids(await run.poll())).toEqual(broken.slice(2));
		expect(await run.poll()).toEqual([]);
	});
});

describe.each(['0.73', '0.85'] as const)('the queue on release %s', (release) => {
	const context = useService({ release });
	const start = (options: INodeParameters = {}) =>
		createTriggerRun(context.engine, context.credential, {
			event: 'queueBacklog',
			threshold: 10,
			options,
		});
	/** What came out when the queue had so many jobs, one poll after the other */
	async function levels(options: INodeParameters, counts: Array<number | 'restart'>) {
		context.service.live.setQueue({ waiting: 0, prioritized: 0 });
		const run = start(options);
		await run.activate();
		const given: unknown[] = [];
		for (const count of counts) {
			run.given.length = 0;
			if (count === 'restart') await run.restart();
			else {
				context.service.live.setQueue({ waiting: count });
				await run.poll();
			}
			given.push(...run.given.map((item) => item.count));
		}
		return given;
	}

	test('starts the workflow when it rises above the threshold', async () => {
		expect(await levels({}, [10, 11, 12, 10, 9, 15])).toEqual([11, 15]);
	});

	test('starts it again only after it fell below Clear At', async () => {
		expect(await levels({ clearAt: 5 }, [11, 10, 5, 20, 4, 20])).toEqual([11, 20]);
	});

	test('starts it twice rather than never around a restart', async () => {
		expect(await levels({ clearAt: 5 }, [11, 12, 'restart', 12])).toEqual([11, 12]);
		expect(await levels({ clearAt: 5 }, [11, 1, 'restart', 12])).toEqual([11, 12]);
	});

	test('does not start it for what was there before', async () => {
		context.service.live.setQueue({ waiting: 99 });
		const run = start();
		await run.activate();
		await run.poll();
		expect(run.given).toEqual([]);
	});

	test('shows its level as a test event', async () => {
		context.service.live.setQueue({ waiting: 3 });
		expect(await start().fetchTestEvent()).toEqual([
			expect.objectContaining({ metric: 'waiting', count: 3, threshold: 10, clearAt: null }),
		]);
	});

	test('refuses a metric that the release does not report', async () => {
		const run = createTriggerRun(context.engine, context.credential, {
			event: 'queueBacklog',
			metric: 'delayed',
		});
		if (release === '0.73') await run.activate();
		else await expect(run.activate()).rejects.toThrow(/does not report delayed jobs/);
	});
});
