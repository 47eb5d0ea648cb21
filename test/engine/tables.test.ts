import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { TableRecord } from '../service/records';
import { limits } from './harness/built';
import { RETRY_ON_FAIL } from './harness/parameters';
import { signedIn } from './harness/signIn';
import { byUrl } from './harness/byId';
import { byId, cancelAt, changesSent, requestPaths, useService } from './harness/service';

const RECORD = { resource: 'tableRecord' };

/** The value of Columns in which a person has filled in some columns. */
const columns = (value: Record<string, string | null>): INodeParameters => ({
	columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
});

const AUTO: INodeParameters = {
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
};

const get = (table: TableRecord, recordId: string, more: INodeParameters = {}) => ({
	...RECORD,
	operation: 'get',
	tableId: byId(table.id),
	recordId,
	...more,
});

const create = (table: TableRecord, more: INodeParameters) => ({
	...RECORD,
	operation: 'create',
	tableId: byId(table.id),
	...more,
});

const update = (table: TableRecord, recordId: string, more: INodeParameters) => ({
	...create(table, more),
	operation: 'update',
	recordId,
});

const remove = (table: TableRecord, recordId: string): INodeParameters => ({
	...RECORD,
	operation: 'delete',
	tableId: byId(table.id),
	recordId,
});

const list = (table: TableRecord, more: INodeParameters = {}): INodeParameters => ({
	...RECORD,
	operation: 'getAll',
	tableId: byId(table.id),
	returnAll: true,
	...more,
});

const where = (...condition: IDataObject[]): INodeParameters => ({
	filters: { conditions: { condition } } as INodeParameters,
});

/** The stored text of a column, by row. */
function storedIn({ data }: ReturnType<typeof useService>, table: TableRecord, name: string) {
	const field = data.fields.find((each) => each.tableId === table.id && each.name === name)!;
	return data.tableRows
		.filter(({ tableId }) => tableId === table.id)
		.map(({ cells }) => cells[field.id]?.value);
}

