import type { INodeParameters } from 'n8n-workflow';

import { byId } from './harness/byId';
import { parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, requestPaths, useService } from './harness/service';

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

	const fieldsOf = (name: string) => {
		const [{ id }] = tablesNamed(name);
		return context.data.fields.filter(({ tableId }) => tableId === id);
	};
	const columnsOf = (name: string) => fieldsOf(name).map((field) => field.name);

	test('Create makes the columns in their order, with their types and options', async () => {
		const table = await record(
			create(' Leads ', [
				{ name: ' Name ' },
				{ name: 'Amount', type: 'NUMBER' },
				{ name: 'State', type: 'STATIC_DROPDOWN', options: 'open, paid, open' },
				{ name: 'As a model writes it', type: 'STATIC_DROPDOWN', options: ' ["a, b", "c"]' },
				{ name: 'No JSON', type: 'STATIC_DROPDOWN', options: '[A] open, [B] paid' },
			]),
		);
		expect(table).toMatchObject({ name: 'Leads', projectId: context.data.projects[0].id });
		expect(fieldsOf('Leads').map(({ name, type, data }) => [name, type, data])).toEqual([
			['Name', 'TEXT', null],
			['Amount', 'NUMBER', null],
			['State', 'STATIC_DROPDOWN', { options: [{ value: 'open' }, { value: 'paid' }] }],
			['As a model writes it', 'STATIC_DROPDOWN', { options: [{ value: 'a, b' }, { value: 'c' }] }],
			['No JSON', 'STATIC_DROPDOWN', { options: [{ value: '[A] open' }, { value: '[B] paid' }] }],
		]);
	});

	test('Create makes a column of type Date and Time, or says which releases know it', async () => {
		const parameters = (name: string) => create(name, [{ name: 'At', type: 'DATETIME' }]);
		if (release === '0.92') {
			await record(parameters('Times'));
			expect(fieldsOf('Times')).toMatchObject([{ name: 'At', type: 'DATETIME' }]);
			return;
		}
		const message = /^Activepieces 0\.79\.\d+ has no columns of type Date and Time$/;
		const advice = ['require Activepieces 0.87 or later', 'use Date', 'Nothing was changed.'];
		await failsWith(parameters('Times'), message, advice);
		expect(tablesNamed('Times')).toEqual([]);
		const isOf = (CURRENT_VERSION?: string) =>
			context.fault({ path: '/v1/flags', times: 1, kind: { body: { CURRENT_VERSION } } });
		isOf('0.86.4');
		const lacking = 'Activepieces 0.86.4 has no columns of type Date and Time';
		await failsWith(parameters('The last one without'), lacking, advice);
		// Without its release, or from 0.87 on, it is asked for the column, whatever the server then says.
		for (const version of ['0.0.0', undefined, '0.87.0', '0.100.0', '1.0.0']) {
			isOf(version);
			const name = `Times of ${version}`;
			const lacks = `The table "${name}" was created, but lacks the column "At"`;
			await failsWith(parameters(name), lacks, /^Adding "At" failed: .*0\.87 or later/);
		}
		context.fault({ ...fails, kind: { status: 400, message: 'Too many' } });
		context.fault({ path: '/v1/flags', kind: { status: 503 } });
		await failsWith(parameters('Many'), /lacks/, /Too many(?!.*Date and Time)/);
	});

	test('Create looks for a table with the name first', async () => {
		await record(create('Twice', []));
		await failsWith(create('Twice', []), 'The project already has a table "Twice"', /Nothing was/);
		const { id } = await record(create('Twice', [], { ifExists: 'use' }));
		expect(tablesNamed('Twice')).toMatchObject([{ id }]);
	});

	test('Create gives a table its external ID, which no other one of the project gets', async () => {
		const options = { externalId: ' orders-2026 ' };
		await record(create('With external ID', [], { options }));
		expect(tablesNamed('With external ID')).toMatchObject([{ externalId: 'orders-2026' }]);
		const taken = 'The project already has a table "With external ID" with this external ID';
		await failsWith(create('Another name', [], { options }), taken, 'Nothing was changed.');
		expect(tablesNamed('Another name')).toEqual([]);
		const [{ id }] = tablesNamed('With external ID');
		const use = create('Another name', [], { options, ifExists: 'use' });
		expect(await record(use)).toMatchObject({ id });
	});

	test('of two tables with the name, Create takes none silently', async () => {
		await record(create('Double', []));
		const [table] = tablesNamed('Double');
		context.data.tables.push({ ...table, id: 'doubledoubledoubledou' });
		for (const ifExists of ['error', 'use', 'addColumns']) {
			const parameters = create('Double', [{ name: 'A' }], { ifExists });
			const advice = 'Change Name, or rename one of them in Activepieces. Nothing was changed.';
			await failsWith(parameters, 'The project has 2 tables "Double"', advice);
		}
		expect(fieldsOf('Double')).toEqual([]);
	});

	const AGAIN = { settings: RETRY_ON_FAIL };
	const HOWS: Array<[string, object]> = [
		['once', {}],
		['with Retry On Fail', AGAIN],
	];
	const two = [{ name: 'B' }, { name: 'A', type: 'DATE' }];
	const fails = { method: 'POST', path: '/v1/fields' } as const;

	const many = (length: number) => Array.from({ length }, (_each, i) => ({ name: `C${i}` }));

	test('a table with more columns than the service keeps is not made', async () => {
		const advice =
			'102 columns are given. Leave out some of them, or put them in another table. Nothing was changed.';
		for (const more of [{}, AGAIN]) {
			const parameters = create('Too wide', many(102));
			const error = await context.failure(parameters, { items: [{}], ...more });
			expect([error.message, error.description]).toEqual([
				'A table of this Activepieces server has at most 100 columns',
				advice,
			]);
		}
		expect(tablesNamed('Too wide')).toEqual([]);
		await record(create('Widest', many(100)));
		expect(columnsOf('Widest')).toHaveLength(100);
		// An existing table keeps its columns.
		const existing = await record(create('Widest', many(102), { ifExists: 'use' }));
		expect(tablesNamed('Widest')).toMatchObject([{ id: existing.id }]);
	});

	test('the server is asked for its limit only for more columns than any release refuses', async () => {
		const asked = () => context.requests.filter(({ path }) => path === '/v1/flags');
		await record(create('Narrow', many(15)));
		expect(asked()).toEqual([]);
		await record(create('Wider', many(16)));
		expect(asked()).toHaveLength(1);
	});

	describe('a table without some of its columns', () => {
		test.each(HOWS)(
			'is told when the service does not say that it has no room for all of them, %s',
			async (how, more) => {
				const columns = many(102);
				const name = `Wide ${how}`;
				// Without its flags nobody knows how many columns the service keeps.
				context.fault({ path: '/v1/flags', kind: { status: 503 } });
				const without = `The table "${name}" was created, but lacks the columns "C100", "C101"`;
				const reason = [
					/^Adding "C100" failed: .+\. .*Max fields per table reached: 100/,
					'Complete the table in Activepieces',
				];
				const error = await failsWith(create(name, columns), without, reason, more);
				expect(error.description).not.toContain('Nothing was changed');
				expect(tablesNamed(name)).toHaveLength(1);
				expect(columnsOf(name)).toEqual(columns.slice(0, 100).map((each) => each.name));
			},
		);

		test.each(HOWS)('is told after an error of the server, %s', async (how, more) => {
			context.fault({ ...fails, after: 1, kind: { status: 500, message: 'out of memory' } });
			const without = `The table "Bare ${how}" was created, but may lack the column "A"`;
			// A later try does not send it again.
			const reason =
				how === 'once'
					? [/^Adding "A" failed: .*HTTP 500/, 'out of memory', 'Check its log.']
					: 'Adding "A" failed: Could not confirm whether the column "A" was added.';
			await failsWith(create(`Bare ${how}`, two), without, reason, more);
			expect(columnsOf(`Bare ${how}`)).toEqual(['B']);
		});

		test('is not searched for a column that the service refused', async () => {
			context.fault({ ...fails, kind: { status: 403, code: 'AUTHORIZATION' } });
			const lacks = 'The table "Refused" was created, but lacks the columns "B", "A"';
			await failsWith(create('Refused', two), lacks);
			expect(requestPaths(context).at(-1)).toBe('POST /v1/fields');
		});

		test('gets the others with Retry On Fail', async () => {
			const refusal = { status: 403, code: 'AUTHORIZATION' };
			context.fault({ ...fails, after: 1, times: 1, kind: refusal });
			await run(create('Late', [...two, { name: 'C' }]), AGAIN);
			expect(columnsOf('Late')).toEqual(['B', 'A', 'C']);
			expect(tablesNamed('Late')).toHaveLength(1);
		});

		test('gets none twice from a slow server: what nothing shows is not sent again', async () => {
			context.fault({ ...fails, after: 1, times: 1, kind: { status: 502 } });
			const may = 'The table "Slow" was created, but may lack the columns "A", "C"';
			const unclear = 'Could not confirm whether the column "A" was added';
			const parameters = create('Slow', [...two, { name: 'C' }]);
			await failsWith(parameters, may, unclear, { items: [{}], ...AGAIN });
			const isSent = (name: string) =>
				context.posts().filter(({ body }) => (body as { name: string }).name === name).length;
			expect(['B', 'A', 'C'].map(isSent)).toEqual([1, 1, 0]);
		});

		test('gets none twice from several items either', async () => {
			context.fault({ ...fails, times: 1, kind: { status: 502 } });
			const parameters = create('Shared', two, { ifExists: 'addColumns' });
			const how = { items: [{}, {}], onError: 'continueRegularOutput' as const };
			const { items } = await run(parameters, how);
			expect(items.map(({ json }) => String(json.error))).toEqual([
				expect.stringContaining('may lack'),
				expect.stringContaining('may lack'),
			]);
			expect(context.posts().filter(({ path }) => path === '/v1/fields')).toHaveLength(1);
		});

		test('is not a table that the service refused', async () => {
			context.fault({ method: 'POST', times: 1, kind: { status: 409 } });
			await failsWith(create('Never', two), /HTTP 409/, 'Nothing was changed.');
		});
	});

	test('a column whose response was lost is not added twice', async () => {
		context.fault({ ...fails, times: 1, done: true, kind: { status: 502 } });
		await record(create('Once', two));
		expect(columnsOf('Once')).toEqual(['B', 'A']);
		context.clearFaults();
		context.fault({ ...fails, times: 1, done: true, kind: { status: 502 } });
		context.fault({ method: 'GET', path: '/v1/fields', times: 1, kind: { status: 403 } });
		await run(create('Once again', two), AGAIN);
		expect(columnsOf('Once again')).toEqual(['B', 'A']);
	});

	test('a lost column is in doubt if the columns cannot be read', async () => {
		context.fault({ ...fails, times: 1, done: true, kind: { status: 502 } });
		context.fault({ method: 'GET', path: '/v1/fields', kind: { status: 403 } });
		const message = 'The table "Unread" was created, but may lack the columns "B", "A"';
		const texts = [/^Adding "B" failed: .*HTTP 502/, 'before you run the node again.'];
		await failsWith(create('Unread', two), message, texts);
		expect(columnsOf('Unread')).toEqual(['B']);
	});

	test('a table whose response was lost gets its columns in the next try', async () => {
		context.fault({ method: 'POST', times: 1, done: true, kind: { status: 502 } });
		context.fault({ method: 'GET', path: '/v1/tables', after: 1, times: 1, kind: { status: 403 } });
		await run(create('Whole', two), AGAIN);
		expect(tablesNamed('Whole')).toHaveLength(1);
		expect(columnsOf('Whole')).toEqual(['B', 'A']);
	});

	test('with Retry On Fail, a table in doubt is not created in another project', async () => {
		context.fault({ method: 'POST', times: 1, done: true, kind: { status: 502 } });
		context.fault({ method: 'GET', path: '/v1/tables', after: 1, times: 1, kind: { status: 403 } });
		// Each try finds another project as the only one.
		context.data.projects.slice(0, 2).forEach((project, at) => {
			const body = { data: [project], next: null };
			context.fault({ path: '/v1/projects', times: at + 1, kind: { body } });
		});
		const inOnly = create('Doubted', [], { projectId: '' });
		const doubt = 'Could not confirm whether the table "Doubted" was created';
		await failsWith(inOnly, doubt, [], { items: [{}], settings: RETRY_ON_FAIL });
		expect(changesSent(context)).toHaveLength(1);
	});

	test.each([
		[
			'The column "State" has no options',
			[{ name: 'State', type: 'STATIC_DROPDOWN' }],
			'A dropdown needs at least one option.',
		],
		[
			'Columns has "A" twice',
			[{ name: 'A' }, { name: 'A ', type: 'DATE' }],
			'Give each column another name.',
		],
		['Columns > Name is empty', [{ name: ' ' }], 'Enter the name of the column.'],
		[
			'Columns > Type must be one of DATE, DATETIME, STATIC_DROPDOWN, NUMBER, TEXT, not "X"',
			[{ name: 'A', type: 'X' }],
			'Change Columns > Type.',
		],
		[
			'Columns > Type must be one of DATE, DATETIME, STATIC_DROPDOWN, NUMBER, TEXT, not undefined',
			[{ name: 'A', type: '={{ $json.none }}' }],
			'Change Columns > Type.',
		],
	])('%s: nothing is sent', async (message, column, advice) => {
		await failsWith(create('Refused', column), message, advice);
		expect(changesSent(context)).toEqual([]);
	});

	describe('Use It and Add Missing Columns', () => {
		const KEEP = { ifExists: 'addColumns' };

		test('adds what the table lacks, after its own columns', async () => {
			const { id } = await record(
				create('Sheet', [{ name: 'Name' }, { name: 'Due', type: 'DATE' }]),
			);
			const more = [{ name: 'Amount', type: 'NUMBER' }, { name: 'Na\u00adme' }, { name: 'Note' }];
			for (let time = 0; time < 2; time++) {
				expect(await record(create('Sheet', more, KEEP))).toMatchObject({ id, name: 'Sheet' });
				expect(columnsOf('Sheet')).toEqual(['Name', 'Due', 'Amount', 'Note']);
			}
			expect(changesSent(context)).toHaveLength(5);
			await record(create('New sheet', more, KEEP));
			expect(columnsOf('New sheet')).toHaveLength(3);
		});

		test('changes nothing if a column has another type', async () => {
			await record(create('Typed', two));
			const parameters = create('Typed', [{ name: 'C' }, { name: 'A', type: 'NUMBER' }], KEEP);
			const message = 'The column "A" of the table "Typed" has the type Date, not Number';
			const advice =
				'Activepieces cannot change the type of a column. Change Columns, or delete the column in Activepieces. Nothing was changed.';
			await failsWith(parameters, message, advice);
			expect(columnsOf('Typed')).toEqual(['B', 'A']);
		});

		test('changes nothing if the table has no room for all of them', async () => {
			await record(create('Full', many(99)));
			const parameters = create('Full', [{ name: 'C1' }, ...two], KEEP);
			const advice =
				'The table has 99, and would get 2 more. Leave out some of them, or put them in another table. Nothing was changed.';
			const message = 'A table of this Activepieces server has at most 100 columns';
			await failsWith(parameters, message, advice);
			expect(columnsOf('Full')).toHaveLength(99);
			await record(create('Full', [{ name: 'C1' }, two[0]], KEEP));
			expect(columnsOf('Full').at(-1)).toBe('B');
		});

		test.each(HOWS)('never advises to delete the table, %s', async (how, more) => {
			const name = `Kept ${how}`;
			await record(create(name, []));
			context.fault({ ...fails, after: 1, kind: { status: 500, message: 'out of memory' } });
			const lacks = `The table "${name}" may lack the column "A"`;
			const advice = 'When you run the node again, it adds the columns that are then missing.';
			const { description } = await failsWith(create(name, two, KEEP), lacks, advice, more);
			expect(description).not.toContain('delete');
			context.clearFaults();
			await record(create(name, two, KEEP));
			expect(columnsOf(name)).toEqual(['B', 'A']);
		});
	});

	test('Clear deletes the records of the table only, and is no error without any', async () => {
		const { tables, tableRows } = context.data;
		const others = tableRows.filter(({ tableId }) => tableId !== tables[0].id);
		expect(others.length).toBeLessThan(tableRows.length);
		const clear = parametersOf('table.clear', { tableId: byId(tables[0].id) });
		for (let time = 0; time < 2; time++) expect(await record(clear)).toEqual({ cleared: true });
		expect(context.data.tableRows).toEqual(others);
	});
});
