import type { IDataObject } from 'n8n-workflow';

import { type Values } from '../../descriptions/field';
import { optionsField, textField } from '../../descriptions/fields';
import { field, ifExists, nameFilter, recordName } from '../../descriptions/kinds';
import { splitList, toOption } from '../../descriptions/parameters';
import { toRecordName } from '../../descriptions/recordName';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import { deleteRecord, makeChange, requestRecord } from '../../transport/client/record';
import type { Endpoint } from '../../transport/client/request';
import { ActivepiecesError, validationError } from '../../transport/errors/error';
import type { ResponseRule } from '../../transport/errors/rule';
import { fetchUnpagedList, findInList } from '../../transport/lists/pages';
import { inProject } from '../../transport/lists/projects';
import { append, shortName, someOf, unended } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { deleteOperation } from '../deleteOperation';
import { listOperation } from '../listOperation';
import type { Resource } from '../operation';
import { newProject, projectToList, subjectInProject } from '../project/project';
import { itemsOperation, operation } from '../recordOperation';
import { outcomeError, refusal } from '../refusals';
import { LIST_FIELDS } from './columns';
import { LIST_TABLES, namedTable, simplifyTable, tableLocator, TABLES_WITHOUT_KEYS } from './table';

const getAll = listOperation({
	description: 'Get the tables of a project, or of all projects',
	hint: 'Returns one item per table. To get the rows of a table, use Table Record > Get Many.',
	toolDescription:
		'Returns the tables of an Activepieces project, or of all projects if none is given',
	request: LIST_TABLES,
	project: projectToList('tables'),
	filters: { name: nameFilter('name', 'tables', 'e.g. Orders') },
	simplify: simplifyTable,
});

/** Since 0.87; earlier releases refuse the type as an unknown one (read in the service's source). */
const DATE_TIME = 'DATETIME';
/** A server that does not know its own release says 0.0.0 (read in the service's source). */
const BEFORE_DATE_TIME = /^0\.(?:[1-9]|[1-7]\d|8[0-6])(?!\d)/;
const WITHOUT_DATE_TIME =
	'Columns of type Date and Time require Activepieces 0.87 or later. In an earlier release, use Date.';

/** For a server that does not say which release it is */
const TYPE_REFUSED: ResponseRule = {
	status: 'badRequest',
	// The text of its validation
	says: /^body\b/,
	when: ({ request: { body } }) => recordOf(body).type === DATE_TIME,
	message: 'Activepieces did not accept the column',
	description: ({ quoted }) => quoted + WITHOUT_DATE_TIME,
};

const CREATE_TABLE: Endpoint = {
	method: 'POST',
	path: '/v1/tables',
	rules: [TABLES_WITHOUT_KEYS],
};

const CREATE_FIELD: Endpoint = {
	method: 'POST',
	path: '/v1/fields',
	rules: [TABLES_WITHOUT_KEYS, TYPE_REFUSED],
};

const typeField = optionsField('Type', 'type', {
	options: [
		['Date', 'DATE', 'A day or a time'],
		['Date and Time', DATE_TIME, 'A time on a day. Requires Activepieces 0.87 or later.'],
		['Dropdown', 'STATIC_DROPDOWN', 'One of the options'],
		['Number', 'NUMBER', 'A number'],
		['Text', 'TEXT', 'Any text'],
	],
	default: 'TEXT',
	description: 'What the column holds',
});

type NewColumn = IDataObject & { name: string };

function toColumn(given: unknown): NewColumn {
	const column = recordOf(given);
	// Left out it means the default, unlike an expression without a value.
	const { type: givenType } = { type: typeField.default, ...column };
	const name = toRecordName('The name of a column', column.name, 'column');
	const type = toOption(typeField, givenType);
	if (type !== 'STATIC_DROPDOWN') return { name, type };
	const values = splitList('Options', column.options);
	if (values.length > 0)
		return { name, type, data: { options: values.map((value) => ({ value })) } };
	throw validationError(
		`The column "${shortName(name)}" has no options`,
		'A dropdown needs at least one option.',
	);
}

