import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, useService } from './harness/service';
import { mapAutomatically, mapByHand, ofTable, tablesOf } from './harness/tables';

/** Texts of the input, each with what is stored for it */
type Pairs = Array<[text: string, stored: string]>;

// Up to 0.79 a record has only the cells that it ever had, and a cell takes text only.
describe.each(['0.79', '0.92'] as const)('rows of a spreadsheet in release %s', (release) => {
	const context = useService({ release });
	const { failure, record, records, run } = context;
	const { firstTable, rowsOf, columnOf, stored } = tablesOf(context);
	const AUTO = mapAutomatically();
	const ofFirst = (operation: string, ...more: INodeParameters[]) =>
		ofTable(operation, firstTable(), ...more);
	const create = (...more: INodeParameters[]) => ofFirst('create', AUTO, ...more);
	const upsert = (...more: INodeParameters[]) =>
		ofFirst('upsert', mapAutomatically('Customer'), ...more);
	const written = (valueFormat: string): INodeParameters => ({ options: { valueFormat } });
	/** What a person reads of the error that these parameters cause. */
	const told = async (parameters: INodeParameters, ...items: IDataObject[]) => {
		const { message, description } = await failure(parameters, items);
		return { message, advice: String(description).replace(/ Nothing was changed\.$/, '') };
	};

	describe('Numbers and Dates', () => {
		const WITH_POINT: Pairs = [
			['37.50', '37.50'],
			['1,234.5', '1234.5'],
			['1,234', '1234'],
			["-12'345'678.90", '-12345678.90'],
			['1’234', '1234'],
			['1\u00a0234.5', '1234.5'],
			['1.5e3', '1.5e3'],
			['$1,234.50', '1234.50'],
			['-US$5', '-5'],
			['£ 0.5', '0.5'],
			['42', '42'],
		];
		const WITH_COMMA: Pairs = [
			['37,50', '37.50'],
			['1.234,5', '1234.5'],
			['1.234', '1234'],
			['-12.345.678,90', '-12345678.90'],
			['1 234,5', '1234.5'],
			['1\u202f234\u202f567', '1234567'],
			['1,5E+3', '1.5E+3'],
			[' ,5 ', '.5'],
			['-9,99 €', '-9.99'],
			['12,00 EUR', '12.00'],
			['R$ 1.234,50', '1234.50'],
			['45,67-', '-45.67'],
			['−5,00', '-5.00'],
			['1.234,50-\u00a0€', '-1234.50'],
			['CHF -7', '-7'],
			['+3 kr', '+3'],
			['007', '007'],
			['42', '42'],
		];
		test.each<[string, Pairs]>([
			['commaDayFirst', WITH_COMMA],
			['pointDayFirst', WITH_POINT],
			['pointMonthFirst', WITH_POINT],
		])('%s reads numbers, and stores them as Activepieces does', async (format, texts) => {
			const items = texts.map(([Amount]) => ({ Customer: format, Amount }));
			await records(create(written(format)), items);
			expect(stored('Amount').slice(-texts.length)).toEqual(texts.map(([, number]) => number));
		});

		test.each<[string, Pairs]>([
			[
				'commaDayFirst',
				[
					['02.03.2026', '2026-03-02'],
					['2.3.2026', '2026-03-02'],
					['31/12/2026', '2026-12-31'],
					['29-02-2028', '2028-02-29'],
					['02.03.2026 14:30', '2026-03-02T13:30:00.000Z'],
					['02.03.2026, 14:30:05', '2026-03-02T13:30:05.000Z'],
					['31.10.2026, 14:30 Uhr', '2026-10-31T13:30:00.000Z'],
					['01.06.26', '2026-06-01'],
					['31.12.00', '2000-12-31'],
					['24.12.29', '2029-12-24'],
					['1.6.26 9:05', '2026-06-01T07:05:00.000Z'],
					['2026/10/31', '2026-10-31'],
				],
			],
			[
				'pointDayFirst',
				[
					['02/03/2026', '2026-03-02'],
					['2.3.2026 9:05', '2026-03-02T08:05:00.000Z'],
					['02/03/2026, 9:05:00 am', '2026-03-02T08:05:00.000Z'],
				],
			],
			[
				'pointMonthFirst',
				[
					['02/03/2026', '2026-02-03'],
					['12-31-2026', '2026-12-31'],
					['2/3/26', '2026-02-03'],
					['2026/10/31 2:30 PM', '2026-10-31T13:30:00.000Z'],
					['2/3/2026 2:30 PM', '2026-02-03T13:30:00.000Z'],
					['2/3/2026, 12:05:09\u202fAM', '2026-02-02T23:05:09.000Z'],
					['2/3/2026 12:00 p.m.', '2026-02-03T11:00:00.000Z'],
				],
			],
		])('%s reads dates, in the time zone of the workflow', async (format, texts) => {
			const items = texts.map(([Due]) => ({ Customer: format, Due }));
			await records(create(written(format)), items);
			expect(stored('Due').slice(-texts.length)).toEqual(texts.map(([, time]) => time));
		});

		test.each(['iso', 'commaDayFirst', 'pointDayFirst', 'pointMonthFirst'])(
			'%s takes what is a number or a date already, and leaves text alone',
			async (format) => {
				const due = '2026-03-02T13:30:00.000Z';
				const items = [
					{ Customer: '1.234,50', Amount: 1.234, Due: '2026-12-31' },
					{ Customer: '02.03.2026', Amount: -0.5, Due: '2026-03-02T14:30' },
				];
				await records(create(written(format)), items);
				expect(stored('Customer').slice(-2)).toEqual(['1.234,50', '02.03.2026']);
				expect(stored('Amount').slice(-2)).toEqual(['1.234', '-0.5']);
				expect(stored('Due').slice(-2)).toEqual(['2026-12-31', due]);
				const values = { Due: '={{ DateTime.fromISO($json.due) }}', Amount: '={{ 2 * 3 }}' };
				await record(create(written(format), mapByHand(values)), [{ due }]);
				expect([...stored('Due').slice(-1), ...stored('Amount').slice(-1)]).toEqual([due, '6']);
			},
		);

		const READS = 'If it is written in another format, set the option Numbers and Dates. ';
		const CORRECT = 'Correct it in the input item.';
		const DATE = 'Correct it in the input item, for example to 2026-11-20T08:00:00Z.';
		const LIKE: Record<string, [number: string, date: string]> = {
			iso: ['', ''],
			commaDayFirst: [' like 37,50', ' like 31.12.2026'],
			pointDayFirst: [' like 37.50', ' like 31/12/2026'],
			pointMonthFirst: [' like 37.50', ' like 12/31/2026'],
		};
		test.each<[string, advice: string, texts: string[]]>([
			['iso', READS, ['37,50', '1.234,50', '1,234.50', "1'234", '37,50 €', '$5', '5-']],
			['iso', '', ['abc', '1.23.4', '12,34.5', '5 %']],
			['commaDayFirst', READS, ['37.50', '0.125', '1,234.50', '1.23', '1234.567']],
			[
				'commaDayFirst',
				'',
				[
					"1'234,5",
					'1.234 567',
					'1.234.56',
					'1,2,3',
					'(5)',
					',',
					'−-5',
					'-5-',
					'5 KWH',
					'€ 5 €',
					'12 %',
				],
			],
			['pointDayFirst', READS, ['37,50', '1.234,50', '0,125']],
			['pointMonthFirst', '', ['1,23,456', '1,234 567', "'123", '.', '$5%', '12.5%']],
		])('%s refuses numbers, and says "%s": %j', async (format, advice, texts) => {
			for (const Amount of texts) {
				expect(await told(create(written(format)), { Amount })).toEqual({
					message: `The column "Amount" must be a number${LIKE[format][0]}, not "${Amount}"`,
					advice: advice + CORRECT,
				});
			}
			expect(changesSent(context)).toEqual([]);
		});

		test.each<[string, advice: string, texts: string[]]>([
			['iso', READS, ['02.02.2026', '12/31/2026', '31/12/2026 8:00', '2.2.26', '2026/10/31']],
			['iso', '', ['31.02.2026', 'soon', '2026.12.31', '31.12/2026']],
			['commaDayFirst', READS, ['12/31/2026', '1/13/2026 8:00 AM']],
			['commaDayFirst', '', ['29.02.2026', '00.01.2026', '1.1.2026 24:30', '1.1.2026 13:00 PM']],
			['pointDayFirst', READS, ['12/31/2026']],
			['pointMonthFirst', READS, ['31/12/2026', '02.02.2026']],
			['pointMonthFirst', '', ['12.31.2026', '2/30/2026', '1/1/2026 0:30 AM']],
		])('%s refuses dates, and says "%s": %j', async (format, advice, texts) => {
			for (const Due of texts) {
				expect(await told(create(written(format)), { Due })).toEqual({
					message: `The column "Due" must be a date${LIKE[format][1]}, not "${Due}"`,
					advice: advice + DATE,
				});
			}
			expect(changesSent(context)).toEqual([]);
		});

		const YEAR = 'Write the year with four digits: 30 to 99 may be 19yy or 20yy. ';
		test.each<[string, advice: string, texts: string[]]>([
			['iso', READS + YEAR, ['24.12.85', '12/31/99']],
			['commaDayFirst', YEAR, ['24.12.85', ' 1/1/30', '10-12-31', '24.12.85 14:30 Uhr']],
			['commaDayFirst', READS + YEAR, ['12/24/85']],
			['pointDayFirst', YEAR, ['24/12/99']],
			['pointMonthFirst', YEAR, ['12/24/85', '2/29/96 2:30 PM']],
			['pointMonthFirst', READS + YEAR, ['24.12.85']],
			['commaDayFirst', '', ['45.12.85', '1.1.1']],
		])('%s refuses unclear years, and says "%s": %j', async (format, advice, texts) => {
			for (const Due of texts) {
				expect(await told(create(written(format)), { Due })).toEqual({
					message: `The column "Due" must be a date${LIKE[format][1]}, not "${Due}"`,
					advice: advice + DATE,
				});
			}
			expect(changesSent(context)).toEqual([]);
		});

		test('a day of Excel, which n8n reads as a number, is a date with a format chosen', async () => {
			const days = [46055, 46055.604_166_67, 45_000.000_001];
			for (const format of ['commaDayFirst', 'pointDayFirst', 'pointMonthFirst']) {
				await records(
					create(written(format)),
					days.map((Due) => ({ Due })),
				);
				expect(stored('Due').slice(-3)).toEqual([
					'2026-02-02',
					'2026-02-02T13:30:00.000Z',
					'2023-03-15',
				]);
				const milliseconds = Date.parse('2026-02-02');
				const { message, advice } = await told(create(written(format)), { Due: milliseconds });
				expect(message).toContain('must be a date');
				expect(advice).toBe(DATE);
			}
			expect(await told(create(), { Due: 46055 })).toEqual({
				message: 'The column "Due" must be a date, not 46055',
				advice:
					'n8n reads a date of an Excel file as a number of days. To store it as a date, set the option Numbers and Dates to the format of the file, such as 37,50 and 31.12.2026.',
			});
		});

		test('a number that is a year, or no day as Excel counts, is no date', async () => {
			for (const format of ['iso', 'commaDayFirst', 'pointDayFirst', 'pointMonthFirst']) {
				for (const Due of [1900, 2026, 2100, 60, 59, 1, 0.5, 60.999, 0, -1, 2_958_466]) {
					expect(await told(create(written(format)), { Due })).toEqual({
						message: `The column "Due" must be a date${LIKE[format][1]}, not ${Due}`,
						advice: DATE,
					});
				}
			}
			expect(changesSent(context)).toEqual([]);
			const days = [61, 1899, 2101, 2026.5, 2_958_465];
			await records(
				create(written('commaDayFirst')),
				days.map((Due) => ({ Due })),
			);
			expect(stored('Due').slice(-days.length)).toEqual([
				'1900-03-01',
				'1905-03-13',
				'1905-10-01',
				'1905-07-18T11:00:00.000Z',
				'9999-12-31',
			]);
		});

		test('columns that are mapped by hand are read too, with what the editor saves of their types', async () => {
			const { credential, engine } = context;
			const given = { credential, parameters: create() };
			const { fields: schema } = await engine.mapColumns('getTableColumns', given);
			const value = { Amount: '={{ $json.sum }}', Due: '={{ $json.day }}' };
			const parameters = create(written('commaDayFirst'), {
				columns: { ...(mapByHand(value).columns as object), schema: schema as never },
			});
			await records(parameters, [{ sum: '1.234,5', day: '02.03.2026' }]);
			expect([...stored('Amount').slice(-1), ...stored('Due').slice(-1)]).toEqual([
				'1234.5',
				'2026-03-02',
			]);
		});

		test('Update reads them too', async () => {
			const [{ id }] = rowsOf();
			const update = (valueFormat: string) =>
				ofFirst('update', AUTO, { recordId: id }, written(valueFormat));
			const item = { Amount: '1.000,5', Due: '3.4.2026' };
			expect(await record(update('commaDayFirst'), [item])).toMatchObject({
				...{ id, Amount: 1000.5, Due: '2026-04-03' },
			});
		});

		test('Create or Update finds a record by what they mean, and changes nothing the second time', async () => {
			const german = written('commaDayFirst');
			const by = ofFirst('upsert', mapAutomatically('Amount', 'Due'), german);
			const [{ id }] = await records(create(), [
				{ Customer: 'Before', Amount: '1234.50', Due: '2026-02-03' },
			]);
			const item = { Customer: 'After', Amount: '1.234,5', Due: '03.02.2026' };
			expect(await records(by, [item])).toMatchObject([{ id, Customer: 'After' }]);
			context.clearRequests();
			expect(await records(by, [item])).toMatchObject([{ id, Amount: 1234.5 }]);
			expect(await records(upsert(german), [item])).toMatchObject([{ id, Due: '2026-02-03' }]);
			expect(changesSent(context)).toEqual([]);
		});
	});

	test('a message about a value points to a field that is on the screen', async () => {
		const values: IDataObject = { Amount: 'x', State: 'x', Customer: 'a\0b' };
		for (const [name, value] of Object.entries(values)) {
			const automatic = await told(create(), { [name]: value });
			expect(automatic.advice).toBe('Correct it in the input item.');
			const typed = await told(create(mapByHand({ [name]: `={{ $json.value }}` })), { value });
			expect(typed).toEqual({
				message: automatic.message,
				advice: 'Correct it in the input item, or under Values to Send.',
			});
		}
	});

	test('a missing column to match on is told before the values', async () => {
		const item = { Amount: '37,50', Due: 'soon' };
		expect(await told(upsert(), item)).toEqual({
			message: 'The column "Customer" has no value to match on',
			advice:
				'Every input item needs a value for each of the Columns to Match On. Remove the others before this node, for example with a Filter node.',
		});
		expect(await told(upsert(mapAutomatically('Gone')), { ...item, other: 1 })).toMatchObject({
			message: 'The table has no column "Gone"',
		});
		expect(await told(upsert(mapAutomatically()), { ...item, other: 1 })).toEqual({
			message: 'Columns to Match On is empty',
			advice: 'Choose at least one column.',
		});
	});

	describe('a blank line', () => {
		const REMOVE =
			'If the input item is a blank line of a sheet, remove it before this node, for example with a Filter node.';
		const NONE = {
			message: 'The input item has no value for any column of the table',
			advice: `Map Automatically needs fields with the names of the columns. ${REMOVE}`,
		};
		const EMPTY = { message: 'The input item has only empty values', advice: REMOVE };
		const blank = { Customer: '', Amount: ' ', Due: null, State: '\u200b' };

		test.each(['create', 'upsert'])(
			'is told with what to do, and %s makes no record',
			async (operation) => {
				const before = rowsOf().length;
				const mapped = (...more: INodeParameters[]) =>
					ofFirst(operation, mapAutomatically('Customer'), ...more);
				// n8n leaves out empty cells, unless Include Empty Cells is set.
				expect(await told(mapped(), {})).toEqual(NONE);
				expect(await told(mapped(), blank)).toEqual(EMPTY);
				const value = { Customer: '={{ $json.Customer }}', Amount: '={{ $json.Amount }}' };
				const typed = mapByHand(value, 'Customer');
				expect(await told(mapped(typed), blank)).toEqual(EMPTY);
				expect(await told(mapped(typed), {})).toEqual({
					message: 'Values to Send is empty',
					advice: `Enter the value of at least one column. ${REMOVE}`,
				});
				expect(rowsOf()).toHaveLength(before);
			},
		);

		test('fails alone at the end of a sheet', async () => {
			const items = [{ Customer: 'First' }, { Customer: 'Last' }, blank];
			const { items: given } = await run(create(), { items, onError: 'continueRegularOutput' });
			expect(given.map(({ json }) => json.error ?? json.Customer)).toEqual([
				...['First', 'Last', EMPTY.message],
			]);
		});

		test.each(['create', 'upsert', 'update'])(
			'is skipped by %s, if that is chosen',
			async (operation) => {
				const [{ id }] = rowsOf();
				const skip = { recordId: id, options: { emptyItems: 'skip' } };
				const before = JSON.stringify(context.data.tableRows);
				for (const mapped of [
					mapAutomatically('Customer'),
					mapByHand({ Customer: '={{ $json.Customer }}' }, 'Customer'),
				]) {
					expect(await records(ofFirst(operation, mapped, skip), [blank, {}])).toEqual([]);
				}
				expect(JSON.stringify(context.data.tableRows)).toBe(before);
				// What has a value for no column is no blank line.
				const other = { options: { emptyItems: 'skip', extraFields: 'ignore' } };
				const parameters = ofFirst(
					operation,
					mapAutomatically('Customer'),
					{ recordId: id },
					other,
				);
				expect(await told(parameters, { Other: 'x' })).toEqual(NONE);
				const items = [{ Customer: 'Full' }, blank];
				const { items: given } = await run(ofFirst(operation, mapAutomatically('Customer'), skip), {
					items,
				});
				expect(given.map(({ json }) => json.Customer)).toEqual(['Full']);
			},
		);

		test('is what Update can make of a record', async () => {
			const [{ id }] = rowsOf().slice(-1);
			const update = ofFirst('update', AUTO, { recordId: id });
			expect(await record(update, [{ Customer: '', State: null }])).toMatchObject({ Customer: '' });
		});
	});

	describe('Add as Text Columns', () => {
		const ADD = { options: { extraFields: 'addText' } };
		const ofTable = () => context.data.fields.filter(({ tableId }) => tableId === firstTable().id);
		let before: typeof context.data.fields;
		beforeEach(() => {
			before = context.data.fields;
		});
		afterEach(() => {
			context.data.fields = before;
		});

		test.each(['create', 'upsert', 'update'])(
			'%s adds each once, after the others',
			async (operation) => {
				const [{ id }] = rowsOf();
				const mapped = ofFirst(operation, mapAutomatically('Customer'), { recordId: id }, ADD);
				const count = ofTable().length;
				const items = [
					{ Customer: `${operation} adds`, Street: 'A 1', id: 'own' },
					{ Customer: `${operation} adds 2`, ' Street ': 'A 2', Note: 5, '': undefined },
				];
				const given = await records(mapped, items as IDataObject[]);
				expect(given).toMatchObject([
					{ Customer: `${operation} adds`, Street: 'A 1' },
					{ Customer: `${operation} adds 2`, Street: 'A 2', Note: '5' },
				]);
				expect(ofTable().slice(count)).toMatchObject([
					{ name: 'Street', type: 'TEXT' },
					{ name: 'Note', type: 'TEXT' },
				]);
				context.clearRequests();
				await records(mapped, items as IDataObject[]);
				expect(context.posts().filter(({ path }) => path === '/v1/fields')).toEqual([]);
			},
		);

		// n8n names the columns of a sheet without a header so.
		test.each(['create', 'upsert', 'update'])(
			'%s adds none for blank values, but for the items that have one',
			async (operation) => {
				const [{ id }] = rowsOf();
				const mapped = ofFirst(operation, mapAutomatically('Customer'), { recordId: id }, ADD);
				const count = ofTable().length;
				const sheet = ['', 'A 1', null, ' '].map((Street, i) => ({
					...{ Customer: `${operation} blank ${i}`, Street },
					...{ __EMPTY: '', ' ': null, Note: [] },
				}));
				const given = await records(mapped, sheet);
				expect(given.map(({ Customer }) => Customer)).toEqual(
					sheet.map(({ Customer }) => Customer),
				);
				expect(given[1]).toMatchObject({ Street: 'A 1' });
				expect(ofTable().slice(count)).toMatchObject([{ name: 'Street', type: 'TEXT' }]);
			},
		);

		test('adds none for an item that is refused', async () => {
			const count = ofTable().length;
			for (const item of [
				{ Street: 'A', Amount: 'x' },
				{ Street: '', Customer: '' },
				{ ' ': 'x', Customer: 'A' },
			]) {
				await failure(create(ADD), [item as IDataObject]);
			}
			expect(ofTable()).toHaveLength(count);
			expect(changesSent(context)).toEqual([]);
		});

		test('says what is missing if one cannot be added, and then adds it with Retry On Fail', async () => {
			const fields = { method: 'POST', path: '/v1/fields' } as const;
			context.fault({
				...fields,
				after: 1,
				times: 1,
				kind: { status: 403, code: 'AUTHORIZATION' },
			});
			const item = { Customer: 'Again', One: '1', Two: '2' };
			expect(await told(create(ADD), item)).toMatchObject({
				message: 'The table lacks the column "Two"',
				advice: expect.stringContaining('adds the columns that are then missing.'),
			});
			context.clearFaults();
			context.fault({
				method: 'POST',
				path: '/v1/records',
				times: 1,
				kind: { status: 403, code: 'AUTHORIZATION' },
			});
			const { items, error } = await run(create(ADD), { items: [item], settings: RETRY_ON_FAIL });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.Two)).toEqual(['2']);
		});
	});

	describe('a boolean, as n8n reads it from an Excel file, is an option', () => {
		const setOptions = (...texts: string[]) => {
			const options = texts.map((value) => ({ value }));
			jest.replaceProperty(columnOf('State'), 'data', { options });
		};

		test.each([[['TRUE', 'FALSE']], [[' True', 'False ']], [['TRUE', 'FALSE', 'true', 'false']]])(
			'of %j',
			async (options) => {
				setOptions(...options);
				const [yes, no] = options.slice(-2);
				const items = [true, false].map((State) => ({ Customer: options.join(), State }));
				await records(create(), items);
				expect(stored('State').slice(-2)).toEqual([yes, no]);
				await records(create(mapByHand({ State: '={{ !$json.State }}' })), items);
				expect(stored('State').slice(-2)).toEqual([no, yes]);
			},
		);

		test('also to match on', async () => {
			setOptions('TRUE', 'FALSE');
			const by = ofFirst('upsert', mapAutomatically('Customer', 'State'));
			const csv = ['TRUE', 'FALSE'].map((State) => ({ Customer: 'Matched', State }));
			const made = await records(by, csv);
			context.clearRequests();
			const xlsx = [true, false].map((State) => ({ Customer: 'Matched', State }));
			const same = made.map((record) => ({ ...record, change: 'unchanged' }));
			expect(await records(by, xlsx)).toEqual(same);
			expect(changesSent(context)).toEqual([]);
		});

		test.each([
			[true, ', of which several differ only in letter case, not true'],
			[false, ', not false'],
			['true', ', not "true"'],
		])('but %j is none of those that differ only in letter case', async (State, end) => {
			setOptions('TRUE', 'True', 'yes');
			const message = `The column "State" must be one of "TRUE", "True", "yes"${end}`;
			expect(await told(create(), { State })).toMatchObject({ message });
		});
	});

	const NOT_TEXT: IDataObject[] = [
		{ Amount: ' ', Due: '\u200b', State: '\u00a0 ' },
		{ Amount: '', Due: null, State: '' },
	];
	test('blanks in a column that is not of text are no value', async () => {
		const items = NOT_TEXT.map((item) => ({ Customer: ' ', ...item, Note: 'x' }));
		const ignore = { options: { extraFields: 'ignore' } };
		await failure(create(ignore), items);
		const filled = items.map((item, i) => ({ ...item, Customer: ` Blanks ${i} ` }));
		await records(create(ignore), filled);
		expect(stored('Customer').slice(-2)).toEqual([' Blanks 0 ', ' Blanks 1 ']);
		for (const name of ['Amount', 'Due', 'State']) {
			expect(stored(name).slice(-2)).toEqual(['', '']);
		}
		// An option of a dropdown may be a blank.
		const data = { options: [{ value: ' ' }] };
		jest.replaceProperty(columnOf('State'), 'data', data);
		await records(create(), [{ Customer: 'Blank option', State: ' ' }]);
		expect(stored('State').slice(-1)).toEqual([' ']);
	});

	describe('in Update and Create or Update alike', () => {
		const FULL = { Amount: 5, Due: '2026-12-31', State: 'open' };
		const change = async (operation: string, mapped: INodeParameters, item: IDataObject) => {
			const Customer = `Changed by ${operation}`;
			const [{ id }] = await records(upsert(), [{ Customer, ...FULL }]);
			const given = { Customer, recordId: id, ...item };
			const parameters = ofFirst(operation, { recordId: '={{ $json.recordId }}' }, mapped, {
				options: { extraFields: 'ignore' },
			});
			const [{ Amount, Due, State }] = await records(parameters, [given]);
			return { Amount, Due, State };
		};

		test.each(['update', 'upsert'])(
			'an empty text or null empties a cell, and a missing value leaves it: %s',
			async (operation) => {
				const item = { Amount: null, Due: '' };
				const emptied = { ...FULL, Amount: '', Due: '' };
				expect(await change(operation, mapAutomatically('Customer'), item)).toEqual(emptied);
				const blanks = { Amount: ' ', Due: '\u200b' };
				expect(await change(operation, mapAutomatically('Customer'), blanks)).toEqual(emptied);
				const Customer = '={{ $json.Customer }}';
				const typed = { Amount: '={{ $json.Amount }}', Due: '={{ $json.Due }}' };
				const values = { Customer, ...typed, State: '={{ $json.none }}' };
				expect(await change(operation, mapByHand(values, 'Customer'), item)).toEqual(emptied);
				// The editor saves null for a column that nobody filled in.
				const unfilled = mapByHand({ Customer, Amount: null, State: '={{ null }}' }, 'Customer');
				expect(await change(operation, unfilled, item)).toEqual({ ...FULL, State: '' });
			},
		);
	});

	test('two executions at once make two records of one key, which Update All keeps alike', async () => {
		const Customer = 'At once';
		// Both read the table before one of them writes.
		const answers = () => ({ data: [], next: null });
		context.fault({ method: 'GET', path: '/v1/records', times: 2, kind: { answers } });
		for (const Amount of [1, 2]) await records(upsert(), [{ Customer, Amount }]);
		context.clearFaults();
		expect(stored('Customer').slice(-2)).toEqual([Customer, Customer]);
		const { message } = await told(upsert(), { Customer, Amount: 3 });
		expect(message).toBe('The table has 2 records with Customer "At once"');
		await records(upsert({ options: { severalMatches: 'updateAll' } }), [{ Customer, Amount: 3 }]);
		expect(stored('Amount').slice(-2)).toEqual(['3', '3']);
	});
});
