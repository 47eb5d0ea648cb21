import fc from 'fast-check';

import { createClient } from '../../../nodes/Activepieces/transport/client';
import { limits } from '../../../nodes/Activepieces/transport/limits';
import { createRunState } from '../../../nodes/Activepieces/transport/run/runState';
import type * as Events from '../../../nodes/Activepieces/trigger/event';
import { flowCreated } from '../../../nodes/Activepieces/trigger/events/flowCreated.event';
import { flowPublished } from '../../../nodes/Activepieces/trigger/events/flowPublished.event';
import { flowRunFailed } from '../../../nodes/Activepieces/trigger/events/flowRunFailed.event';
import { OldestOutputs } from '../../../nodes/Activepieces/trigger/oldestOutputs';
import { ProjectOrder } from '../../../nodes/Activepieces/trigger/projectOrder';
import { HAPPENINGS } from './fakeService';
import { service, useFakes, watch } from './useFakes';

useFakes();

const item = (id: string, time: number): Events.TriggerItem => ({
	id,
	time,
	version: '',
	json: { id },
});
const hasOutput = ({ json }: Events.TriggerItem) => json !== undefined;

test('the oldest items of the projects that were read keep their outputs, whatever others had', () => {
	const found = fc.array(fc.record({ project: fc.nat(3), time: fc.nat(50) }), { maxLength: 60 });
	const isRead = fc.subarray([0, 1, 2, 3]);
	const holds = fc.property(found, isRead, fc.integer({ min: 1, max: 5 }), (rows, read, max) => {
		const outputs = new OldestOutputs(max);
		const all = rows.map(({ project, time }, index) => {
			const each = { project, item: item(`id-${index}`, time) };
			outputs.add(each.item, String(project));
			return each;
		});
		for (const project of read) outputs.projectIsRead(String(project));
		const ofRead = all.filter(({ project }) => read.includes(project)).map((each) => each.item);
		const oldest = ofRead.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1)).slice(0, max);
		expect(oldest.filter((each) => !hasOutput(each))).toEqual([]);
		// Fewer than twice as many of the projects that were read, and of each that was not.
		const bound = (1 + 4 - read.length) * 2 * max;
		expect(all.filter((each) => hasOutput(each.item)).length).toBeLessThanOrEqual(bound);
	});
	fc.assert(holds);
});

/** Starts to watch with an event, and returns a poll that may return ten items. */
async function startPolling(event: Events.TriggerEvent) {
	const data = { baseUrl: 'http://fake.invalid/api', apiKey: 'sk-fake-key' };
	const client = createClient(async (options) => service.answer(options), {
		credential: { name: 'activepiecesApi', data },
		runState: createRunState(),
		place: 'trigger',
	});
	const context: Events.EventContext = {
		client,
		maxItems: 10,
		getParameter: (name, fallback) => (name === 'statuses' ? ['FAILED'] : fallback),
		getTimezone: () => 'UTC',
		attach: () => {},
		showHint: () => {},
		serviceTime: () => ({ time: service.now, isCertain: true }),
		isLate: () => false,
		timeLimit: new AbortController().signal,
		projectOrder: new ProjectOrder(),
		output: (record) => record,
		isStale: false,
	};
	const first = await event.poll(context, undefined);
	return async () => await event.poll(context, first.nextState([]));
}

test.each([flowCreated, flowPublished, flowRunFailed])(
	'$name keeps no more outputs than a poll may return',
	async (event) => {
		const poll = await startPolling(event);
		for (let count = 0; count < 60; count++) {
			service.pass(1000);
			HAPPENINGS[event.value](service, service.projectOf(count));
		}
		const { items } = await poll();
		expect(items).toHaveLength(60);
		expect(items.slice(0, 10).filter(hasOutput)).toHaveLength(10);
		expect(items.filter(hasOutput).length).toBeLessThan(20);
	},
);

test.each([flowCreated, flowPublished, flowRunFailed])(
	'$name keeps no more bytes than n8n can store, and returns the rest later',
	async (event) => {
		// Half of this has no space for a record, which is returned anyway.
		limits.maxOutputBytes = 15_000;
		const n8n = await watch(event.value, { simplify: false });
		const made: string[] = [];
		for (let count = 0; count < 40; count++) {
			service.pass(1000);
			made.push(HAPPENINGS[event.value](service, service.projectOf(count)));
			const record = [...service.flows, ...service.runs].at(-1);
			Object.assign(record ?? {}, { text: 'x'.repeat(10_000) });
		}
		const first = await n8n.poll();
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThanOrEqual(1);
		await n8n.pollToEnd();
		expect(n8n.errors).toEqual([]);
		expect([...n8n.ids].sort()).toEqual(made.sort());
	},
);

test('known broken connections take no place of the others', async () => {
	limits.maxOutputBytes = 50_000;
	const breakMany = (count: number) =>
		Array.from({ length: count }, () => {
			const connection = service.addConnection();
			Object.assign(connection, { metadata: { text: 'x'.repeat(10_000) } });
			return connection.id;
		});
	breakMany(20);
	const n8n = await watch('connectionNeedsAttention', { simplify: false });
	service.pass();
	const made = breakMany(20);
	expect((await n8n.poll()).length).toBeLessThanOrEqual(5);
	await n8n.pollToEnd();
	expect([...n8n.ids].sort()).toEqual(made.sort());
});

test('the older records of a project that cannot be read do not withhold those of others', async () => {
	// Its first page is read, its second one is not.
	const refusal = { statusCode: 500, headers: { 'content-length': '1' }, body: '{}' };
	service.answers.set('project-b', ({ qs }) => (qs?.cursor === undefined ? undefined : refusal));
	const n8n = await watch('flowCreated', { 'options.maxItems': 5 });
	service.pass(3_600_000);
	for (let count = 0; count < 1500; count++) service.addFlow({ projectId: 'project-b' });
	service.pass(60_000);
	const given = Array.from({ length: 12 }, () => service.addFlow({ projectId: 'project-a' }).id);
	await n8n.polls(3);
	expect(n8n.ids).toEqual(given);
});