function toColumns(_label: string, given: unknown): NewColumn[] {
	const { column = [] } = recordOf(given);
	const columns = (Array.isArray(column) ? column : [column]).map(toColumn);
	const names = columns.map(({ name }) => name);
	const twice = names.find((name, i) => names.indexOf(name) < i);
	if (twice === undefined) return columns;
	throw validationError(
		`Columns has "${shortName(twice)}" twice`,
		'Give each column another name.',
	);
}

const fields = {
	project: newProject('The project to create the table in'),
	name: recordName(
		'Name',
		'table',
		{ placeholder: 'e.g. Orders', description: 'The name of the table' },
		'tableName',
	),
	columns: field(
		{
			displayName: 'Columns',
			name: 'columns',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add column',
			default: {},
			description: 'The columns of the table, in their order',
			options: [
				{
					displayName: 'Column',
					name: 'column',
					values: [
						textField('Name', 'name', {
							placeholder: 'e.g. Customer',
							description: 'The name of the column',
						}),
						typeField,
						textField('Options', 'options', {
							placeholder: 'e.g. open, paid',
							displayOptions: { show: { type: ['STATIC_DROPDOWN'] } },
							description: 'The values to choose from, separated by commas',
						}),
					],
				},
			],
		},
		toColumns,
	),
	ifExists: ifExists(
		'If Table Exists',
		'Table',
		'What to do if the project already has a table with that name. The columns of an existing table are not changed.',
	),
};

/** The least that a release keeps in a table: 15 in 0.73, later 100 (recorded) */
const LEAST_COLUMNS = 15;

/** A check before the table exists, because its columns are added afterwards. */
async function assertColumnsFit(client: ApiClient, columns: NewColumn[]): Promise<void> {
	const { length } = columns;
	const hasTimes = columns.some(({ type }) => type === DATE_TIME);
	if (!hasTimes && length <= LEAST_COLUMNS) return;
	// Not as they were read before: the server may have been updated.
	const { CURRENT_VERSION, MAX_FIELDS_PER_TABLE } = await client.fetchFlags({ isFresh: true });
	if (typeof MAX_FIELDS_PER_TABLE === 'number' && length > MAX_FIELDS_PER_TABLE) {
		throw refusal(
			`A table of this Activepieces server has at most ${MAX_FIELDS_PER_TABLE} columns`,
			`${length} columns are given. Leave out some of them, or put them in another table.`,
		);
	}
	const release = textOf(CURRENT_VERSION);
	if (!hasTimes || !BEFORE_DATE_TIME.test(release)) return;
	throw refusal(
		`Activepieces ${shortName(release)} has no columns of type Date and Time`,
		WITHOUT_DATE_TIME,
	);
}

/** Up to 0.73 the service creates every table in the project of the session, whatever was asked (recorded). */
function assertOwnProject(
	{ tokenProjectId: own }: ApiClient,
	{ id, field: label }: Values<typeof fields>['project'],
): void {
	if (own === undefined || own === id) return;
	throw refusal(
		'In this Activepieces release, a user can use the tables of one project only',
		`Activepieces would create the table in Project "${shortName(own)}". Leave ${label} empty to create it there.`,
	);
}

/**
 * Gives a new table its columns, one after the other: those that come with the table are made side by side, in any order,
 * and 0.73 ignores them (recorded).
 *
 * @throws {ActivepiecesError} when the table lacks one of them
 */
