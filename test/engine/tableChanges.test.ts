import type { INodeParameters } from 'n8n-workflow';

import { byId } from './harness/byId';
import { parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, useService } from './harness/service';

// Up to 0.79 the service checks the body in another way.
describe.each(['0.79', '0.92'] as const)('tables of release %s are changed', (release) => {
	const context = useService({ release });
	const { failsWith, record, run } = context;
	const create = (tableName: string, column: INodeParameters[], more: INodeParameters = {}) =>
		parametersOf('table.create', {
			projectId: byId(context.data.projects[0].id),
			tableName,
			columns: { column },
			...more,
		});
	const tablesNamed = (name: string) => context.data.tables.filter((each) => each.name === name);

	test('Create makes the columns with their types and options', async () => {
		const table = await record(
			create(' Leads ', [
				{ name: ' Name ' },
				{ name: 'Amount', type: 'NUMBER' },
				{ name: 'State', type: 'STATIC_DROPDOWN', options: 'open, paid' },
			]),
		);
		expect(table).toMatchObject({ name: 'Leads', projectId: context.data.projects[0].id });
		const fields = context.data.fields.filter(({ tableId }) => tableId === table.id);
		expect(fields.map(({ name, type, data }) => [name, type, data])).toEqual([
			['Name', 'TEXT', null],
			['Amount', 'NUMBER', null],
			['State', 'STATIC_DROPDOWN', { options: [{ value: 'open' }, { value: 'paid' }] }],
		]);
	});

	test('Create looks for a table with the name first', async () => {
		await record(create('Twice', []));
		await failsWith(create('Twice', []), 'The project already has a table "Twice"', /Nothing was/);
		const { id } = await record(create('Twice', [], { ifExists: 'use' }));
		expect(tablesNamed('Twice')).toMatchObject([{ id }]);
	});

	test('with Retry On Fail, a table whose response was lost is not created twice', async () => {
		const lost = { method: 'POST', path: '/v1/tables', times: 1, done: true } as const;
		context.fault({ ...lost, kind: { status: 502 } });
		await run(create('Lost', []), { settings: RETRY_ON_FAIL });
		expect(tablesNamed('Lost')).toHaveLength(1);
	});

	test.each([
		['The column "State" has no options', [{ name: 'State', type: 'STATIC_DROPDOWN' }]],
		['Columns has "A" twice', [{ name: 'A' }, { name: 'A ', type: 'DATE' }]],
		['The name of a column is empty', [{ name: ' ' }]],
		[
			'Type must be one of DATE, STATIC_DROPDOWN, NUMBER, TEXT, not "X"',
			[{ name: 'A', type: 'X' }],
		],
	])('%s: nothing is sent', async (message, column) => {
		await failsWith(create('Refused', column), message, /./);
		expect(changesSent(context)).toEqual([]);
	});

	test('Clear deletes the records, and Delete the table', async () => {
		const [{ id }, { id: other }] = context.data.tables;
		const tableId = byId(id);
		const rowsOf = (table: string) =>
			context.data.tableRows.filter((row) => row.tableId === table).length;
		expect(rowsOf(id)).toBeGreaterThan(0);
		const clear = parametersOf('table.clear', { tableId });
		for (let time = 0; time < 2; time++) expect(await record(clear)).toEqual({ cleared: true });
		expect([rowsOf(id), rowsOf(other)]).toEqual([0, expect.any(Number)]);
		expect(await record(parametersOf('table.delete', { tableId }))).toEqual({ deleted: true });
		expect(context.data.tables.map((each) => each.id)).not.toContain(id);
		await failsWith(clear, /was not found/, /./);
	});
});
