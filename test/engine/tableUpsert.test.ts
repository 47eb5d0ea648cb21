import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, requestPaths, useService } from './harness/service';
import { mapAutomatically, ofTable, tablesOf } from './harness/tables';

// Up to 0.79 a record has only the cells that it ever had.
describe.each(['0.79', '0.92'] as const)('Create or Update of release %s', (release) => {
	const context = useService({ release });
	const { failsWith, records, run } = context;
	const { firstTable, rowsOf, cellOf, columnOf, stored } = tablesOf(context);
	const upsert = (matchingColumns = ['Customer'], more: INodeParameters = {}) =>
		ofTable('upsert', firstTable(), mapAutomatically(...matchingColumns), more);
	const create = () => ofTable('create', firstTable(), mapAutomatically());
	const changes = () => changesSent(context).map(([request]) => request);
	const CREATES = 'POST /v1/records';
	const updates = ({ id }: { id: unknown }) => `POST /v1/records/${String(id)}`;
	const sheetOf = (prefix: string, count: number): IDataObject[] =>
		Array.from({ length: count }, (_, i) => ({ Customer: `${prefix} ${i}`, Amount: i }));

	test('changes what differs, creates what is new in order, and changes nothing the second time', async () => {
		const [first, second] = rowsOf();
		const sheet = sheetOf('Sheet', 120);
		sheet.splice(60, 0, { Customer: cellOf(first, 'Customer'), Amount: 77.5, Due: '' });
		sheet.push({ Customer: cellOf(second, 'Customer') });
		const before = rowsOf().length;
		const given = await records(upsert(), sheet);
		expect(given).toMatchObject(sheet.map(({ Customer }) => ({ Customer })));
		expect(changes()).toEqual([CREATES, CREATES, updates(first), CREATES]);
		expect(requestPaths(context).filter((path) => path === 'GET /v1/records')).toHaveLength(1);
		expect(stored('Customer').slice(before)).toEqual(
			sheetOf('Sheet', 120).map((each) => each.Customer),
		);
		expect(cellOf(rowsOf()[0], 'Amount')).toBe('77.5');

		const changeOf = (i: number) => (i === 60 ? 'updated' : i === 121 ? 'unchanged' : 'created');
		const changed = sheet.map((_item, i) => changeOf(i));
		expect(given.map(({ change }) => change)).toEqual(changed);
		expect(Object.keys(given[0]).slice(0, 2)).toEqual(['id', 'change']);

		context.clearRequests();
		const same = given.map((record) => ({ ...record, change: 'unchanged' }));
		expect(await records(upsert(), sheet)).toEqual(same);
		expect(changes()).toEqual([]);
	});

	test('what was done is in the raw record, and beside the record if a column has that name', async () => {
		const raw = upsert(['Customer'], { simplify: false });
		expect(await records(raw, [{ Customer: 'Raw' }])).toMatchObject([
			{ change: 'created', cells: expect.any(Object) },
		]);
		jest.replaceProperty(columnOf('State'), 'name', 'change');
		expect(await records(upsert(), [{ Customer: 'Raw', change: 'open' }])).toMatchObject([
			{ change: 'updated', record: { Customer: 'Raw', change: 'open' } },
		]);
	});

	test.each([
		['created', 'Lost', '/v1/records'],
		['updated', 'Customer 001', /^\/v1\/records\/./],
	])(
		'what an earlier try did whose response was lost is told as it was: %s',
		async (change, Customer, path) => {
			context.fault({ method: 'POST', path, times: 1, done: true, kind: { status: 502 } });
			const item = { Customer, Amount: 99 };
			const { items } = await run(upsert(), { items: [item], settings: RETRY_ON_FAIL });
			expect(items.map(({ json }) => json.change)).toEqual([change]);
		},
	);

	test('of several items for one record the values of the later one are stored, and a hint says so', async () => {
		const name = cellOf(rowsOf()[2], 'Customer');
		const twice = (customer = ''): IDataObject[] => [
			{ Customer: customer, Amount: 1, State: 'open' },
			{ Customer: customer, Amount: 2 },
		];
		const sheet = [...twice(name), ...twice('Twice'), ...sheetOf('Between', 60), ...twice('Twice')];
		const before = rowsOf().length;
		for (const sent of [[CREATES, CREATES], []]) {
			context.clearRequests();
			const { items, hints } = await run(upsert(), sheet);
			expect(items.slice(0, 4)).toMatchObject(
				Array.from({ length: 4 }, () => ({ json: { Amount: 2, State: 'open' } })),
			);
			expect(hints[0]).toBe(
				`Several input items have Customer "${name}". The values of the later item are stored.`,
			);
			expect(changes().filter((request) => request === CREATES)).toEqual(sent);
			expect(changes()).toHaveLength(sent.length * 1.5);
			expect(rowsOf()).toHaveLength(before + 61);
		}
	});

	test('several records that match are refused, or all changed with the option', async () => {
		const pair = sheetOf('Same', 1);
		await run(create(), [...pair, ...pair]);
		context.clearRequests();
		const item = { Customer: 'Same 0', Amount: 9 };
		const message = 'The table has 2 records with Customer "Same 0"';
		await failsWith(upsert(), message, /Update All. Nothing was changed/, [
			{ Customer: 'Not sent' },
			item,
		]);
		expect(changes()).toEqual([]);
		const all = upsert(['Customer'], { options: { severalMatches: 'updateAll' } });
		expect(await records(all, [item])).toMatchObject([{ Amount: 9 }, { Amount: 9 }]);
		expect(changes()).toEqual(rowsOf().slice(-2).map(updates));
		// By two columns
		expect(await records(upsert(['Customer', 'Amount']), pair)).toMatchObject([{ Amount: 0 }]);
	});

	test.each<[what: string, stored: IDataObject, given: IDataObject, isFound?: boolean]>([
		['a number in another notation', { Amount: '12.50' }, { Amount: 12.5 }],
		['zero with a sign', { Amount: '0' }, { Amount: '-0.00' }],
		['zero without its sign', { Amount: '-0.0' }, { Amount: 0 }],
		['no number with another sign', { Amount: '-1' }, { Amount: 1 }, false],
		[
			'a time in another zone',
			{ Due: '2026-11-20T08:00:00Z' },
			{ Due: '2026-11-20T09:00:00.000+01:00' },
		],
		// As which Activepieces stores it
		['a day by its first moment', { Due: '2026-11-19T23:00:00.000Z' }, { Due: '2026-11-20' }],
		['a first moment by its day', { Due: '2026-11-21' }, { Due: '2026-11-20T23:00:00Z' }],
		['a day as databases give it', { Due: '2026-11-23T00:00:00.000Z' }, { Due: '2026-11-23' }],
		['no other day', { Due: '2026-11-23T00:00:00.000Z' }, { Due: '2026-11-22' }, false],
	])(
		'%s matches, in the time zone of the workflow',
		async (Customer, row, item, isFound = true) => {
			const [{ id }] = await records(upsert(), [{ Customer, ...row }]);
			const by = upsert(['Customer', ...Object.keys(item)]);
			const [found] = await records(by, [{ Customer, ...item }]);
			expect(found.id === id).toBe(isFound);
		},
	);

	test('a value that means the same is not sent, but a time in place of its day is', async () => {
		const row = { Customer: 'Equal', Amount: '12.50', Due: '2026-11-19T23:00:00.000Z' };
		const [{ id }] = await records(upsert(), [row]);
		context.clearRequests();
		const same = { Customer: 'Equal', Amount: 12.5, Due: '2026-11-20' };
		expect(await records(upsert(), [same])).toMatchObject([{ id, Due: row.Due }]);
		expect(changes()).toEqual([]);
		const day = { ...same, Due: '2026-11-21' };
		expect(await records(upsert(), [day])).toMatchObject([{ id, Due: '2026-11-21' }]);
		const time = { ...same, Due: '2026-11-20T23:00:00.000Z' };
		expect(await records(upsert(), [time])).toMatchObject([{ id, Due: time.Due }]);
		expect(changes()).toHaveLength(2);
	});

	test('a code in a column of numbers is not the number', async () => {
		const [number, code] = ['7001', '07001'].map((Amount) => ({ Customer: 'Code', Amount }));
		const [{ id }] = await records(upsert(), [number]);
		expect(await records(upsert(), [code])).toMatchObject([{ id, Amount: '07001' }]);
	});

	test('a value that is empty and that the record never had is not sent', async () => {
		const empty = { Customer: 'Partial', Amount: null };
		const [{ id }] = await records(upsert(), [{ Customer: 'Partial' }]);
		context.clearRequests();
		expect(await records(upsert(), [empty])).toMatchObject([{ id, Amount: null }]);
		// The later item wins.
		const twice = [{ ...empty, Amount: 1 }, empty];
		expect(await records(upsert(), twice)).toMatchObject([{ id }, { id }]);
		expect(changes()).toEqual([]);
		expect(await records(upsert(), [{ ...empty, Amount: 1 }])).toMatchObject([{ Amount: 1 }]);
		expect(await records(upsert(), [empty])).toMatchObject([{ id, Amount: '' }]);
		expect(changes()).toHaveLength(2);
	});

	test('a record is found by what a person sees of its text, and keeps that text', async () => {
		const seen = 'Caf\u00e9 Nord';
		const alike = [`\ufeff${seen}`, ` ${seen} `, 'Cafe\u0301 Nord', 'Caf\u00e9\u00a0Nord'];
		const [{ id }] = await records(upsert(), [{ Customer: seen }]);
		const before = rowsOf().length;
		for (const [i, Customer] of alike.entries()) {
			const found = await records(upsert(), [{ Customer, Amount: i + 1 }]);
			expect(found).toMatchObject([{ id, Customer: seen, Amount: i + 1 }]);
		}
		expect(rowsOf()).toHaveLength(before);
		const other = { Customer: seen.toLowerCase() };
		expect(await records(upsert(), [other])).not.toMatchObject([{ id }]);
	});

	test('items of a run that look alike are for one new record', async () => {
		const before = rowsOf().length;
		const sheet = ['New one', '\ufeffNew one', ' New one', 'New two'];
		const items = sheet.map((Customer, Amount) => ({ Customer, Amount }));
		const given = await records(upsert(), items);
		expect(given).toMatchObject([2, 2, 2, 3].map((Amount) => ({ Amount })));
		expect(stored('Amount').slice(before)).toEqual(['2', '3']);
		expect(changes()).toEqual([CREATES]);
		context.clearRequests();
		const same = given.map((record) => ({ ...record, change: 'unchanged' }));
		expect(await records(upsert(), items)).toEqual(same);
		expect(changes()).toEqual([]);
	});

	test('half an emoji is the character that the service stores for it', async () => {
		const items = [{ Customer: 'Half \ud83d', State: 'open' }];
		const before = rowsOf().length;
		const [{ id }] = await records(upsert(), items);
		context.clearRequests();
		expect(await records(upsert(), items)).toMatchObject([{ id }]);
		expect(changes()).toEqual([]);
		expect(rowsOf()).toHaveLength(before + 1);
	});

	test('the same text comes first, and of several that look alike none is taken', async () => {
		const pair = [{ Customer: 'Alike' }, { Customer: 'Alike ' }];
		const [, { id }] = await records(create(), pair);
		const exact = { Customer: 'Alike ', Amount: 5 };
		expect(await records(upsert(), [exact])).toMatchObject([{ id, Amount: 5 }]);
		context.clearRequests();
		for (const severalMatches of ['refuse', 'updateAll']) {
			await failsWith(
				upsert(['Customer'], { options: { severalMatches } }),
				'The table has 2 records with Customer "Alike" that differ only in blanks or invisible characters',
				/Nothing was changed/,
				[{ Customer: ' Alike' }],
			);
		}
		expect(changes()).toEqual([]);
	});

	test('columns to match on need a value', async () => {
		const empty = 'The column "Customer" has no value to match on';
		for (const Customer of [undefined, null, '', ' ', '\u200b', '\ufeff \u00a0'])
			await failsWith(upsert(), empty, 'Remove the others before this node', [
				{ Customer, Amount: 1 },
			]);
		expect(changes()).toEqual([]);
	});

	const lost = (more: Partial<Parameters<typeof context.fault>[0]> = {}) =>
		context.fault({
			...{ method: 'POST', path: '/v1/records', times: 1, done: true },
			...{ kind: { status: 502 }, ...more },
		});

	const batch = { batchSize: 1, batchInterval: 1 };
	test.each<[string, Parameters<typeof lost>[0], number]>([
		['refused if its outcome is unknown', {}, 2],
		['sent again if nothing was created', { done: false, kind: { status: 400 } }, 1],
	])('after a failed create, a later item for the record is %s', async (how, fault, created) => {
		lost(fault);
		const before = rowsOf().length;
		const items = [how, `${how} (2)`, ` ${how}`].map((Customer) => ({ Customer }));
		const requestOptions = { batching: { batch: { ...batch, batchSize: 2 } } };
		const parameters = upsert(['Customer'], { requestOptions });
		const { items: given } = await run(parameters, { items, onError: 'continueRegularOutput' });
		const isRefused = created === 2;
		expect(given[2].json.error).toBe(
			isRefused
				? `Could not confirm whether the table record with Customer "${how}" was created`
				: undefined,
		);
		expect(changes()).toEqual(isRefused ? [CREATES] : [CREATES, CREATES]);
		expect(rowsOf()).toHaveLength(before + created);
	});

	test('after an update without a clear result, a later item for the record is sent, whatever the table had before', async () => {
		const [{ id }] = await records(upsert(), [{ Customer: 'Unclear', Amount: 1 }]);
		context.clearRequests();
		lost({ path: /^\/v1\/records\/./ });
		const parameters = upsert(['Customer'], { requestOptions: { batching: { batch } } });
		const items = [2, 1, 1].map((Amount) => ({ Customer: 'Unclear', Amount }));
		const { items: given } = await run(parameters, { items, onError: 'continueRegularOutput' });
		expect(given.map(({ json }) => json.error === undefined)).toEqual([false, true, true]);
		expect(changes()).toEqual([updates({ id }), updates({ id })]);
		expect(stored('Amount').slice(-1)).toEqual(['1']);
	});

	test.each<[string, Parameters<typeof lost>[0], INodeParameters]>([
		['completed both items', { after: 1 }, {}],
		['completed neither item', {}, {}],
		['completed the earlier item', { path: /^\/v1\/records\/./ }, { batching: { batch } }],
	])('the hint is told after a first try that %s', async (what, fault, requestOptions) => {
		lost(fault);
		const sheet = [{ Customer: what }, { Customer: what }, ...sheetOf(what, 50)];
		const items = sheet.map((item, Amount) => ({ ...item, Amount }));
		const parameters = upsert(['Customer'], { requestOptions });
		const { hints } = await run(parameters, { items, settings: RETRY_ON_FAIL });
		expect(hints).toEqual([
			`Several input items have Customer "${what}". The values of the later item are stored.`,
		]);
	});

	test('no hint is told if a request was too large', async () => {
		context.fault({ method: 'POST', path: '/v1/records', kind: { maxBody: 1000 } });
		const before = rowsOf().length;
		const sheet = sheetOf('Large', 40);
		const { hints } = await run(upsert(), sheet);
		expect(hints).toEqual([]);
		expect(stored('Customer').slice(before)).toEqual(sheet.map(({ Customer }) => Customer));
	});

	test('a record that was deleted after the node had read the table', async () => {
		const [{ id }] = await records(upsert(), [{ Customer: 'Deleted' }]);
		const params = { entityType: 'Record', entityId: id };
		const kind = { status: 404, code: 'ENTITY_NOT_FOUND', params };
		context.fault({ method: 'POST', path: `/v1/records/${String(id)}`, times: 1, kind });
		await failsWith(
			upsert(),
			`Table record "${String(id)}" was deleted while the node was running`,
			/^Run the node again\..* Nothing was changed\.$/,
			[{ Customer: 'Deleted', Amount: 1 }],
		);
	});

	test('a later item for a new record is part of the request that creates it', async () => {
		context.fault({ method: 'POST', path: /^\/v1\/records\/./, kind: { status: 400 } });
		const before = rowsOf().length;
		const sheet = sheetOf('Early', 100);
		const items = [...sheet];
		items.splice(60, 0, { Customer: 'Early 0', Amount: 7 });
		const { items: given } = await run(upsert(), { items, onError: 'continueRegularOutput' });
		expect(given.map(({ json }) => json)).toMatchObject(
			items.map((item) => (item.Customer === 'Early 0' ? { ...item, Amount: 7 } : item)),
		);
		expect(stored('Customer').slice(before)).toEqual(sheet.map(({ Customer }) => Customer));
		expect(changes()).toEqual([CREATES, CREATES]);
	});
});