async function withColumns(
	client: ApiClient,
	table: IDataObject,
	columns: NewColumn[],
	isNew: boolean,
): Promise<IDataObject> {
	if (columns.length === 0) return table;
	const tableId = textOf(table.id);
	const container = { noun: 'table', id: tableId, name: textOf(table.name) };
	const subject = { noun: 'column', container };
	const list = { endpoint: LIST_FIELDS, query: { tableId }, subject };
	const fetchNames = async () =>
		(await fetchUnpagedList(client, list)).data.map(({ name }) => name);
	// An earlier request may have added some, unless the service has just confirmed the table.
	const known = isNew ? [] : await fetchNames();
	const missing = columns.filter(({ name }) => !known.includes(name));
	for (const [i, column] of missing.entries()) {
		const body = { tableId, ...column };
		await makeChange<unknown>(client, {
			send: async () => await requestRecord(client, { endpoint: CREATE_FIELD, body, subject }),
			// The service would add a column with the same name again (recorded).
			find: async () => (await fetchNames()).includes(column.name) || undefined,
		}).catch((error: unknown) => {
			if (!(error instanceof ActivepiecesError)) throw error;
			const names = missing.slice(i).map(({ name }) => `"${shortName(name)}"`);
			const columnNames = `column${names.length > 1 ? 's' : ''} ${someOf(names)}`;
			const lacks = error.outcome === 'nothing' ? 'lacks' : 'may lack';
			throw outcomeError(
				`The table "${shortName(textOf(table.name))}" was created, but ${lacks} the ${columnNames}`,
				append(
					`Adding "${shortName(column.name)}" failed: ${unended(error.message)}. ${error.description}`,
					' Complete the table in Activepieces, or delete it there before you run the node again.',
				),
			);
		});
	}
	return table;
}

/** The service allows tables with the same name, so the node looks for one first. */
async function createTable(
	{ project, name, columns, ifExists }: Values<typeof fields>,
	{ client }: OperationContext,
): Promise<IDataObject> {
	const { id: projectId } = project;
	const tables = inProject(LIST_TABLES, project);
	let isNew = false;
	let isUsed = false;
	const what = `the table "${shortName(name)}" was created`;
	const table = await makeChange(client, {
		once: { wanted: [projectId, name], what, check: 'the tables' },
		async find() {
			const found = await findInList(client, tables, (each) => each.name === name);
			// After the first request, which may have signed in
			assertOwnProject(client, project);
			return found;
		},
		onExisting(existing) {
			isUsed = ifExists === 'use';
			if (isUsed) return existing;
			throw refusal(
				`The project already has a table "${shortName(name)}"`,
				`Change Name, or set If Table Exists to Use Existing Table.`,
			);
		},
		async send() {
			await assertColumnsFit(client, columns);
			const made = await requestRecord(client, {
				endpoint: CREATE_TABLE,
				body: { projectId, name },
				subject: subjectInProject('table', project),
			});
			isNew = true;
			return made;
		},
	});
	return isUsed ? table : await withColumns(client, table, columns, isNew);
}

const create = operation({
	name: 'Create',
	value: 'create',
	description: 'Create a table with its columns in a project',
	toolDescription:
		'Creates a table with columns in an Activepieces project and returns the table. Fails if the project has a table with that name, unless If Table Exists is set to use it',
	endpoint: CREATE_TABLE,
	fields,
	simplify: simplifyTable,
	record: createTable,
});

const CLEAR_TABLE: Endpoint = {
	method: 'POST',
	path: '/v1/tables/{id}/clear',
	rules: [TABLES_WITHOUT_KEYS],
};

const clear = itemsOperation({
	name: 'Clear',
	value: 'clear',
	description:
		'Permanently delete all records (rows) of a table. The table and its columns remain.',
	hint: 'Deletes all records of one table per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes all records (rows) of the Activepieces table with the given ID and returns {"cleared": true}. The table and its columns remain',
	isIrreversible: true,
	endpoint: CLEAR_TABLE,
	fields: { table: namedTable },
	async items({ table: target }, { client }) {
		// A response without a body, like that of a delete (recorded)
		await deleteRecord(client, { endpoint: CLEAR_TABLE, ...target, body: {} });
		return [{ cleared: true }];
	},
});

const remove = deleteOperation({
	description: 'Permanently delete a table with all its records (rows)',
	hint: 'Deletes one table per input item, with all its records. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces table with the given ID, with all its records (rows), and returns {"deleted": true}',
	endpoint: { method: 'DELETE', path: '/v1/tables/{id}', rules: [TABLES_WITHOUT_KEYS] },
	fields: { table: namedTable },
});

export const table: Resource = {
	name: 'Table',
	value: 'table',
	locators: [tableLocator],
	operations: [getAll, create, clear, remove],
};
