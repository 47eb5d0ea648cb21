import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { TableRow } from '../service/records';
import { limits } from './harness/built';
import { ids } from './harness/byId';
import { RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, useService } from './harness/service';
import { mapByHand, ofTable, tablesOf, where, type Condition } from './harness/tables';

const SOME: Condition[] = [
	['Customer', 'co', 'customer'],
	['State', 'neq', 'paid'],
];
const DRY = { options: { dryRun: true } };
const AGAIN = { settings: RETRY_ON_FAIL };

// 0.79 and 0.92 list records differently.
describe.each(['0.79', '0.92'] as const)('records of release %s by condition', (release) => {
	const context = useService({ release });
	const { failsWith, records, run } = context;
	let before: TableRow[];
	beforeEach(() => {
		before = context.data.tableRows.map((row) => ({ ...row, cells: { ...row.cells } }));
	});
	afterEach(() => {
		context.data.tableRows = before;
		limits.recordsPerRequest = 50;
	});
	const { firstTable: table, rowsOf, cellOf, columnOf } = tablesOf(context);
	const update = (more: INodeParameters = where(...SOME)) =>
		ofTable('updateMany', table(), mapByHand({ State: 'paid' }), more);
	const remove = (more: INodeParameters = where(...SOME)) => ofTable('deleteMany', table(), more);
	/** The records that Get Many returns for the conditions */
	const listed = async () =>
		await records(ofTable('getAll', table(), { returnAll: true, filters: where(...SOME) }));

	test('Update changes the records that Get Many returns for the conditions, and no others', async () => {
		const expected = await listed();
		expect(expected.length).toBeGreaterThan(3);
		const others = rowsOf().filter(({ id }) => !ids(expected).includes(id));
		const untouched = JSON.stringify(others);
		const changed = await records(update());
		const same = ({ id, Customer }: IDataObject) => ({ id, Customer, State: 'paid' });
		expect(changed).toMatchObject(expected.map(same));
		expect(JSON.stringify(others)).toBe(untouched);
		expect(changesSent(context)).toHaveLength(expected.length);
		// They no longer fulfill the conditions.
		expect(await records(update())).toEqual([]);
	});

	test('Delete deletes them with a request for each 50, and returns the ID of each', async () => {
		limits.recordsPerRequest = 3;
		const expected = ids(await listed());
		const all = ids(rowsOf());
		const deleted = expected.map((id) => ({ deleted: true, id }));
		expect(await records(remove())).toEqual(deleted);
		expect(changesSent(context)).toHaveLength(Math.ceil(expected.length / 3));
		expect(ids(rowsOf())).toEqual(all.filter((id) => !expected.includes(id)));
		expect(await records(remove())).toEqual([]);
	});

	test('Dry Run returns the records as Get Many does, and changes nothing', async () => {
		const expected = await listed();
		const marked = (dryRun: string, more = {}) =>
			expected.map((record) => ({ ...record, dryRun, ...more }));
		const [before, after] = [marked('before'), marked('after', { State: 'paid' })];
		const { items, hints } = await run(update({ ...where(...SOME), ...DRY }));
		expect(items.map(({ json }) => json)).toEqual(before.flatMap((each, i) => [each, after[i]]));
		expect(Object.keys(items[0].json)).toEqual([
			'id',
			'dryRun',
			...Object.keys(expected[0]).slice(1),
		]);
		const would = `Nothing was changed, because Dry Run is on. ${expected.length} records would be changed`;
		expect(hints).toEqual([expect.stringContaining(would)]);
		expect(await records(remove({ ...where(...SOME), ...DRY }))).toEqual(before);
		expect(changesSent(context)).toEqual([]);
	});

	test('Dry Run has its mark beside a record of a table with a column of that name', async () => {
		jest.replaceProperty(columnOf('Customer'), 'name', 'dryRun');
		const [first] = await records(remove({ ...where(['State', 'exists']), ...DRY }));
		expect(first).toMatchObject({ dryRun: 'before', record: { dryRun: expect.any(String) } });
	});

	test('Must Match Any takes records for which one condition is true', async () => {
		const conditions = where(
			['Customer', 'eq', 'Customer 003'],
			['Amount', 'eq', '5.5'],
			['Due', 'not_exists'],
		);
		const any = { ...conditions, combine: 'any' };
		const filters = ofTable('getAll', table(), { returnAll: true, filters: any });
		const expected = ids(rowsOf())
			.filter((_id, i) => [3, 5].includes(i))
			.sort();
		const empty = rowsOf()
			.filter((row) => !cellOf(row, 'Due'))
			.map(({ id }) => id);
		const wanted = [...new Set([...expected, ...empty])].sort();
		expect(ids(await records(filters)).sort()).toEqual(wanted);
		expect(context.requests.at(-1)?.url).not.toContain('filters');
		expect(ids(await records(update(any))).sort()).toEqual(wanted);
		expect(ids(await records(remove(any))).sort()).toEqual(wanted);
		const none = ofTable('getAll', table(), { returnAll: true, filters: { combine: 'any' } });
		expect(await records(none)).toHaveLength(rowsOf().length);
	});

	test('Update says which values were not stored', async () => {
		const { fields } = context.data;
		const { id } = columnOf('State');
		const before = () => {
			context.data.fields = fields.filter((field) => field.id !== id);
		};
		context.fault({ method: 'POST', times: 1, kind: { before } });
		const parameters = update(where(['Customer', 'exists']));
		await failsWith(parameters, 'Activepieces did not store the value for "State"');
		context.data.fields = fields;
	});

	test('a day is that of the time zone of the workflow', async () => {
		const { id: due } = columnOf('Due');
		const [row] = rowsOf();
		// Midnight in Berlin, as the web app of Activepieces stores a day.
		row.cells[due].value = '2027-06-04T22:00:00.000Z';
		for (const [operator, isFound] of [
			['eq', true],
			['neq', false],
		] as const) {
			const found = ids(
				await records(remove({ ...where(['Due', operator, '2027-06-05']), ...DRY })),
			);
			expect(found.includes(row.id)).toBe(isFound);
		}
	});

	// Greater and Less must not contradict Equals.
	test.each([
		['2026-03-02', '2026-03-02T00:00:00.000Z'],
		['2026-03-02T00:00:00.000Z', '2026-03-02'],
		['2026-03-02T00:00:00.000Z', '2026-03-01T23:00:00.000Z'],
	])(
		'a day as databases give it is that day for each operator: %s of %s',
		async (value, stored) => {
			const [row] = rowsOf();
			row.cells[columnOf('Due').id].value = stored;
			for (const [operator, isFound] of Object.entries({
				eq: true,
				neq: false,
				gt: false,
				gte: true,
				lt: false,
				lte: true,
			})) {
				const given = remove({ ...where(['Due', operator, value]), ...DRY });
				const found = ids(await records(given)).includes(row.id);
				expect({ operator, found }).toEqual({ operator, found: isFound });
			}
		},
	);

	test('of items for the same records, each deletes what is left', async () => {
		context.fault({ method: 'GET', path: '/v1/records', kind: { delay: 30 } });
		const parameters = remove(where(['Customer', 'co', '={{ $json.part }}']));
		const given = ids(
			await records(parameters, [{ part: 'Customer 003' }, { part: 'Customer 00' }]),
		);
		expect(given).toHaveLength(10);
		expect(new Set(given).size).toBe(10);
	});

	test('a model keeps a value with an empty text, and empties one with a space', async () => {
		const [row] = rowsOf();
		const mapped = (value: INodeParameters) => mapByHand(value);
		const values = { Customer: '', State: ' ', Amount: '7' };
		const given = where(['Customer', 'eq', 'Customer 000']);
		for (const parameters of [
			ofTable('updateMany', table(), mapped(values), given),
			ofTable('update', table(), mapped(values), { recordId: row.id }),
		]) {
			const { items, error } = await run(parameters, { items: [{}], asTool: true });
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ Customer: 'Customer 000', State: '', Amount: 7 });
		}
		const nothing = ofTable('update', table(), mapped({ Customer: '' }), { recordId: row.id });
		await failsWith(nothing, /^Values to Send is empty/, [], { items: [{}], asTool: true });
	});

	const EMPTY = ['There is no condition', 'Add at least one under Conditions.'] as const;
	const NO_VALUE = 'A condition compares with undefined instead of text or a number';
	const EXPRESSION = '={{ $json.none }}';
	test.each<[string, INodeParameters | string, string, string?]>([
		['none', {}, ...EMPTY],
		['an empty list', { condition: [] }, ...EMPTY],
		['an expression without a value for all of them', EXPRESSION, ...EMPTY],
		[
			'an expression without a value in one',
			where(['State', 'eq', EXPRESSION]).conditions,
			NO_VALUE,
		],
		[
			'an expression without a column',
			where([EXPRESSION, 'exists']).conditions,
			'Conditions > Column is empty',
			'Choose a column.',
		],
	])(
		'conditions never mean all records: %s',
		async (_what, conditions, message, advice = 'Change Conditions.') => {
			for (const change of [update, remove]) {
				for (const options of [{}, DRY]) {
					await failsWith(change({ conditions, ...options }), message, advice);
				}
			}
			expect(changesSent(context)).toEqual([]);
		},
	);

	test('a failure in the middle says how many were changed', async () => {
		const total = (await listed()).length;
		const again =
			'When you run the node again, it looks for the records that then fulfill the conditions.';
		const fails = { after: 2, kind: { status: 403 } } as const;
		context.fault({ ...fails, method: 'POST', path: /^\/v1\/records\// });
		await failsWith(update(), `2 of ${total} table records were changed`, again);
		context.clearFaults();
		const left = total - 2;
		limits.recordsPerRequest = 1;
		context.fault({ ...fails, method: 'DELETE' });
		await failsWith(remove(), `2 of ${left} table records were deleted`, again);
		context.clearFaults();
		context.fault({ ...fails, method: 'DELETE', after: 1, kind: { status: 500 } });
		const maybe = `It may have deleted records as well. ${again}`;
		await failsWith(remove(), `1 of ${left - 2} table records were deleted`, maybe);
	});

	test('a record that somebody else has deleted is not counted among the deleted ones', async () => {
		limits.recordsPerRequest = 1;
		const [first, ...others] = await listed();
		const before = () => {
			context.data.tableRows = context.data.tableRows.filter(({ id }) => id !== first.id);
		};
		context.fault({ method: 'DELETE', times: 1, kind: { before } });
		context.fault({ method: 'DELETE', after: 2, kind: { status: 403 } });
		await failsWith(remove(), `1 of ${others.length} table records were deleted`);
	});

	test('a lost response to a delete is no error, and a record that is gone already keeps no other one', async () => {
		limits.recordsPerRequest = 3;
		const expected = ids(await listed());
		context.fault({ method: 'DELETE', times: 1, done: true, kind: { status: 502 } });
		expect(ids(await records(remove()))).toEqual(expected);
		expect(rowsOf().filter(({ id }) => expected.includes(id))).toEqual([]);
	});

	test.each([0, 1])(
		'a record that somebody else has deleted meanwhile is no error, and not in the output: request %i',
		async (after) => {
			limits.recordsPerRequest = 2;
			const expected = ids(await listed());
			const [gone] = expected.splice(after * 2, 1);
			const before = () => {
				context.data.tableRows = context.data.tableRows.filter(({ id }) => id !== gone);
			};
			context.fault({ method: 'DELETE', after, times: 1, kind: { before } });
			expect(ids(await records(remove()))).toEqual(expected);
			expect(rowsOf().filter(({ id }) => expected.includes(id))).toEqual([]);
		},
	);

	test('Update goes on after a record that somebody else has deleted meanwhile', async () => {
		const expected = ids(await listed());
		const [gone] = expected.splice(1, 1);
		const before = () => {
			context.data.tableRows = context.data.tableRows.filter(({ id }) => id !== gone);
		};
		context.fault({ method: 'POST', after: 1, times: 1, kind: { before } });
		expect(ids(await records(update()))).toEqual(expected);
	});

	test('a table that is deleted while its records are changed is an error', async () => {
		const { tables } = context.data;
		const before = () => {
			context.data.tables = tables.slice(1);
			context.data.tableRows = [];
		};
		const given = update();
		const { id } = table();
		context.fault({ method: 'POST', after: 1, times: 1, kind: { before } });
		await failsWith(given, `Table "${id}" was not found`);
		context.data.tables = tables;
	});

	test('Is Empty is not true because somebody has deleted the column meanwhile', async () => {
		const total = rowsOf().length;
		const { fields } = context.data;
		const { id } = columnOf('Due');
		const before = () => {
			context.data.fields = fields.filter((field) => field.id !== id);
			for (const row of rowsOf()) delete row.cells[id];
		};
		for (const change of [remove, update]) {
			const given = change(where(['Due', 'not_exists']));
			context.fault({ path: '/v1/records', method: 'GET', times: 1, kind: { before } });
			const gone = 'The column "Due" was deleted while the node was running';
			await failsWith(given, gone, ['Change Conditions', 'Nothing was changed.']);
			context.data.fields = fields;
		}
		expect(rowsOf()).toHaveLength(total);
		expect(changesSent(context)).toEqual([]);
	});

	test('Equals and Not Equals compare numbers as the output shows them', async () => {
		const [{ id }, code] = rowsOf();
		const { id: amount } = columnOf('Amount');
		rowsOf()[0].cells[amount].value = '12.50';
		code.cells[amount].value = '0012';
		const listedWhere = async (operator: string, value: string) =>
			ids(await records(remove({ ...where(['Amount', operator, value]), ...DRY })));
		expect(await listedWhere('eq', '12.5')).toEqual([id]);
		expect(await listedWhere('neq', '12.5')).not.toContain(id);
		expect(await listedWhere('neq', '12')).toContain(code.id);
	});

	const STATES = 'The column "State" must be one of "open", "paid", "on hold", not';
	const NO_DATE = 'A condition compares the column "Due" with';
	const NO_NUMBER = 'A condition compares the column "Amount" with';
	test.each<[string, string | number, string, string]>([
		['Due', '31.12.2026', `${NO_DATE} "31.12.2026" instead of a date`, '2026-11-20'],
		['Due', 46387, `${NO_DATE} "46387" instead of a date`, '2026-11-20'],
		['Amount', '12,50', `${NO_NUMBER} "12,50" instead of a number`, '12.5'],
		['Amount', '12.50 EUR', `${NO_NUMBER} "12.50 EUR" instead of a number`, '12.5'],
		['State', 'Paid', `${STATES} "Paid"`, 'Change Conditions.'],
		['State', '={{ true }}', `${STATES} true`, 'Change Conditions.'],
	])(
		'a value that the column %s cannot have is refused: %j',
		async (column, value, message, advice) => {
			const total = rowsOf().length;
			for (const operator of ['neq', 'eq']) {
				for (const change of [remove, update]) {
					await failsWith(change(where([column, operator, value])), message, [
						'Change Conditions',
						advice,
					]);
				}
			}
			expect(changesSent(context)).toEqual([]);
			expect(rowsOf()).toHaveLength(total);
		},
	);

	test('a value of a drop-down is the option that is meant, as in Columns', async () => {
		const foundBy = async (operator: string, value: string) =>
			ids(await records(remove({ ...where(['State', operator, value]), ...DRY })));
		for (const operator of ['eq', 'neq']) {
			const wanted = await foundBy(operator, 'paid');
			expect(wanted.length).toBeGreaterThan(0);
			expect(await foundBy(operator, ' paid ')).toEqual(wanted);
		}
		const data = { options: [{ value: 'TRUE' }, { value: 'FALSE' }] };
		jest.replaceProperty(columnOf('State'), 'data', data);
		const [row] = rowsOf();
		row.cells[columnOf('State').id].value = 'TRUE';
		expect(await foundBy('eq', '={{ true }}')).toEqual([row.id]);
		expect(await foundBy('neq', '={{ true }}')).not.toContain(row.id);
	});

	test('Contains finds what a column has outside its type', async () => {
		const [row] = rowsOf();
		row.cells[columnOf('Amount').id].value = 'n/a';
		const given = remove({ ...where(['Amount', 'co', 'n/a']), ...DRY });
		expect(ids(await records(given))).toEqual([row.id]);
	});

	test('a table that somebody else has deleted meanwhile is an error', async () => {
		limits.recordsPerRequest = 2;
		const { tables } = context.data;
		const { id } = table();
		const gone = `Table "${id}" was not found`;
		const before = () => {
			context.data.tables = tables.slice(1);
		};
		for (const after of [1, 0]) {
			const total = (await listed()).length;
			const given = remove();
			context.fault({ method: 'DELETE', after, times: 1, kind: { before } });
			if (after === 0) await failsWith(given, gone);
			else await failsWith(given, `2 of ${total} table records were deleted`, gone);
			context.data.tables = tables;
		}
	});

	test.each([
		['refused', false],
		['lost', true],
	])('with Retry On Fail, all are changed and returned: a request is %s', async (_how, done) => {
		limits.recordsPerRequest = 2;
		for (const [change, fault] of [
			[update(), { method: 'POST', path: /^\/v1\/records\// }],
			[remove(where(['State', 'eq', 'paid'], SOME[0])), { method: 'DELETE' }],
		] as const) {
			const expected = [...new Set(ids(await records({ ...change, ...DRY })))];
			context.clearRequests();
			context.fault({ ...fault, after: 1, times: 1, done, kind: { status: 500 } });
			const { error, items } = await context.run(change, AGAIN);
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.id)).toEqual(expected);
			const states = rowsOf()
				.filter(({ id }) => expected.includes(id))
				.map((row) => cellOf(row, 'State'));
			expect(states).toEqual(change.operation === 'updateMany' ? expected.map(() => 'paid') : []);
			// Only the one that failed is sent again.
			if (states.length > 0) expect(changesSent(context)).toHaveLength(expected.length + 1);
		}
	});

	test('items delete one after the other, because a record may be for several of them', async () => {
		const expected = ids(await listed());
		const given = await records(remove(), [{}, {}, {}]);
		expect(ids(given)).toEqual(expected);
	});
});
