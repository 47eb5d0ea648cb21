import fc from 'fast-check';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import type { TriggerItem } from '../../../nodes/Activepieces/trigger/event';
import { OldestOutputs } from '../../../nodes/Activepieces/trigger/oldestOutputs';
import { HAPPENINGS } from './fakeService';
import { service, useFakes, watch } from './useFakes';

useFakes();

const item = (id: string, time: number): TriggerItem => ({
	id,
	time,
	version: '',
	json: { id },
});
const hasOutput = ({ json }: TriggerItem) => json !== undefined;

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

test.each(['flowCreated', 'flowPublished', 'flowRunFailed'])(
	'%s keeps no more outputs than a poll may return',
	async (event) => {
		const n8n = await watch(event, { 'options.maxItems': 10 });
		for (let count = 0; count < 60; count++) {
			service.pass(1000);
			HAPPENINGS[event](service, service.projectOf(count));
		}
		const add = jest.spyOn(OldestOutputs.prototype, 'add');
		expect(await n8n.poll()).toHaveLength(10);
		const items = add.mock.calls.map(([found]) => found);
		add.mockRestore();
		expect(items).toHaveLength(60);
		expect(items.filter(hasOutput).length).toBeLessThan(20);
	},
);

test.each(['flowCreated', 'flowPublished', 'flowRunFailed'])(
	'%s keeps no more bytes than n8n can store, and returns the rest later',
	async (event) => {
		// Half of this has no space for a record, which is returned anyway.
		limits.maxOutputBytes = 15_000;
		const n8n = await watch(event, { simplify: false });
		const made: string[] = [];
		for (let count = 0; count < 40; count++) {
			service.pass(1000);
			made.push(HAPPENINGS[event](service, service.projectOf(count)));
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
