import { NodeHelpers, type IDataObject, type INodeParameters, type INodeType } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { limits } from './harness/built';
import { byId, byUrl, ids } from './harness/byId';
import { makeNode } from './harness/execution';
import { parametersOf } from './harness/parameters';
import { changesSent, requestPaths, useService, type TestContext } from './harness/service';
import {
	mapAutomatically,
	mapByHand,
	ofTable,
	tablesOf,
	where,
	type Condition,
	type Table,
} from './harness/tables';

/** The parameters that n8n keeps: those of the fields that it shows. */
function keptOf({ engine }: TestContext, parameters: INodeParameters, asTool = false) {
	const { description } = engine.loader.getNode('activepieces').type as INodeType;
	const { name, properties } = description;
	const type = asTool ? { ...description, name: `${name}Tool` } : description;
	const node = makeNode('Activepieces', name, parameters);
	return NodeHelpers.getNodeParameters(properties, parameters, true, false, node, type)!;
}

const TABLES = parametersOf('table.getAll', { returnAll: true });

const AUTO = mapAutomatically();

const get = (table: Table, recordId: string) => ofTable('get', table, { recordId });
const create = (table: Table, more = AUTO) => ofTable('create', table, more);
const update = (table: Table, recordId: string, value: Record<string, string | null>) =>
	ofTable('update', table, { recordId }, mapByHand(value));
const remove = (table: Table, recordId: string) => ofTable('delete', table, { recordId });
const list = (table: Table, more: INodeParameters = {}) =>
	ofTable('getAll', table, { returnAll: true }, more);
const listWhere = (table: Table, ...conditions: Condition[]) =>
	list(table, { filters: where(...conditions) });

/** Several conditions */
const all = (...conditions: Condition[]) => conditions;

const named = (count: number, prefix: string) =>
	Array.from({ length: count }, (_, index) => ({ Customer: `${prefix}${index}`, Amount: index }));
const names = (items: IDataObject[]) => items.map(({ Customer }) => Customer);

