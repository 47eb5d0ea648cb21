import fc from 'fast-check';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { OldestItems } from '../../../nodes/Activepieces/trigger/oldestItems';
import { HAPPENINGS } from './fakeService';
import { service, useFakes, watch } from './useFakes';

useFakes();

/** Number of items that are kept, with their outputs */
const countKept = (found: OldestItems) => {
	const { items, reading } = found as unknown as {
		items: Map<string, unknown>;
		reading: Map<string, Map<string, unknown>>;
	};
	return items.size + [...reading.values()].reduce((sum, { size }) => sum + size, 0);
};

test('the oldest items of the projects that were read are returned, whatever others had', () => {
	const rows = fc.array(fc.record({ project: fc.nat(3), time: fc.nat(50) }), { maxLength: 60 });
	const isRead = fc.subarray([0, 1, 2, 3]);
	const holds = fc.property(rows, isRead, fc.integer({ min: 1, max: 5 }), (found, read, max) => {
		const outputs = new OldestItems(max);
		const all = found.map(({ project, time }, index) => {
			const item = { id: `id-${index}`, time, list: String(project), json: {} };
			outputs.add(item);
			// Fewer than twice as many of each project.
			expect(countKept(outputs)).toBeLessThanOrEqual(4 * 2 * max);
			return { project, item };
		});
		for (const project of read) outputs.listIsRead(String(project));
		const ofRead = all.filter(({ project }) => read.includes(project)).map((each) => each.item);
		const sorted = ofRead.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
		const { items, left } = outputs.result();
		expect(items.map(({ id }) => id)).toEqual(sorted.slice(0, max).map(({ id }) => id));
		const rest = sorted.slice(max).map(({ time }) => time);
		expect(Math.min(...left.values())).toBe(Math.min(...rest));
	});
	fc.assert(holds);
});

test.each(['flowCreated', 'flowPublished', 'flowRunFailed'])(
	'%s keeps no more items than a poll may return twice',
	async (event) => {
		const n8n = await watch(event, { 'options.maxItems': 10 });
		for (let count = 0; count < 60; count++) {
			service.pass(1000);
			HAPPENINGS[event](service, service.projectOf(count));
		}
		let most = 0;
		const { add } = OldestItems.prototype;
		const spy = jest.spyOn(OldestItems.prototype, 'add').mockImplementation(function (
			this: OldestItems,
			item,
		) {
			add.call(this, item);
			most = Math.max(most, countKept(this));
		});
		expect(await n8n.poll()).toHaveLength(10);
		expect(spy).toHaveBeenCalledTimes(60);
		spy.mockRestore();
		// Of two projects that are read and of those that were read
		expect(most).toBeLessThan(60);
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
