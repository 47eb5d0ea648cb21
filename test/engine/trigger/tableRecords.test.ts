import type { INodeParameters } from 'n8n-workflow';

import { limits } from '../harness/built';
import { byId, ids } from '../harness/byId';
import { requestUrls, useService } from '../harness/service';
import { activeTrigger, TriggerRun } from '../harness/trigger';

const EVENTS = ['recordCreated', 'recordWritten'];

describe.each(['0.79', '0.85', '0.92'] as const)('records of a table on release %s', (release) => {
	const context = useService({ release, data: { tablesPerProject: 2, recordsPerTable: 9 } });
	const table = () => context.data.tables[0];
	const rows = () => context.data.tableRows.filter(({ tableId }) => tableId === table().id);
	const parametersOf = (event: string, more: INodeParameters = {}) => ({
		event,
		tableId: byId(table().id),
		...more,
	});
	const watch = async (event: string, more?: INodeParameters) =>
		await activeTrigger(context, parametersOf(event, more));
	const where = (column: string, operator: string, value?: unknown) => ({
		conditions: { condition: [{ column, operator, value }] } as INodeParameters,
	});

	test.each(EVENTS)('%s returns a new one once, as Get Many does', async (event) => {
		context.live.addRow();
		const run = await watch(event);
		const raw = await watch(event, { simplify: false });
		expect(await run.poll()).toEqual([]);
		const { id } = context.live.addRow();
		context.live.addRow({ tableId: context.data.tables[1].id });
		const given = await run.poll();
		expect(ids(given)).toEqual([id]);
		const list = { resource: 'tableRecord', operation: 'getAll', tableId: byId(table().id) };
		const records = await context.records({ ...list, returnAll: true });
		expect(given).toEqual([records.find((record) => record.id === id)]);
		expect(await raw.poll()).toEqual([expect.objectContaining({ id, cells: expect.any(Object) })]);
		expect(await run.poll()).toEqual([]);
		expect(run.errors).toEqual([]);
		const [example] = await new TriggerRun(context, parametersOf(event)).fetchTestEvent();
		expect(example).toEqual(given[0]);
	});

	test('are read with one request, and their columns only if there is news', async () => {
		const run = await watch('recordWritten');
		context.clearRequests();
		await run.poll();
		const query = `tableId=${table().id}`;
		const list = `GET /v1/records?${query}&limit=${limits.maxRecordsPerItem}`;
		expect(requestUrls(context)).toEqual([list]);
		context.live.addRow();
		context.clearRequests();
		await run.poll();
		expect(requestUrls(context)).toEqual([list, `GET /v1/fields?${query}`]);
	});

	test('are returned once for several writes, and for the same value again', async () => {
		const run = await watch('recordWritten');
		const created = await watch('recordCreated');
		const [{ id }, other] = rows();
		for (const [column, value] of ['One', '2', '2026-12-31'].entries()) {
			context.live.writeCell(id, value, column);
		}
		expect(await run.poll()).toMatchObject([{ id, Customer: 'One', Amount: 2 }]);
		context.live.writeCell(id, 'One');
		context.live.writeCell(other.id, '');
		expect(ids(await run.poll())).toEqual([id, other.id]);
		expect(await run.poll()).toEqual([]);
		expect(await created.poll()).toEqual([]);
	});

	test('without values are no event of Created or Updated until one is written', async () => {
		const [run, created] = [await watch('recordWritten'), await watch('recordCreated')];
		const { id } = context.live.addRow({ value: null });
		expect([await run.poll(), ids(await created.poll())]).toEqual([[], [id]]);
		context.live.writeCell(id, 'Filled');
		expect([ids(await run.poll()), await created.poll()]).toEqual([[id], []]);
	});

	test('are watched in some columns only, so that a workflow can write into the others', async () => {
		const options = { columnsToWatch: ['Customer', 'Due'] };
		const run = await watch('recordWritten', { options });
		const [{ id }, other] = rows();
		context.live.writeCell(other.id, '7', 1);
		expect(await run.poll()).toEqual([]);
		context.live.writeCell(id, '2027-01-01', 2);
		expect(ids(await run.poll())).toEqual([id]);
		// What the workflow writes back.
		context.live.writeCell(id, 'paid', 3);
		expect(await run.poll()).toEqual([]);
	});

	test.each(EVENTS)('are limited by conditions: %s', async (event) => {
		const before = context.live.addRow({ value: 'Nobody yet' });
		const run = await watch(event, { options: where('Customer', 'co', 'vip') });
		// None that was there is new because it fulfills them now.
		if (event === 'recordCreated') {
			for (const { id } of [rows()[0], before]) context.live.writeCell(id, 'VIP before');
		}
		const first = context.live.addRow({ value: 'A VIP' });
		const later = context.live.addRow({ value: 'Nobody' });
		expect(ids(await run.poll())).toEqual([first.id]);
		context.live.writeCell(later.id, 'Now a vip');
		expect(ids(await run.poll())).toEqual([later.id]);
		expect(await run.poll()).toEqual([]);
		expect(run.errors).toEqual([]);
	});

	test('are limited by any of the conditions', async () => {
		const either = {
			conditions: {
				condition: [
					{ column: 'Customer', operator: 'co', value: 'vip' },
					{ column: 'Amount', operator: 'gt', value: 1_000_000 },
				],
			},
		};
		const run = await watch('recordWritten', { options: { ...either, combine: 'any' } });
		const both = await watch('recordWritten', { options: either });
		const vip = context.live.addRow({ value: 'A VIP' });
		const rich = context.live.addRow({ value: 'Rich' });
		context.live.writeCell(rich.id, '2000000', 1);
		context.live.addRow({ value: 'Nobody' });
		expect(ids(await run.poll())).toEqual([vip.id, rich.id]);
		expect(await both.poll()).toEqual([]);
		context.live.writeCell(vip.id, '3000000', 1);
		expect([ids(await run.poll()), ids(await both.poll())]).toEqual([[vip.id], [vip.id]]);
	});

	test('go on if a condition compares with the time of the poll', async () => {
		const value = '={{ $now.minus(1, "day").toISO() }}';
		const run = await watch('recordCreated', { options: where('Due', 'gt', value) });
		const { id } = context.live.addRow();
		context.live.writeCell(id, '2099-01-01', 2);
		expect(ids(await run.poll())).toEqual([id]);
	});

	test('are no event because a column was deleted', async () => {
		const run = await watch('recordWritten');
		const { id } = context.live.addRow();
		await run.poll();
		context.live.writeCell(id, '5', 1);
		expect(ids(await run.poll())).toEqual([id]);
		const amount = context.data.fields.find(
			({ name, tableId }) => name === 'Amount' && tableId === table().id,
		)!;
		context.data.fields = context.data.fields.filter((field) => field !== amount);
		for (const row of rows()) delete row.cells[amount.id];
		expect(await run.poll()).toEqual([]);
		context.live.writeCell(id, 'Later');
		expect(ids(await run.poll())).toEqual([id]);
	});

	test('are given up to Max Items, the oldest first, over restarts', async () => {
		const run = await watch('recordWritten', { options: { maxItems: 4 } });
		const made = Array.from({ length: 11 }, () => context.live.addRow().id);
		for (let poll = 0; poll < 5; poll++) {
			if (poll === 2) await run.restart();
			else await run.poll();
		}
		expect(ids(run.given)).toEqual(made);
	});

	test('of another table, or other columns, start over, and a chosen project does not', async () => {
		const run = await watch('recordWritten');
		const projectId = byId(table().projectId);
		const { id } = context.live.addRow();
		await run.change(parametersOf('recordWritten', { projectId }));
		expect(ids(run.given)).toEqual([id]);
		context.live.addRow();
		await run.change(parametersOf('recordWritten', { options: { columnsToWatch: ['Due'] } }));
		expect(await run.poll()).toEqual([]);
		expect(run.given).toHaveLength(1);
	});

	test('of a table that is not in the chosen project are refused', async () => {
		const other = context.data.projects.find(({ id }) => id !== table().projectId)!;
		await expect(watch('recordCreated', { projectId: byId(other.id) })).rejects.toMatchObject({
			message: `Table "${table().id}" belongs to another project`,
			failure: { cause: 'configuration-invalid' },
		});
	});

	test.each<[string, INodeParameters, RegExp]>([
		['without a table', { tableId: byId('') }, /^Table is empty/],
		['of an unknown table', { tableId: byId('0'.repeat(21)) }, /^Table "0+" was not found/],
		['with an unknown column', { options: { columnsToWatch: ['Nope'] } }, /no column "Nope"/],
		[
			'with a condition that its column cannot fulfill',
			{ options: where('Due', 'neq', '31.12.2026') },
			/^A condition compares the column "Due" with "31.12.2026" instead of a date/,
		],
		['with no column from an expression', { options: { columnsToWatch: '={{ [] }}' } }, /no value/],
	])('refuse the activation %s', async (_name, more, message) => {
		const run = watch('recordWritten', more);
		await expect(run).rejects.toMatchObject({ message: expect.stringMatching(message) });
	});

	test('that are none have no test event', async () => {
		context.data.tableRows = [];
		context.live.addRow({ value: null });
		const run = new TriggerRun(context, parametersOf('recordWritten'));
		await expect(run.fetchTestEvent()).rejects.toThrow('The table has no such record');
	});
});