describe.each(['0.79', '0.85', '0.86'] as const)('tables of release %s', (release) => {
	const context = useService({ release });
	const { records, failsWith, refuses, run } = context;
	const firstTable = () => context.data.tables[0];
	const rowsOf = ({ id }: TableRecord) =>
		context.data.tableRows.filter(({ tableId }) => tableId === id);

	test('the tables of all projects come with the name of their project and their page', async () => {
		const { projects, tables } = context.data;
		const given = await records({ resource: 'table', operation: 'getAll', returnAll: true });
		expect(given).toHaveLength(tables.length);
		const [{ id, name, projectId }] = tables;
		expect(given).toContainEqual({
			id,
			name,
			projectId,
			projectName: projects.find((project) => project.id === projectId)!.displayName,
			created: tables[0].created,
			updated: tables[0].updated,
			url: `${context.origin}/projects/${projectId}/tables/${id}`,
		});
		// One request for each project
		const asked = requestPaths(context).filter((path) => path === 'GET /v1/tables');
		expect(asked).toHaveLength(projects.length);
	});

	test('the tables of one project, by a part of their name', async () => {
		const { projectId } = firstTable();
		const given = await records({
			...{ resource: 'table', operation: 'getAll', projectId: byId(projectId) },
			filters: { name: 'ORD' },
		});
		expect(given).toMatchObject([{ name: 'Orders', projectId }]);
	});

	test('a record is flat, with null for a value that it lacks', async () => {
		const rows = rowsOf(firstTable());
		const given = await records(list(firstTable()));
		expect(given.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
		expect(given[0]).toEqual({
			id: rows[0].id,
			Customer: 'Customer 000',
			Amount: '0.5',
			Due: '2026-11-01T00:00:00.000Z',
			State: 'open',
			created: rows[0].created,
			updated: rows[0].updated,
		});
		expect(given[4]).toMatchObject({ Amount: null });
		expect(given[6]).toMatchObject({ State: null });
		const [sent] = await records(list(firstTable(), { simplify: false }));
		expect(sent).toMatchObject({ tableId: firstTable().id, cells: expect.any(Object) });
	});

	test('Limit is exact, and asks for no more', async () => {
		const limited = list(firstTable(), { returnAll: false, limit: 3 });
		expect(await records(limited)).toHaveLength(3);
		expect(context.requests.at(-1)?.query).toMatchObject({ limit: '3' });
	});

	test.each<[string, IDataObject[], number[]]>([
		['text', [{ column: 'Customer', operator: 'eq', value: 'Customer 003' }], [3]],
		['the same text only', [{ column: 'Amount', operator: 'eq', value: '3.50' }], []],
		[
			'another text',
			[{ column: 'State', operator: 'neq', value: 'open' }],
			[1, 2, 4, 5, 7, 8, 10, 11],
		],
		['a part of a text', [{ column: 'Customer', operator: 'co', value: 'CUSTOMER 01' }], [10, 11]],
		['a greater number', [{ column: 'Amount', operator: 'gt', value: 9 }], [10, 11]],
		['the years of dates', [{ column: 'Due', operator: 'gt', value: '2026-11-05' }], []],
		['a missing value', [{ column: 'State', operator: 'not_exists' }], [6]],
		[
			'several conditions',
			[
				{ column: 'Amount', operator: 'gte', value: '2' },
				{ column: 'Amount', operator: 'lt', value: '8' },
				{ column: 'State', operator: 'exists' },
			],
			[2, 3, 5, 7],
		],
	])('conditions find %s', async (_what, conditions, wanted) => {
		const rows = rowsOf(firstTable());
		const given = await records(list(firstTable(), where(...conditions)));
		expect(given.map(({ id }) => rows.findIndex((row) => row.id === id))).toEqual(wanted);
	});

	test('more conditions than old releases accept, and Limit after them', async () => {
		const many = Array.from({ length: 25 }, () => ({
			column: 'Amount',
			operator: 'gt',
			value: '1',
		}));
		const given = await records(
			list(firstTable(), { ...where(...many), returnAll: false, limit: 2 }),
		);
		expect(given).toMatchObject([{ Amount: '1.5' }, { Amount: '2.5' }]);
	});

	test('conditions that cannot be used are refused', async () => {
		const table = firstTable();
		await failsWith(
			list(table, where({ column: 'Colour', operator: 'eq', value: 'x' })),
			'The table has no column "Colour"',
			'"Customer", "Amount"',
		);
		context.clearRequests();
		await refuses(list(table, where({ column: '' })), 'A condition has no column');
		await refuses(
			list(table, where({ column: 'State', operator: 'like' })),
			'A condition has the operator "like"',
			'Change Conditions.',
		);
		await refuses(
			list(table, where({ column: 'State', operator: 'eq', value: '={{ $json.none }}' })),
			'A condition compares with undefined instead of text or a number',
		);
	});

	test('Get finds a record by its ID, of this table only', async () => {
		const [table, other] = context.data.tables;
		const [row] = rowsOf(table);
		expect(await records(get(table, row.id))).toMatchObject([{ id: row.id, Amount: '0.5' }]);
		await failsWith(
			get(other, row.id),
			`Table record "${row.id}" belongs to another table`,
			'Check Table and Record ID.',
		);
		await failsWith(get(table, 'abc'), 'Table record "abc" was not found', 'Check Record ID.');
		await context.failure(get(table, '../a b'));
		expect(context.requests.at(-1)?.url).toBe('/api/v1/records/..%2Fa%20b');
		context.clearRequests();
		await refuses(get(table, ' '), 'Record ID is empty');
	});

	test('a table that does not exist is named', async () => {
		const unknown = { ...firstTable(), id: 'unknown'.padEnd(21, '0') };
		const message = `Table "${unknown.id}" was not found`;
		await failsWith(list(unknown), message, 'Check Table.');
		await failsWith(create(unknown, columns({ Customer: 'x' })), message, 'Check Table.');
		expect(changesSent(context)).toEqual([]);
	});

	test('120 items are created in three requests, in their order, each paired with its item', async () => {
		const { id } = firstTable();
		const before = storedIn(context, firstTable(), 'Customer').length;
		const items = Array.from({ length: 120 }, (_, i) => ({ Customer: `New ${i}`, Amount: i }));
		const { items: given } = await run(create(firstTable(), AUTO), items);
		expect(given.map(({ json }) => json.Customer)).toEqual(items.map(({ Customer }) => Customer));
		expect(given.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(given[7].json).toMatchObject({ Amount: '7', Due: null, State: null });
		const sent = context.requests.filter(({ method }) => method === 'POST');
		expect(sent.map(({ body }) => (body as { records: [] }).records.length)).toEqual([50, 50, 20]);
		expect(sent.every(({ body }) => (body as IDataObject).tableId === id)).toBe(true);
		expect(context.inFlight.peak).toBe(1);
		expect(storedIn(context, firstTable(), 'Customer').slice(before)).toEqual(
			items.map(({ Customer }) => Customer),
		);
	});

	test('the tables of the items may differ', async () => {
		const [one, two] = context.data.tables;
		const parameters = {
			...create(one, columns({ Customer: '={{ $json.name }}' })),
			tableId: byId('={{ $json.table }}'),
		};
		const items = [one, two, one].map(({ id }, i) => ({ table: id, name: `Mixed ${i}` }));
		const given = await records({ ...parameters, simplify: false }, items);
		expect(given.map(({ tableId }) => tableId)).toEqual(items.map(({ table }) => table));
		expect(storedIn(context, one, 'Customer').slice(-2)).toEqual(['Mixed 0', 'Mixed 2']);
		expect(changesSent(context)).toHaveLength(2);
	});

	test('values are sent as text, as the service stores them', async () => {
		const table = firstTable();
		await run(create(table, AUTO), [
			{ Customer: { a: [1] }, Amount: 12.5, Due: '2026-12-31', State: 'paid' },
			{ Customer: true, Amount: ' 1e3 ', Due: '2026-12-31T08:00:00+01:00', State: null },
			{ Customer: [1, 2], Amount: null, Due: '', State: '' },
		]);
		expect(storedIn(context, table, 'Customer').slice(-3)).toEqual(['{"a":[1]}', 'true', '[1,2]']);
		expect(storedIn(context, table, 'Amount').slice(-3)).toEqual(['12.5', '1e3', '']);
		expect(storedIn(context, table, 'Due').slice(-3)).toEqual([
			'2026-12-31',
			'2026-12-31T07:00:00.000Z',
			'',
		]);
		expect(storedIn(context, table, 'State').slice(-3)).toEqual(['paid', '', '']);
	});

	test.each<[string, IDataObject, string, string]>([
		['no number', { Amount: 'abc' }, 'The column "Amount" must be a number, not "abc"', 'Columns'],
		['a boolean', { Amount: true }, 'The column "Amount" must be a number, not true', 'Columns'],
		[
			'no date',
			{ Due: '31.12.2026' },
			'The column "Due" must be a date, not "31.12.2026"',
			'2026-',
		],
		[
			'no option',
			{ State: 'Open' },
			'The column "State" must be one of "open", "paid", "on hold", not "Open"',
			'Columns',
		],
		['a NUL character', { Customer: 'a\0b' }, 'The column "Customer" must be text', 'Columns'],
		['another column', { Name: 'x' }, 'The table has no column "Name"', 'ignore it'],
		['no value', {}, 'Columns has no values', 'at least one column'],
	])(
		'a value that the table does not take is refused: %s',
		async (_what, item, message, advice) => {
			const failure = await context.failure(create(firstTable(), AUTO), [item]);
			expect(failure.message).toContain(message);
			expect(failure.description).toContain(advice);
			expect(failure.description).toContain('Nothing was sent.');
			expect(changesSent(context)).toEqual([]);
		},
	);

	test('a column by its name and its ID would come twice', async () => {
		const field = context.data.fields.find(({ tableId }) => tableId === firstTable().id)!;
		await failsWith(
			create(firstTable(), columns({ Customer: 'x', [field.id]: 'y' })),
			'Columns has two values for the column "Customer"',
		);
		expect(changesSent(context)).toEqual([]);
	});

	test('an item of Get Many goes back as it is', async () => {
		const [first] = await records(list(firstTable()));
		const [again] = await records(create(firstTable(), AUTO), [first]);
		expect(again).toEqual({
			...first,
			id: expect.not.stringMatching(String(first.id)),
			created: expect.any(String),
			updated: expect.any(String),
		});
	});

	test('an invalid item fails alone, and is not in the request of the others', async () => {
		const items = ['a', 'b', 'c', 'd'].map((Customer, i) => ({
			Customer,
			Amount: i === 2 ? 'x' : i,
		}));
		const { items: given } = await run(create(firstTable(), AUTO), {
			items,
			onError: 'continueRegularOutput',
		});
		expect(given.map(({ json }) => json.error ?? json.Amount)).toEqual([
			'0',
			'1',
			'The column "Amount" must be a number, not "x"',
			'3',
		]);
		expect(given.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(changesSent(context)).toHaveLength(1);
	});

	test('if it stops the workflow, nothing of its request and nothing later is sent', async () => {
		const items = Array.from({ length: 120 }, (_, i) => ({
			Customer: `S${i}`,
			Amount: i === 70 ? 'x' : i,
		}));
		const failure = await context.failure(create(firstTable(), AUTO), items);
		expect(failure.message).toBe('The column "Amount" must be a number, not "x"');
		expect(failure.context.itemIndex).toBe(70);
		expect(failure.description).toContain('50 of 120 items were completed.');
		expect(changesSent(context)).toHaveLength(1);
	});

	test('each item of a lost request is in doubt, and is not sent again', async () => {
		const items = Array.from({ length: 60 }, (_, i) => ({ Customer: `L${i}` }));
		context.fault({ method: 'POST', done: true, times: 1, kind: { reset: 'beforeHeaders' } });
		const { items: given } = await run(create(firstTable(), AUTO), {
			items,
			onError: 'continueRegularOutput',
		});
		const failed = given.filter(({ json }) => json.error !== undefined);
		expect(failed).toHaveLength(50);
		for (const { json } of failed) expect(json.message).toContain('may have applied the change');
		expect(changesSent(context)).toHaveLength(2);
	});

	test('with On Error = Continue, a refused request does not stop that for another table', async () => {
		const items = context.data.tables.slice(0, 2).map(({ id }) => ({
			table: id,
			field: context.data.fields.find(({ tableId }) => tableId === id)!.id,
		}));
		context.fault({ method: 'POST', path: '/v1/records', times: 1, kind: { status: 422 } });
		const parameters = {
			...create(firstTable(), columns({})),
			tableId: byId('={{ $json.table }}'),
			columns: {
				mappingMode: 'defineBelow',
				value: '={{ { [$json.field]: "1" } }}',
				matchingColumns: [],
				schema: [],
			},
		} as INodeParameters;
		const given = await run(parameters, { items, onError: 'continueRegularOutput' });
		expect(given.items.map(({ json }) => 'error' in json)).toEqual([true, false]);
	});

	test('with On Error = Stop, a request for another table is not sent after one that failed', async () => {
		const tables = context.data.tables.slice(0, 2);
		const items = tables.map(({ id }) => ({ id, value: id }));
		context.fault({ method: 'POST', times: 1, kind: { status: 400, message: 'no' } });
		const parameters = { ...create(tables[0], columns({ Customer: '={{ $json.value }}' })) };
		const failure = await context.failure(
			{ ...parameters, tableId: byId('={{ $json.id }}') },
			items,
		);
		expect(failure.description).toContain('0 of 2 items were completed');
		expect(changesSent(context)).toHaveLength(1);
	});

	test('with On Error = Stop, those in doubt are counted', async () => {
		const items = Array.from({ length: 60 }, (_, i) => ({ Customer: `C${i}` }));
		context.fault({ method: 'POST', done: true, times: 1, kind: { status: 502 } });
		const failure = await context.failure(create(firstTable(), AUTO), items);
		expect(failure.description).toContain('0 of 60 items were completed; 49 may have been.');
		expect(changesSent(context)).toHaveLength(1);
	});

	test('Retry On Fail sends neither what was created nor what is in doubt again', async () => {
		const items = Array.from({ length: 60 }, (_, i) => ({ Customer: `R${i}` }));
		context.fault({ method: 'POST', after: 1, done: true, times: 1, kind: { status: 502 } });
		const failure = await context.failure(create(firstTable(), AUTO), {
			items,
			settings: RETRY_ON_FAIL,
		});
		expect(failure.message).toBe('Could not confirm whether the table record was created');
		expect(failure.context.itemIndex).toBe(50);
		expect(changesSent(context)).toHaveLength(2);
		const stored = storedIn(context, firstTable(), 'Customer').filter((name) =>
			name?.startsWith('R'),
		);
		expect(new Set(stored).size).toBe(60);
		expect(stored).toHaveLength(60);
	});

	test('Retry On Fail sends what the service refused', async () => {
		const kind = { status: 503, shape: 'framework', message: 'starting' } as const;
		context.fault({ method: 'POST', times: 1, kind: { status: 400, message: 'no' } });
		const given = await records(create(firstTable(), AUTO), {
			items: [{ Customer: 'again' }],
			settings: RETRY_ON_FAIL,
		});
		expect(given).toMatchObject([{ Customer: 'again' }]);
		context.fault({ method: 'POST', times: 1, kind });
		expect(await records(create(firstTable(), AUTO), [{ Customer: 'later' }])).toHaveLength(1);
	});

	test('a cancelled run sends no further request, and counts what is in doubt', async () => {
		const items = Array.from({ length: 150 }, (_, i) => ({ Customer: `X${i}` }));
		context.fault({ method: 'POST', after: 1, kind: { delay: 60_000 } });
		const { run: result } = await run(create(firstTable(), AUTO), {
			items,
			started: cancelAt(context, 2, /\/records$/),
		});
		const { error } = result.data.resultData;
		expect(error?.message).toMatch(/cancelled/);
		expect(error).toHaveProperty(
			'description',
			expect.stringContaining('50 of 150 items were completed; 50 may have been.'),
		);
		expect(context.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
	});

	test('a full table is told, without doubt', async () => {
		const { tableRows } = context.data;
		const [row] = rowsOf(firstTable());
		context.data.tableRows = [...tableRows, ...new Array<typeof row>(9_990).fill(row)];
		const failure = await context.failure(create(firstTable(), AUTO), [{ Customer: 'x' }]);
		context.data.tableRows = tableRows;
		expect(failure.message).toBe('The table does not have room for the table records');
		expect(failure.description).toContain('Max records per table reached: 10000');
		expect(failure.description).toContain('Nothing was changed.');
	});

	test('Update changes only the columns that are given', async () => {
		const [row] = rowsOf(firstTable());
		const given = await records(
			update(firstTable(), row.id, columns({ Customer: 'Changed', Amount: null, State: '' })),
		);
		expect(given).toMatchObject([{ id: row.id, Customer: 'Changed', Amount: '0.5', State: '' }]);
		expect(String(given[0].updated) > row.updated).toBe(true);
		expect(context.requests.at(-1)?.body).toMatchObject({
			tableId: firstTable().id,
			cells: [{ value: 'Changed' }, { value: '' }],
		});
		const emptied = columns({ Customer: '={{ null }}' });
		expect(await records(update(firstTable(), row.id, emptied))).toMatchObject([{ Customer: '' }]);
		await failsWith(
			update(firstTable(), row.id, columns({ Amount: null })),
			'Columns has no values',
		);
		await failsWith(
			update(context.data.tables[1], row.id, columns({ Customer: 'x' })),
			`Table record "${row.id}" was not found`,
			'Record ID',
		);
	});

	test('Delete deletes a record of the table, and none of another one', async () => {
		const [table, other] = context.data.tables;
		const row = rowsOf(table).at(-1)!;
		await failsWith(
			remove(other, row.id),
			`Table record "${row.id}" belongs to another table`,
			'Nothing was changed.',
		);
		expect(requestPaths(context)).toEqual([`GET /v1/records/${row.id}`]);
		expect(await records(remove(table, row.id))).toEqual([{ deleted: true }]);
		expect(context.data.tableRows).not.toContain(row);
		await failsWith(remove(table, row.id), `Table record "${row.id}" was not found`);
	});

	test('a delete whose response was lost is done', async () => {
		const row = rowsOf(firstTable()).at(-1)!;
		context.fault({ method: 'DELETE', done: true, times: 1, kind: { status: 502 } });
		expect(await records(remove(firstTable(), row.id))).toEqual([{ deleted: true }]);
		const next = rowsOf(firstTable()).at(-1)!;
		context.fault({ method: 'DELETE', done: true, times: 5, kind: { status: 502 } });
		const settings = RETRY_ON_FAIL;
		expect(await records(remove(firstTable(), next.id), { settings })).toEqual([{ deleted: true }]);
	});

	test('columns of one name go by their ID, and those named like own fields are in the raw record', async () => {
		const table = context.data.tables[2];
		const own = context.data.fields.filter(({ tableId }) => tableId === table.id);
		const names = own.map(({ name }) => name);
		['id', 'Same', 'Same', '__proto__'].forEach((name, i) => (own[i].name = name));
		const [record] = await records(list(table));
		const [row] = rowsOf(table);
		expect(Object.keys(record)).toEqual(
			expect.arrayContaining(['id', own[1].id, own[2].id, '__proto__', 'created', 'updated']),
		);
		expect(record.id).toBe(row.id);
		await failsWith(
			create(table, columns({ Same: 'x' })),
			'The table has 2 columns "Same"',
			`${own[1].id}, ${own[2].id}`,
		);
		const [made] = await records(create(table, columns({ [own[1].id]: '5', id: 'mine' })));
		expect(made).toMatchObject({ [own[1].id]: '5' });
		expect(rowsOf(table).at(-1)!.cells[own[0].id].value).toBe('mine');
		names.forEach((name, i) => (own[i].name = name));
	});
});

describe('a list of rows', () => {
	const context = useService({ data: { projects: 1, recordsPerTable: 30 } });

	test('that is as long as what was asked for may be cut, so it is an error', async () => {
		const most = limits.maxRecordsPerItem;
		limits.maxRecordsPerItem = 30;
		try {
			const [table] = context.data.tables;
			await context.failsWith(
				list(table),
				'There are more table records than the node accepts for one input item (30)',
				'Use Limit or filters',
			);
			expect(await context.records(list(table, { returnAll: false, limit: 30 }))).toHaveLength(30);
		} finally {
			limits.maxRecordsPerItem = most;
		}
	});
});

describe('in the editor', () => {
	const context = useService({ data: { projects: 2 } });

	test('tables are found by their name, with their project, for the chosen project only if there is one', async () => {
		const { tables, projects } = context.data;
		const all = await context.search('searchTables');
		expect(all.results).toHaveLength(tables.length);
		const [project] = projects;
		const found = await context.search('searchTables', { filter: 'order' });
		expect(found.results.map(({ name }) => name)).toContain(`Orders (${project.displayName})`);
		expect(found.results.every(({ name }) => name.startsWith('Orders'))).toBe(true);
		const own = await context.search('searchTables', {
			parameters: { ...RECORD, projectId: byId(project.id) },
		});
		expect(own.results.map(({ value }) => value)).toEqual(
			tables.filter(({ projectId }) => projectId === project.id).map(({ id }) => id),
		);
	});

	test('a table by the URL of its page', async () => {
		const [table] = context.data.tables;
		const url = `${context.origin}/projects/${table.projectId}/tables/${table.id}`;
		const given = await context.records({ ...list(table), tableId: byUrl(url) });
		expect(given).toHaveLength(12);
		context.clearRequests();
		await context.refuses(
			{ ...list(table), tableId: byUrl(`${context.origin}/projects/p/flows/f`) },
			'The URL in Table points to a flow, not to a table',
		);
	});

	test('the columns of the chosen table, as what they are', async () => {
		const [table] = context.data.tables;
		const parameters = create(table, AUTO);
		const { credential, engine } = context;
		const { fields } = await engine.mapColumns('getTableColumns', { credential, parameters });
		const common = { required: false, defaultMatch: false, canBeUsedToMatch: false, display: true };
		const options = ['open', 'paid', 'on hold'].map((value) => ({ name: value, value }));
		expect(fields).toEqual([
			{ id: 'Customer', displayName: 'Customer', type: 'string', ...common },
			{ id: 'Amount', displayName: 'Amount', type: 'number', ...common },
			{ id: 'Due', displayName: 'Due', type: 'dateTime', ...common },
			{ id: 'State', displayName: 'State', type: 'options', options, ...common },
		]);
		expect(await engine.loadOptions('getTableColumns', { credential, parameters })).toEqual(
			['Customer', 'Amount', 'Due', 'State'].map((name) => ({ name, value: name })),
		);
		const none = { ...parameters, tableId: byId('') };
		const empty = await engine.mapColumns('getTableColumns', { credential, parameters: none });
		expect(empty).toEqual({ fields: [], emptyFieldsNotice: 'Choose a table that has columns' });
		const unknown = { ...parameters, tableId: byId('unknown') };
		await expect(
			engine.mapColumns('getTableColumns', { credential, parameters: unknown }),
		).rejects.toThrow('Table "unknown" was not found');
	});
});

describe('release 0.73', () => {
	const context = useService({ release: '0.73' });
	/** A table of the personal project of the user who signs in */
	const ownTable = () => {
		const { projects, tables, admin } = context.data;
		const own = projects.find(({ type, ownerId }) => type === 'PERSONAL' && ownerId === admin.id)!;
		return tables.find(({ projectId }) => projectId === own.id)!;
	};

	const REFUSED = 'In this Activepieces release, tables cannot be used with an API key';

	test('refuses keys, which is told in words', async () => {
		const table = ownTable();
		const [row] = context.data.tableRows;
		const advice = [/Activepieces 0\.79 or later/, 'Activepieces Sign-In API credential'];
		const tables = { resource: 'table', operation: 'getAll', projectId: byId(table.projectId) };
		await context.failsWith(tables, REFUSED, advice);
		for (const parameters of [
			list(table),
			get(table, row.id),
			create(table, columns({ Customer: 'x' })),
			update(table, row.id, columns({ Customer: 'x' })),
			remove(table, row.id),
		]) {
			await context.failsWith(parameters, REFUSED, advice);
		}
		expect(changesSent(context)).toEqual([]);
	});

	test('lets a user use the tables of the personal project', async () => {
		const table = ownTable();
		const { records, failure } = signedIn(context);
		const tables = await records({ resource: 'table', operation: 'getAll', returnAll: true });
		expect(tables.map(({ projectId }) => projectId)).toEqual(tables.map(() => table.projectId));
		const [made] = await records(create(table, AUTO), [{ Customer: 'By a user', Amount: 3 }]);
		expect(await records(get(table, String(made.id)))).toMatchObject([
			{ Amount: '3', State: null },
		]);
		// The service itself lets records pass that lack a cell of one of the conditions.
		const both = where(
			{ column: 'Amount', operator: 'gt', value: '8' },
			{ column: 'State', operator: 'eq', value: 'open' },
		);
		expect(await records(list(table, both))).toMatchObject([{ Amount: '10.5' }].slice(1));
		expect(await records(list(table, where({ column: 'State', operator: 'exists' })))).toHaveLength(
			11,
		);
		expect(await records(remove(table, String(made.id)))).toEqual([{ deleted: true }]);
		const unknown = await failure(get(table, 'abc'));
		expect(unknown.message).toBe('Table record "abc" was not found');
	});
});

describe('the Community edition', () => {
	const context = useService({ edition: 'community' });

	test('has tables for users who sign in', async () => {
		const { records } = signedIn(context);
		const [table] = context.data.tables;
		const [made] = await records(create(table, AUTO), [{ Customer: 'Ada', State: 'paid' }]);
		expect(made).toMatchObject({ Customer: 'Ada', State: 'paid' });
		const found = where({ column: 'Customer', operator: 'eq', value: 'Ada' });
		expect(await records(list(table, found))).toEqual([made]);
		expect(await records(remove(table, String(made.id)))).toEqual([{ deleted: true }]);
	});

	test('refuses a key, which it does not have', async () => {
		const credential = { ...context.credential, apiKey: 'sk-unknown' };
		const error = await context.failure(list(context.data.tables[0]), { credential });
		expect(error.message).toMatch(/Community edition of Activepieces, which has no API keys/);
	});
});
