import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from './harness/byId';
import { parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, requestPaths, useService } from './harness/service';

const ORDERS = {
	...{ name: 'Deployed orders', externalId: 'deployed-orders', projectId: 'of another server' },
	fields: [
		{ name: 'Number', type: 'NUMBER', externalId: 'number' },
		{ name: 'State', type: 'STATIC_DROPDOWN', externalId: 'state', options: ['open', 'paid'] },
		{ name: 'Note', type: 'TEXT', externalId: 'note' },
	] as IDataObject[],
};
const NOTE = { name: 'Added', type: 'DATE', externalId: 'added' };
const WIDER = { ...ORDERS, fields: [...ORDERS.fields, NOTE] };
const BY_NAME = { matchBy: 'name' };
const AGAIN = { items: [{}], settings: RETRY_ON_FAIL };

describe.each(['0.79', '0.92'] as const)('tables as files on release %s', (release) => {
	const context = useService({ release });
	const { failsWith, record, refuses, run } = context;

	const exported = (id: unknown, more: INodeParameters = {}) =>
		parametersOf('table.export', { tableId: byId(id), ...more });
	const imported = (file: unknown, more: INodeParameters = {}, project = 0) =>
		parametersOf('table.import', {
			projectId: byId(context.data.projects[project].id),
			content: typeof file === 'string' ? file : JSON.stringify(file),
			...more,
		});
	const tablesWith = (externalId: string) =>
		context.data.tables.filter((each) => each.externalId === externalId);
	const fieldsOf = (tableId: unknown) =>
		context.data.fields.filter((field) => field.tableId === tableId);
	const columnsOf = (externalId = ORDERS.externalId) =>
		fieldsOf(tablesWith(externalId)[0].id).map((field) => field.externalId);
	/** A table with a new external ID for each test */
	const fileOf = (externalId: string, file = ORDERS) => ({ ...file, externalId, name: externalId });

	test('Export gives the columns with their external IDs, and a file on request', async () => {
		const [table] = context.data.tables;
		const { items } = await run(exported(table.id, { options: { includeFile: true } }));
		const [{ json, binary }] = items;
		const { name, externalId, projectId } = table;
		const fields = fieldsOf(table.id).map((field) => ({
			...{ name: field.name, type: field.type, externalId: field.externalId },
			...(field.data && { options: ['open', 'paid', 'on hold'] }),
		}));
		expect(fields).toHaveLength(4);
		expect(json).toEqual({ name, externalId, projectId, fields });
		const shown = { fileName: `${name}.json`, mimeType: 'application/json' };
		expect(binary?.data).toMatchObject(shown);
		const text = Buffer.from(String(binary?.data.data), 'base64').toString('utf8');
		expect(JSON.parse(text)).toEqual(json);
		expect(requestPaths(context)).toEqual([`GET /v1/tables/${table.id}`, 'GET /v1/fields']);
		expect((await run(exported(table.id))).items[0].binary).toBeUndefined();
	});

	test('a table is created in another project as it was exported, and then nothing is sent', async () => {
		const { id } = await record(imported(ORDERS));
		const file = await record(exported(id));
		const elsewhere = imported('={{ $json }}', {}, 1);
		const copy = await record(elsewhere, [file]);
		expect(Object.keys(copy).slice(0, 2)).toEqual(['name', 'change']);
		const projectId = context.data.projects[1].id;
		expect(copy).toMatchObject({ name: ORDERS.name, change: 'created', projectId });
		expect(await record(exported(copy.id))).toEqual({ ...file, projectId });
		expect({ ...file, projectId: ORDERS.projectId }).toEqual(ORDERS);
		context.clearRequests();
		expect(await record(elsewhere, [file])).toMatchObject({ id: copy.id, change: 'unchanged' });
		expect(changesSent(context)).toEqual([]);
	});

	test('Import reads the file that Export made', async () => {
		const { id } = await record(imported(ORDERS));
		const options = { includeFile: true };
		const [{ binary, json }] = (await run(exported(id, { options }))).items;
		const fromFile = imported('', { inputSource: 'binary', binaryPropertyName: 'data' }, 1);
		const { items } = await run(fromFile, { items: [{}], binary });
		expect(items[0].json).toMatchObject({ name: json.name });
	});

	test('a column is added, and none is removed, renamed or added twice', async () => {
		const { id } = await record(imported(ORDERS));
		expect(await record(imported(WIDER))).toMatchObject({ id, change: 'updated' });
		expect(columnsOf()).toEqual(['number', 'state', 'note', 'added']);
		context.clearRequests();
		const renamed = ORDERS.fields.map((field, i) => (i === 2 ? { ...field, name: 'Memo' } : field));
		const fewer = { ...ORDERS, name: 'Renamed', fields: renamed.slice(1) };
		const unchanged = { id, name: ORDERS.name, change: 'unchanged' };
		expect(await record(imported(fewer))).toMatchObject(unchanged);
		// A column without the external ID is there by its name.
		const byHand = { ...ORDERS, fields: [{ name: 'Note', type: 'TEXT', externalId: 'other' }] };
		expect(await record(imported(byHand))).toMatchObject(unchanged);
		expect(changesSent(context)).toEqual([]);
	});

	test('what differs from the file and is not changed is hinted at', async () => {
		const file = fileOf('differs');
		await record(imported(file));
		const [number, state, note] = file.fields;
		const fields = [
			{ ...number, name: 'No.' },
			{ ...state, options: ['open', 'sent', 'late'] },
			{ ...note, externalId: 'memo' },
		];
		const { items, hints } = await run(imported({ ...file, fields }));
		expect(items[0].json).toMatchObject({ change: 'unchanged' });
		expect(hints).toEqual([
			'Columns of the table "differs" were not changed, and differ from Content: "Number" is not named "No."; "State" lacks the options "sent", "late"; "Note" has the external ID "note", not "memo"',
		]);
		expect((await run(imported(file))).hints).toEqual([]);
	});

	test('an option that the file has twice is there once', async () => {
		const { name, type, externalId } = ORDERS.fields[1];
		const state = { name, type, externalId, options: ['open', 'paid', 'open'] };
		const { id } = await record(imported({ ...fileOf('twice'), fields: [state] }));
		const options = [{ value: 'open' }, { value: 'paid' }];
		expect(fieldsOf(id)).toMatchObject([{ data: { options } }]);
	});

	test('the template of a table is accepted', async () => {
		const field = { name: 'D', type: 'STATIC_DROPDOWN', data: { options: [{ value: 'x' }] } };
		const fields = [{ ...field, externalId: 'fd' }];
		const table = { name: 'Rec', externalId: 'rec', fields, data: { type: 'CSV', rows: [] } };
		const template = { name: 'Rec', type: 'SHARED', metadata: { externalId: 'x' } };
		const { id } = await record(imported({ ...template, tables: [table] }));
		expect(tablesWith('rec')).toMatchObject([{ id, name: 'Rec' }]);
		expect(fieldsOf(id)).toMatchObject(fields);
	});

	test('a column of another type is refused before anything is sent', async () => {
		const file = fileOf('typed');
		await record(imported(file));
		context.clearRequests();
		const [first, ...others] = file.fields;
		const other = { ...file, fields: [NOTE, ...others, { ...first, type: 'TEXT', name: 'No.' }] };
		const message = 'The column "No." of the table "typed" has the type Number, not Text';
		const advice = 'Change Content, or delete the column in Activepieces. Nothing was changed.';
		await failsWith(imported(other), message, advice);
		expect(changesSent(context)).toEqual([]);
	});

	test('of two tables with the key, none is taken', async () => {
		const file = fileOf('double');
		await record(imported(file));
		const [table] = tablesWith('double');
		context.data.tables.push({ ...table, id: 'doubledoubledoubledou' });
		const two = /^The project has 2 tables with the (external ID|name) "double"$/;
		await failsWith(imported(file), two, 'Delete all but one. Nothing was changed.');
		await failsWith(imported(file, BY_NAME), two, 'or match by external ID. Nothing was changed.');
	});

	test('no table is created beside one that it would be mistaken for', async () => {
		const { id } = await record(imported(fileOf('beside')));
		const { length } = context.data.tables;
		const sameName = { ...fileOf('beside'), externalId: 'beside-2' };
		const named =
			/^The project has a table with the name "beside", but another external ID: "beside"/;
		await failsWith(imported(sameName), named, 'set Match By to Name');
		const sameId = { ...fileOf('beside'), name: 'Beside 2' };
		const known =
			/^The project has a table with the external ID "beside", but another name: "beside"/;
		await failsWith(imported(sameId, BY_NAME), known, 'set Match By to External ID');
		expect(context.data.tables).toHaveLength(length);
		expect(await record(imported(sameName, BY_NAME))).toMatchObject({ id, change: 'unchanged' });
	});

	test('without an external ID a table is found by its name only', async () => {
		const file = { name: 'by-name', fields: ORDERS.fields };
		const lacks = 'The table in Content has no external ID';
		await failsWith(imported(file), lacks, 'Set Match By to Name');
		expect(await record(imported(file, BY_NAME))).toMatchObject({ change: 'created' });
		expect(await record(imported(file, BY_NAME))).toMatchObject({ change: 'unchanged' });
	});

	test.each<[string, unknown, string, string]>([
		['nothing', '', 'Content is empty', 'Use an item from Table > Export'],
		['a flow', { trigger: {} }, 'Content is not an exported table: it has no fields', 'Use an'],
		['several', [ORDERS, WIDER], 'Content has 2 tables', 'Split Out'],
		['no name', { ...ORDERS, name: ' ' }, 'The table in Content has no name', 'Add a name'],
		[
			'a column without a name',
			{ ...ORDERS, fields: [{ type: 'TEXT' }] },
			'A column in Content has no name',
			'Add a name',
		],
		[
			'another type',
			{ ...ORDERS, fields: [{ name: 'A', type: 'X' }] },
			'The type of the column "A" in Content must be one of DATE, DATETIME, STATIC_DROPDOWN, NUMBER, TEXT, not "X"',
			'Change Content.',
		],
		[
			'a name twice',
			{ ...ORDERS, fields: [NOTE, { ...NOTE, externalId: 'x' }] },
			'Content has "Added" twice',
			'Give each column another name.',
		],
		[
			'an external ID twice',
			{ ...ORDERS, fields: [NOTE, { ...NOTE, name: 'x' }] },
			'Content has the external ID "added" twice',
			'Give each column another external ID.',
		],
	])('a file is refused that has %s', async (_what, file, message, advice) => {
		await refuses(imported(file), message, advice);
	});

	const LOST = { times: 1, done: true, kind: { status: 502 } } as const;
	const FIELDS = { method: 'POST', path: '/v1/fields' } as const;

	test.each([
		['table', { method: 'POST', path: '/v1/tables' } as const],
		['column', { ...FIELDS, after: 1 }],
	])('a %s whose response was lost is not made twice', async (what, request) => {
		const at = (run: string) => fileOf(`lost-${what}-${run}`);
		context.fault({ ...request, ...LOST });
		expect(await record(imported(at('once')))).toMatchObject({ change: 'created' });
		context.clearFaults();
		// What was done cannot be looked up either, so a later try finds it.
		context.fault({ ...request, ...LOST });
		const list = what === 'table' ? { path: '/v1/tables', after: 1 } : { path: '/v1/fields' };
		context.fault({ method: 'GET', ...list, times: 1, kind: { status: 403 } });
		const { items } = await run(imported(at('tries')), AGAIN);
		expect(items[0].json).toMatchObject({ change: 'created' });
		for (const { externalId } of [at('once'), at('tries')]) {
			expect(tablesWith(externalId)).toHaveLength(1);
			expect(columnsOf(externalId)).toEqual(['number', 'state', 'note']);
		}
	});

	test('a table in doubt is completed by the next run', async () => {
		const file = fileOf('over-runs');
		context.fault({ ...FIELDS, ...LOST });
		context.fault({ method: 'GET', path: '/v1/fields', times: 1, kind: { status: 403 } });
		const lacks = 'The table "over-runs" may lack the columns "Number", "State", "Note"';
		const advice = 'When you run the node again, it adds the columns that are then missing.';
		await failsWith(imported(file), lacks, advice);
		context.clearFaults();
		expect(await record(imported(file))).toMatchObject({ change: 'updated' });
		expect(tablesWith('over-runs')).toHaveLength(1);
		expect(columnsOf('over-runs')).toEqual(['number', 'state', 'note']);
	});

	test('a later try says what the first one did to an existing table', async () => {
		const file = fileOf('tries');
		await record(imported(file));
		const more = { ...file, fields: [...file.fields, NOTE, { name: 'Last', type: 'TEXT' }] };
		context.fault({ ...FIELDS, after: 1, times: 1, kind: { status: 403, code: 'AUTHORIZATION' } });
		const { items } = await run(imported(more), AGAIN);
		expect(items[0].json).toMatchObject({ change: 'updated' });
		expect(columnsOf('tries')).toHaveLength(5);
	});

	test('two items of one table make it once', async () => {
		const file = fileOf('items');
		const items = await context.records(imported(file), [{}, {}]);
		expect(items.map(({ change }) => change)).toEqual(['created', 'unchanged']);
		expect(tablesWith('items')).toHaveLength(1);
	});
});