// 0.79 accepts fewer conditions.
describe.each(['0.79', '0.92'] as const)('tables of release %s', (release) => {
	const context = useService({ release });
	const { record, records, failure, failsWith, refuses, run } = context;
	const { firstTable, rowsOf, columnOf, stored } = tablesOf(context);
	const continued = async (items: IDataObject[], parameters = create(firstTable())) =>
		(await run(parameters, { items, onError: 'continueRegularOutput' })).items;

	test('the tables of all projects come with the name of their project and their page', async () => {
		const { projects, tables } = context.data;
		const given = await records(TABLES);
		expect(given).toHaveLength(tables.length);
		const [{ id, name, projectId, created, updated }] = tables;
		const { displayName: projectName } = projects.find((project) => project.id === projectId)!;
		const url = `${context.origin}/projects/${projectId}/tables/${id}`;
		expect(given).toContainEqual({ id, name, projectId, projectName, created, updated, url });
		// One request for each project
		const asked = requestPaths(context).filter((path) => path === 'GET /v1/tables');
		expect(asked).toHaveLength(projects.length);
	});

	test('a record is flat, with null for a value that it lacks', async () => {
		const rows = rowsOf();
		const given = await records(list(firstTable()));
		expect(ids(given)).toEqual(ids(rows));
		const [{ id, created, updated }] = rows;
		expect(given[0]).toEqual({
			...{ id, Customer: 'Customer 000', Amount: 0.5, Due: '2026-11-01T00:00:00.000Z' },
			...{ State: 'open', created, updated },
		});
		expect(given[4]).toMatchObject({ Amount: null });
		expect(given[6]).toMatchObject({ State: null });
		const [sent] = await records(list(firstTable(), { simplify: false }));
		expect(sent).toMatchObject({ tableId: firstTable().id, cells: expect.any(Object) });
	});

	test('a list as long as what was asked for may be cut, so it is an error', async () => {
		const { length } = rowsOf();
		limits.maxRecordsPerItem = length;
		const many = `There are more table records than the node reads at once (${length})`;
		await failsWith(list(firstTable()), many, 'Use Limit, filters');
		const limited = list(firstTable(), { returnAll: false, limit: length });
		expect(await records(limited)).toHaveLength(length);
	});

	/** The rows that fulfill conditions, by their place in the table */
	const found = async (conditions: Condition[], item: IDataObject = {}, table = firstTable()) => {
		const rows = ids(rowsOf(table));
		const given = await records(listWhere(table, ...conditions), [item]);
		return ids(given).map((id) => rows.indexOf(id));
	};
	/** Changes the first cells of a column for one test. */
	const setCells = (name: string, values: string[]) => {
		const { id } = columnOf(name);
		const rows = rowsOf();
		const cell = rows[0].cells[id];
		for (const [i, value] of values.entries()) {
			const row = rows[i];
			jest.replaceProperty(row, 'cells', { ...row.cells, [id]: { ...cell, value } });
		}
	};

	const EVERY = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
	test.each<[string, Condition[], number[]]>([
		['text', [['Customer', 'eq', 'Customer 003']], [3]],
		['a number in another notation', [['Amount', 'eq', '3.50']], [3]],
		['another text', [['State', 'neq', 'open']], [1, 2, 4, 5, 7, 8, 10, 11]],
		['a part of a text', [['Customer', 'co', 'CUSTOMER 01']], [10, 11]],
		['a greater number', [['Amount', 'gt', 9]], [10, 11]],
		['up to a number', [['Amount', 'lte', ' 15e-1 ']], [0, 1]],
		['later days', [['Due', 'gt', '2026-11-10T00:00:00Z']], [10, 11]],
		['earlier times', [['Due', 'lt', '2026-11-02T01:00:00+01:00']], [0]],
		['up to a time', [['Due', 'lte', '={{ DateTime.fromISO($json.day) }}']], [0, 1]],
		['a day', [['Due', 'eq', '={{ DateTime.fromISO($json.day) }}']], [1]],
		['other days', [['Due', 'neq', '={{ $json.day }}']], EVERY.filter((i) => i !== 1)],
		['since a Date', [['Due', 'gte', '={{ new Date($json.day) }}']], EVERY.slice(1)],
		['before now', [['Due', 'lt', '={{ $now }}']], EVERY],
		['numbers in text', [['Customer', 'gt', 5]], []],
		['a missing value', [['State', 'not_exists']], [6]],
		[
			'several',
			all(['Amount', 'gte', '2.5'], ['Amount', 'lt', '7.5'], ['State', 'exists']),
			[2, 3, 5],
		],
	])('conditions find %s', async (_what, conditions, wanted) => {
		expect(await found(conditions, { day: '2026-11-02T00:00:00.000Z' })).toEqual(wanted);
	});

	test('numbers in a column of text, and days and zones in one of dates, are compared as what they are', async () => {
		setCells('Customer', ['9', '10', '1e2', '2026-11-05', '12abc']);
		expect(await found([['Customer', 'gt', '9']])).toEqual([1, 2]);
		expect(await found([['Customer', 'gte', '2026-11-05']])).toEqual([3]);
		setCells('Due', ['2026-11-05', '2026-11-05T23:59:00-08:00', 'soon', '', '2026']);
		const evening = all(
			['Due', 'gt', '2026-11-05T22:59:00Z'],
			['Due', 'lt', '2026-11-06T08:00:00Z'],
		);
		expect(await found(evening)).toEqual([1, 5]);
		const day = all(['Due', 'gte', '2026-11-05'], ['Due', 'lte', '2026-11-05']);
		expect(await found(day)).toContain(0);
	});

	test('a value that was emptied is as one that was never filled', async () => {
		setCells('State', ['open', '']);
		expect(await found([['State', 'not_exists']])).toEqual([1, 6]);
		expect(await found([['State', 'neq', 'open']])).not.toContain(1);
	});

	test('the service is asked only for what all releases answer alike, and 25 conditions are checked', async () => {
		const many = [
			...new Array<Condition>(24).fill(['Customer', 'co', 'customer']),
			['State', 'eq', 'paid'],
		];
		expect(await found(many as Condition[])).toEqual([1, 4, 7, 10]);
		expect(context.requests.at(-1)?.url.match(/fieldId/g)).toHaveLength(20);
		for (const operator of ['neq', 'gt', 'gte', 'lt', 'lte', 'exists', 'not_exists']) {
			await records(
				listWhere(firstTable(), ['Amount', operator, '1'], ['Due', 'eq', '2026-11-01']),
			);
			expect(context.requests.at(-1)?.url).not.toContain('filters');
		}
		const limited = { filters: where(['Amount', 'gt', '1']), returnAll: false, limit: 2 };
		const given = await records(list(firstTable(), limited));
		expect(given.map(({ Amount }) => Amount)).toEqual([1.5, 2.5]);
	});

	test('Limit counts only records for which a condition is true that the service does not check', async () => {
		const rows = ids(rowsOf());
		const filled = { filters: where(['State', 'exists']), returnAll: false, limit: 7 };
		const given = await records(list(firstTable(), filled));
		expect(ids(given)).toEqual([...rows.slice(0, 6), rows[7]]);
	});

	const NO_VALUE = 'A condition compares with undefined instead of text or a number';
	const NO_ORDER =
		'A condition compares with "soon", but Greater and Less compare numbers or dates';
	test.each<[Condition, string, string?]>([
		[[''], 'Conditions > Column is empty', 'Choose a column.'],
		[
			['State', 'like'],
			'Conditions > Operator must be one of co, eq, gt, gte, not_exists, exists, lt, lte, neq, not "like"',
		],
		[['State', 'eq', '={{ $json.none }}'], NO_VALUE],
		[['Due', 'gt', 'soon'], NO_ORDER, '2026-11-20T08:00:00Z'],
		[['State', 'co', '= {{ $json.none }}'], 'A condition compares with an empty text', 'Is Empty'],
		...['eq', 'neq', 'co', 'gt'].map((operator): [Condition, string, string] => [
			['State', operator, ''],
			'A condition compares with an empty text',
			'choose Is Empty or Is Not Empty',
		]),
	])('the condition %j is refused', async (condition, message, advice = 'Change ') => {
		await refuses(listWhere(firstTable(), condition), message, advice);
	});

	test.each<[Condition, string]>([
		[['Due', 'gt', 2026], 'A condition compares the column "Due" with "2026" instead of a date'],
		[
			['Amount', 'lt', '2026-11-05'],
			'A condition compares the column "Amount" with "2026-11-05" instead of a number',
		],
	])('the condition %j does not fit its column', async (condition, message) => {
		const advice = 'Change Conditions, for example to ';
		await failsWith(listWhere(firstTable(), condition), message, advice);
	});

	test('a condition for a column that the table lacks names those that it has', async () => {
		const parameters = listWhere(firstTable(), ['Colour', 'eq', 'x']);
		await failsWith(parameters, 'The table has no column "Colour"', '"Customer", "Amount"');
	});

	test('Get finds a record by its ID, of this table only', async () => {
		const [table, other] = context.data.tables;
		const [{ id }] = rowsOf(table);
		expect(await records(get(table, id))).toMatchObject([{ id, Amount: 0.5 }]);
		const elsewhere = `Table record "${id}" belongs to another table`;
		await failsWith(get(other, id), elsewhere, 'Check Table and Record ID.');
		await failsWith(get(table, 'abc'), 'Table record "abc" was not found', 'Check Record ID.');
		await failure(get(table, '../a b'));
		expect(context.requests.at(-1)?.url).toBe('/api/v1/records/..%2Fa%20b');
		context.clearRequests();
		await refuses(get(table, ' '), 'Record ID is empty');
	});

	test('where there is no input item, Map Automatically is refused', async () => {
		const message = 'Map Automatically cannot be used here';
		await failsWith(create(firstTable()), message, 'Manually', { isRouted: true });
		expect(changesSent(context)).toEqual([]);
	});

	const batch = { batchSize: 60, batchInterval: 1 };
	test.each<[string, INodeParameters, number[]]>([
		['three requests', {}, [50, 50, 20]],
		['two for each group of Batching', { batch }, [50, 10, 50, 10]],
	])('120 items are created in %s, in their order, each paired with its item', async (...row) => {
		const [, batching, sizes] = row;
		const { id } = firstTable();
		const before = rowsOf().length;
		const items = named(120, 'New ');
		const parameters = { ...create(firstTable()), requestOptions: { batching } };
		const { items: given } = await run(parameters, items);
		expect(names(given.map(({ json }) => json))).toEqual(names(items));
		expect(given.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(given[7].json).toMatchObject({ Amount: 7, Due: null, State: null });
		const bodies = context.posts().map(({ body }) => body as { tableId: string; records: [] });
		expect(bodies.map((body) => body.records.length)).toEqual(sizes);
		expect(bodies.every(({ tableId }) => tableId === id)).toBe(true);
		expect(context.inFlight.peak).toBe(1);
		expect(stored('Customer').slice(before)).toEqual(names(items));
	});

	describe('into the table of each item', () => {
		const mixed = create(
			{ id: '={{ $json.table }}' },
			mapByHand({ Customer: '={{ $json.name }}' }),
		);
		const itemsFor = (...tables: number[]) =>
			tables.map((table, i) => ({ table: context.data.tables[table].id, name: `Mixed ${i}` }));
		const refuseFirst = () =>
			context.fault({ method: 'POST', path: '/v1/records', times: 1, kind: { status: 422 } });

		test('those of one table are sent together', async () => {
			const items = itemsFor(0, 1, 0);
			const given = await records({ ...mixed, simplify: false }, items);
			expect(given.map(({ tableId }) => tableId)).toEqual(items.map(({ table }) => table));
			expect(stored('Customer').slice(-2)).toEqual(['Mixed 0', 'Mixed 2']);
			expect(changesSent(context)).toHaveLength(2);
		});

		test('with On Error = Stop, a request for another table is not sent after one that failed', async () => {
			refuseFirst();
			const message = 'Activepieces refused the request (HTTP 422)';
			await failsWith(mixed, message, '0 of 2 items were completed', itemsFor(0, 1));
			expect(changesSent(context)).toHaveLength(1);
		});
	});

	test('values are sent as text, as the service stores them', async () => {
		await run(create(firstTable()), [
			{ Customer: { a: [1] }, Amount: 12.5, Due: ' 2026-12-31 ', State: 'paid' },
			{ Customer: true, Amount: ' 1e3 ', Due: '2026-12-31T08:00:00+01:00', State: null },
			{ Customer: [1, 2], Amount: null, Due: '', State: '' },
		]);
		for (const [column, texts] of [
			['Customer', ['{"a":[1]}', 'true', '[1,2]']],
			['Amount', ['12.5', '1e3', '']],
			['Due', ['2026-12-31', '2026-12-31T07:00:00.000Z', '']],
			['State', ['paid', '', '']],
		] as const) {
			expect(stored(column).slice(-3)).toEqual(texts);
		}
		const isTrue: Condition = ['Customer', 'eq', '={{ true }}'];
		const found = async (operator: string) =>
			await records(listWhere(firstTable(), ['State', operator], isTrue));
		expect([await found('exists'), await found('not_exists')]).toMatchObject([[], [{}]]);
	});

	const NO_OPTION = 'The column "State" must be one of "open", "paid", "on hold", not "Open"';
	test.each<[string, IDataObject, string, string?]>([
		['a boolean', { Amount: true }, 'The column "Amount" must be a number, not true'],
		['no option', { State: 'Open' }, NO_OPTION],
		['a NUL character', { Customer: 'a\0b' }, 'The column "Customer" must be text'],
		['no JSON', { Customer: [1 / 0] }, 'The column "Customer" must be a value that JSON can hold'],
		['another column', { Name: 'x' }, 'The table has no column "Name"', 'ignore it'],
		['no value', {}, 'The input item has no value for any column', 'the names of the columns'],
	])('a value that the table does not take is refused: %s', async (_what, item, ...says) => {
		const [message, advice = 'Correct it in the input item.'] = says;
		const parts = [advice, 'Nothing was changed.'];
		await failsWith(create(firstTable()), new RegExp(message), parts, [item]);
		expect(changesSent(context)).toEqual([]);
	});

	test('a column by its name and its ID would come twice', async () => {
		const twice = mapByHand({ Customer: 'x', [columnOf('Customer').id]: 'y' });
		const message = 'The column "Customer" has two values';
		await failsWith(create(firstTable(), twice), message, 'the ID of the column');
		expect(changesSent(context)).toEqual([]);
	});

	test('an item of Get Many goes back as it is', async () => {
		const first = await record(list(firstTable()));
		expect(await record(create(firstTable()), [first])).toEqual({
			...{ ...first, created: expect.any(String), updated: expect.any(String) },
			id: expect.not.stringMatching(String(first.id)),
		});
	});

	test('Update leaves out what Get Many returns of the record itself, even if a column has its name', async () => {
		jest.replaceProperty(columnOf('Customer'), 'name', 'created');
		const before = stored('created');
		const [, , item] = await records(list(firstTable()));
		await record(ofTable('update', firstTable(), { recordId: '={{ $json.id }}', ...AUTO }), [
			{ ...item, Amount: '77' },
		]);
		expect(stored('created')).toEqual(before);
		expect(stored('Amount')[2]).toBe('77');
	});

	test('a column named projectName is in the output of a single record as in that of a list', async () => {
		const table = firstTable();
		jest.replaceProperty(columnOf('Customer', table), 'name', 'projectName');
		const [row] = await records(list(table));
		expect(row.projectName).toBe(stored('projectName', table)[0]);
		expect(await records(get(table, String(row.id)))).toEqual([row]);
	});

	test('a round trip by Map Automatically changes no value', async () => {
		const items = await records(list(firstTable()));
		expect(items[6]).toMatchObject({ Customer: 'Customer 006', State: null });
		await records(ofTable('update', firstTable(), { recordId: '={{ $json.id }}', ...AUTO }), items);
		const after = await records(list(firstTable()));
		const valuesOf = (each: IDataObject) =>
			['id', 'Customer', 'Amount', 'Due', 'State'].map((name) => each[name] ?? '');
		expect(after.map(valuesOf)).toEqual(items.map(valuesOf));
	});

	test('Update changes only the columns that are given', async () => {
		const table = firstTable();
		const [{ id, updated }] = rowsOf(table);
		const changes = { Customer: 'Changed', Amount: null, State: '', Due: '={{ $json.no }}' };
		const given = await record(update(table, id, changes));
		expect(given).toMatchObject({ id, Customer: 'Changed', Amount: 0.5, State: '' });
		expect(String(given.updated) > updated).toBe(true);
		const cells = [{ value: 'Changed' }, { value: '' }];
		expect(context.requests.at(-1)?.body).toMatchObject({ tableId: table.id, cells });
		const emptied = await record(update(table, id, { Customer: '={{ null }}' }));
		expect(emptied).toMatchObject({ Customer: '' });
		expect(String(emptied.updated) > String(given.updated)).toBe(true);
		await failsWith(update(table, id, { Amount: null }), 'Values to Send is empty');
		const elsewhere = update(context.data.tables[1], id, { Customer: 'x' });
		await failsWith(elsewhere, `Table record "${id}" was not found`, 'Record ID');
	});

	// What follows is decided from the columns of the table, alike in each release.
	if (release === '0.79') return;

	const HEADERS = [' Customer ', 'Customer\u00a0', 'Custom\u00ader', '\ufeffCustomer\t'];
	test.each(HEADERS)('the header %j is the column that it looks like', async (header) => {
		const value = JSON.stringify(header);
		await run(create(firstTable()), [{ [header]: value, '\ufeffid': '1' }]);
		expect(stored('Customer').at(-1)).toBe(value);
		const both = { Customer: 'x', [header]: 'y' };
		const message = 'The column "Customer" has two values';
		await failsWith(create(firstTable()), message, 'differ only in blanks', [both]);
		expect(await found([[header, 'eq', value]])).toHaveLength(1);
	});

	test('a column and an option that end in a blank are found without it', async () => {
		const [, table] = context.data.tables;
		jest.replaceProperty(columnOf('Customer', table), 'name', 'Größe ');
		await run(create(table), [{ ['Größe'.normalize('NFD')]: 'L' }, { 'Größe ': 'M' }]);
		expect(stored('Größe ', table).slice(-2)).toEqual(['L', 'M']);
		expect((await records(list(table))).at(-1)).toMatchObject({ 'Größe ': 'M' });
		const options = ['paid ', 'open', 'due', 'due '].map((value) => ({ value }));
		jest.replaceProperty(columnOf('State', table), 'data', { options });
		await run(create(table), [{ State: 'paid' }, { State: ' open' }, { State: 'due ' }]);
		expect(stored('State', table).slice(-3)).toEqual(['paid ', 'open', 'due ']);
		const message = /one of "paid", .*, of which several differ only in blanks, not " due"/;
		await failsWith(create(table), message, [], [{ State: ' due' }]);
	});

	test('columns that differ only in a blank are told apart', async () => {
		const [, table] = context.data.tables;
		const [text, other] = ['Customer', 'State'].map((name) => columnOf(name, table));
		jest.replaceProperty(text, 'name', 'State ');
		await run(create(table), [{ 'State ': 'text', State: 'open' }]);
		expect(stored('State ', table).at(-1)).toBe('text');
		const message = 'The table has 2 columns "State"';
		await failsWith(
			create(table),
			message,
			['differ only', text.id, other.id],
			[{ ' State': 'x' }],
		);
	});

	describe('Fields Not in the Table', () => {
		const item = { row_number: 2, Customer: 'Ignored extra', note: null };
		const onExtra = (extraFields: string) => ({ ...AUTO, options: { extraFields } });

		test.each(['create', 'update', 'upsert'])(
			'%s shows it for Map Automatically only',
			(operation) => {
				for (const [mapping, isShown] of [
					[AUTO, true],
					[mapByHand({}), false],
				] as const) {
					const given = ofTable(operation, firstTable(), onExtra('ignore'), mapping);
					const { options } = keptOf(context, given);
					expect(options).toEqual(isShown ? { extraFields: 'ignore' } : {});
				}
			},
		);

		test('by default the item is refused, and the message names the option', async () => {
			const message = 'The table has no column "row_number", "note"';
			const advice = 'set the option Fields Not in the Table to Ignore';
			for (const more of [AUTO, onExtra('refuse')]) {
				await failsWith(create(firstTable(), more), message, advice, [item]);
			}
			expect(changesSent(context)).toEqual([]);
		});

		test('they can be ignored in Create and Update, but not all of them', async () => {
			const ignoring = onExtra('ignore');
			await record(create(firstTable(), ignoring), [item]);
			expect(stored('Customer').at(-1)).toBe('Ignored extra');
			const { id } = rowsOf().at(-1)!;
			const changed = ofTable('update', firstTable(), { recordId: id, ...ignoring });
			expect(await record(changed, [{ ...item, Amount: 4 }])).toMatchObject({ Amount: 4 });
			const message = 'The input item has no value for any column of the table';
			await failsWith(create(firstTable(), ignoring), message, [], [{ row_number: 2 }]);
		});

		test('a column that was filled in by hand is not ignored', async () => {
			const byHand = { ...onExtra('ignore'), ...mapByHand({ Gone: 'x', Customer: 'y' }) };
			const message = 'The table has no column "Gone"';
			await failsWith(create(firstTable(), byHand), message, /^(?!.*Ignore)/);
		});
	});

	test('a DATETIME column has times in UTC, and unknown types are text', async () => {
		const [, table] = context.data.tables;
		jest.replaceProperty(columnOf('Due', table), 'type', 'DATETIME');
		const texts = ['2026-12-31T08:00:00+01:00', '2026-12-31', '={{ DateTime.fromMillis(0) }}'];
		for (const Due of texts) await run(create(table, mapByHand({ Due })));
		const times = stored('Due', table).slice(-3);
		expect(times).toEqual([
			'2026-12-31T07:00:00.000Z',
			expect.stringMatching(/^2026-1.*Z$/),
			'1970-01-01T00:00:00.000Z',
		]);
		expect(await found([['Due', 'eq', times[1]]], {}, table)).toHaveLength(1);
		expect(await found([['Due', 'lt', '2000-01-01']], {}, table)).toHaveLength(1);
		await failsWith(create(table, mapByHand({ Due: 'soon' })), /The column "Due" must be a date/);
		jest.replaceProperty(columnOf('Due', table), 'type', 'RATING');
		expect(await record(create(table, mapByHand({ Due: '5' })))).toMatchObject({ Due: '5' });
	});

	test('a NUMBER column has numbers where no digit is lost, and with Simplify off what was sent', async () => {
		// Those that JavaScript cannot hold without a loss stay text.
		const asText = '9007199254740993 0.1000000000000000055 1e999 007 12abc'.split(' ');
		const pairs = Object.entries({
			...{ '12.50': 12.5, '-0.0': 0, '+7': 7, '1e3': 1000, '1.50E-7': 1.5e-7, '5.': 5, '.5': 0.5 },
			...Object.fromEntries(['', ...asText].map((text) => [text, text])),
		});
		const texts = pairs.map(([text]) => text);
		for (let at = 0; at < texts.length; at += 10) {
			const part = texts.slice(at, at + 10);
			setCells('Amount', part);
			const given = (await records(list(firstTable()))).slice(0, part.length);
			const wanted = pairs.slice(at, at + 10).map(([, value]) => value);
			expect(given.map(({ Amount }) => Amount)).toEqual(wanted);
			const { id } = columnOf('Amount');
			const sent = await records(list(firstTable(), { simplify: false }));
			const cells = sent.map((row) => row.cells as Record<string, IDataObject>);
			expect(cells.slice(0, part.length).map((cell) => cell[id].value)).toEqual(part);
		}
	});

	test('a Date in a column of text is its text', async () => {
		await run(create(firstTable(), mapByHand({ Customer: '={{ new Date(0) }}' })));
		expect(stored('Customer').at(-1)).toBe('1970-01-01T00:00:00.000Z');
	});

	const NO_NUMBER = 'The column "Amount" must be a number, not "x"';

	test('an invalid item fails alone, and is not in the request of the others', async () => {
		const items = [0, 1, 'x', 3].map((Amount) => ({ Customer: 'a', Amount }));
		const given = await continued(items);
		const results = given.map(({ json }) => json.error ?? json.Amount);
		expect(results).toEqual([0, 1, NO_NUMBER, 3]);
		expect(given.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(changesSent(context)).toHaveLength(1);
	});

	test('if it stops the workflow, nothing of its request and nothing later is sent', async () => {
		const items = named(120, 'S').map((item, i) => (i === 70 ? { ...item, Amount: 'x' } : item));
		const counts = '50 of 120 items were completed.';
		const error = await failsWith(create(firstTable()), NO_NUMBER, counts, items);
		expect(error.context.itemIndex).toBe(70);
		expect(changesSent(context)).toHaveLength(1);
	});

	const LOST: FaultKind[] = [{ reset: 'beforeHeaders' }, { body: [{ id: 'the only one' }] }];
	test.each(LOST)('each item of a request is in doubt, not sent again: %j', async (kind) => {
		context.fault({ method: 'POST', done: true, times: 1, kind });
		const given = await continued(named(60, 'L'));
		const failed = given.filter(({ json }) => json.error !== undefined);
		expect(failed).toHaveLength(50);
		for (const { json } of failed) expect(json.message).toContain('may have applied the change');
		expect(changesSent(context)).toHaveLength(2);
	});

	test.each([
		['a proxy', 'html'],
		['the service', 'framework'],
	] as const)(
		'a request that is too large for %s is sent in parts, down to a row that fails alone',
		async (_who, shape) => {
			context.fault({ method: 'POST', kind: { maxBody: 1_000_000, shape } });
			const items = named(50, `L${shape}`).map(({ Customer }, i) => ({
				Customer: Customer.padEnd(i === 30 ? 1_500_000 : 25_000, 'x'),
			}));
			const given = await continued(items);
			const failed = given.filter(({ json }) => json.error !== undefined);
			expect(failed).toMatchObject([
				{
					json: {
						error: 'The request is larger than the server accepts',
						message: expect.stringMatching(/A value may be too long(?!.*may have applied)/),
					},
					pairedItem: { item: 30 },
				},
			]);
			const others = names(items).filter((_name, i) => i !== 30);
			expect(stored('Customer').slice(-49)).toEqual(others);
		},
	);

	test('a full table is told, without doubt', async () => {
		const { tableRows } = context.data;
		const [row] = rowsOf();
		const rows = [...tableRows, ...new Array<typeof row>(9_990).fill(row)];
		jest.replaceProperty(context.data, 'tableRows', rows);
		const full = ['Max records per table reached: 10000', 'Nothing was changed.'];
		const message = 'The table does not have room for the table records';
		await failsWith(create(firstTable()), message, full, [{ Customer: 'x' }]);
	});

	test('Delete deletes a record of the table, and none of another one', async () => {
		const [table, other] = context.data.tables;
		const row = rowsOf(table).at(-1)!;
		const elsewhere = `Table record "${row.id}" belongs to another table`;
		await failsWith(remove(other, row.id), elsewhere, 'Nothing was changed.');
		expect(requestPaths(context)).toEqual([`GET /v1/records/${row.id}`]);
		expect(await records(remove(table, row.id))).toEqual([{ deleted: true }]);
		expect(context.data.tableRows).not.toContain(row);
		await failsWith(remove(table, row.id), `Table record "${row.id}" was not found`);
	});

	test('columns of one name go by their ID, and those named like own fields are in the raw record', async () => {
		const table = context.data.tables[2];
		const own = context.data.fields.filter(({ tableId }) => tableId === table.id);
		for (const [i, name] of ['id', 'Same', 'Same', 'State'].entries()) {
			jest.replaceProperty(own[i], 'name', name);
		}
		const [, { id: one }, { id: two }] = own;
		const given = await record(list(table));
		const fields = ['id', one, two, 'State', 'created', 'updated'];
		expect(Object.keys(given)).toEqual(expect.arrayContaining(fields));
		expect(given.id).toBe(rowsOf(table)[0].id);
		const same = create(table, mapByHand({ Same: 'x' }));
		await failsWith(same, 'The table has 2 columns "Same"', `${one}, ${two}`);
		const made = await record(create(table), [{ [one]: '5', id: 'mine' }]);
		expect(made).toMatchObject({ [one]: 5 });
		expect(rowsOf(table).at(-1)!.cells[own[0].id].value).toBe('mine');
		own[1].name = '';
		expect(await record(list(table))).toHaveProperty(one);
	});

	const DROPPED_BY_N8N = ['constructor', 'prototype', '__proto__'];
	test.each(DROPPED_BY_N8N)('the column %s goes by its ID', async (name) => {
		const table = firstTable();
		const { credential, engine } = context;
		const column = columnOf('Customer');
		jest.replaceProperty(column, 'name', name);
		const given = { credential, parameters: create(table) };
		const { fields } = await engine.mapColumns('getTableColumns', given);
		expect(fields[0]).toMatchObject({ id: column.id, displayName: name });
		const more = await record(create(table, mapByHand({ [column.id]: 'by hand' })));
		expect(more).toMatchObject({ [column.id]: 'by hand' });
		// Input items may have such fields.
		await run(create(table), [JSON.parse(`{ "${name}": "automatically" }`) as IDataObject]);
		const texts = rowsOf().map(({ cells }) => cells[column.id]?.value);
		expect(texts.slice(-2)).toEqual(['by hand', 'automatically']);
	});

	const KEPT = { Customer: 'Kept', Amount: '1' };
	test.each([
		['Create', (table: Table) => create(table, mapByHand(KEPT))],
		['Update', (table: Table) => update(table, rowsOf()[0].id, KEPT)],
	])('a column that is deleted while %s runs is told', async (_operation, parametersFor) => {
		const table = firstTable();
		const { fields } = context.data;
		const lost = columnOf('Amount');
		const answers = () => {
			context.data.fields = fields.filter((field) => field !== lost);
			return fields.filter(({ tableId }) => tableId === table.id);
		};
		context.fault({ path: '/v1/fields', kind: { answers } });
		const error = await failure(parametersFor(table)).finally(() => (context.data.fields = fields));
		expect(error.message).toBe('Activepieces did not store the value for "Amount"');
		const changed = rowsOf().find(({ id }) => error.description?.includes(`"${id}"`))!;
		const cells = Object.values(changed.cells).map(({ value }) => value);
		expect(cells).toContain('Kept');
	});
});

describe('in the editor', () => {
	const context = useService({ data: { projects: 2 } });

	test('tables are found by their name, with their project, for the chosen project only if there is one', async () => {
		const { tables, projects } = context.data;
		expect((await context.search('searchTables')).results).toHaveLength(tables.length);
		const [{ id, displayName }] = projects;
		const found = (await context.search('searchTables', { filter: 'order' })).results;
		expect(found.map(({ name }) => name)).toContain(`Orders (${displayName})`);
		expect(found.every(({ name }) => name.startsWith('Orders'))).toBe(true);
		const parameters = parametersOf('tableRecord.getAll', { projectId: byId(id) });
		const own = await context.search('searchTables', { parameters });
		const wanted = tables.filter(({ projectId }) => projectId === id);
		expect(own.results.map(({ value }) => value)).toEqual(ids(wanted));
	});

	test('a table by the URL of its page', async () => {
		const [table] = context.data.tables;
		const at = (page: string) => ({ ...list(table), tableId: byUrl(`${context.origin}/${page}`) });
		const page = `projects/${table.projectId}/tables/${table.id}`;
		expect(await context.records(at(page))).toHaveLength(12);
		context.clearRequests();
		const message = /^The URL in Table does not point to a table on /;
		await context.refuses(at('projects/p/flows/f'), message);
	});

	// A node without a table has nothing else to say.
	test('the columns are hidden until a table is chosen, and never from a run with one', async () => {
		const shown = (...given: [INodeParameters, boolean?]) => 'columns' in keptOf(context, ...given);
		for (const operation of ['create', 'update']) {
			const without = parametersOf(`tableRecord.${operation}`, AUTO);
			for (const tableId of [undefined, '', byId(''), { ...byId(''), mode: 'list' }]) {
				const none = tableId === undefined ? without : { ...without, tableId };
				expect(shown(none)).toBe(false);
				await expect(context.run(none)).rejects.toThrow('Parameter "Table" is required');
			}
			for (const tableId of ['abc', byId('={{ $json.table }}'), byUrl('https://x/tables/a')]) {
				expect(shown({ ...without, tableId })).toBe(true);
			}
			const byModel = byId("={{ $fromAI('table') }}");
			expect(shown({ ...without, tableId: byModel }, true)).toBe(true);
		}
	});

	test('the columns of the chosen table, as what they are', async () => {
		const { credential, engine, data } = context;
		const given = (table: Table) => ({ credential, parameters: create(table) });
		const columnsOf = async (table: Table) =>
			await engine.mapColumns('getTableColumns', given(table));
		const [table] = data.tables;
		const common = { required: false, defaultMatch: false, canBeUsedToMatch: true, display: true };
		const options = ['open', 'paid', 'on hold'].map((value) => ({ name: value, value }));
		expect((await columnsOf(table)).fields).toEqual([
			{ id: 'Customer', displayName: 'Customer', type: 'string', ...common },
			{ id: 'Amount', displayName: 'Amount', type: 'number', ...common },
			{ id: 'Due', displayName: 'Due', type: 'dateTime', ...common },
			{ id: 'State', displayName: 'State', type: 'options', options, ...common },
		]);
		expect(await engine.loadOptions('getTableColumns', given(table))).toEqual(
			['Customer', 'Amount', 'Due', 'State'].map((name) => ({ name, value: name })),
		);
		expect(await columnsOf({ id: '' })).toEqual({ fields: [] });
		await expect(columnsOf({ id: 'unknown' })).rejects.toThrow('Table "unknown" was not found');
		limits.locatorMaxElapsedMs = 20;
		context.fault({ kind: { delay: 200 } });
		await expect(columnsOf(table)).rejects.toMatchObject({
			message: 'The list of columns took too long to load',
			description: 'Enter the ID instead, with By ID or with an expression.',
		});
	});
});
