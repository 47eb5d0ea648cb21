import type { IDataObject } from 'n8n-workflow';

import type { Values } from '../../descriptions/field';
import { choice, ifExists, recordName, rows, texts } from '../../descriptions/kinds';
import type { ApiClient } from '../../transport/api/client';
import { type Endpoint, inProject, type ResponseRule } from '../../transport/client/request';
import {
	ActivepiecesError,
	outcomeError,
	refusal,
	validationError,
} from '../../transport/errors/error';
import { recordOf, seenText, shortName, someOf, textOf } from '../../transport/values';
import { operation, type OperationContext } from '../operation';
import { newProject, subjectInProject } from '../project/project';
import { LIST_FIELDS } from './columns';
import { LIST_TABLES, simplifyTable } from './table';

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

const CREATE_TABLE: Endpoint = { method: 'POST', path: '/v1/tables' };

const CREATE_FIELD: Endpoint = {
	method: 'POST',
	path: '/v1/fields',
	rules: [TYPE_REFUSED],
};

const TYPES: Array<[name: string, value: string, description: string]> = [
	['Date', 'DATE', 'A day or a time'],
	['Date and Time', DATE_TIME, 'A time on a day. Requires Activepieces 0.87 or later.'],
	['Dropdown', 'STATIC_DROPDOWN', 'One of the options'],
	['Number', 'NUMBER', 'A number'],
	['Text', 'TEXT', 'Any text'],
];

const typeNameOf = (type: unknown): string =>
	TYPES.find(([, value]) => value === type)?.[0] ?? shortName(textOf(type));

type NewColumn = IDataObject & { name: string };

interface GivenColumn {
	name: string;
	type: string;
	options: string[];
}

function toColumn({ name, type, options: values }: GivenColumn): NewColumn {
	if (type !== 'STATIC_DROPDOWN') return { name, type };
	if (values.length > 0)
		return { name, type, data: { options: values.map((value) => ({ value })) } };
	throw validationError(
		`The column "${shortName(name)}" has no options`,
		'A dropdown needs at least one option.',
	);
}

function toColumns(given: GivenColumn[]): NewColumn[] {
	const columns = given.map(toColumn);
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
	columns: rows(
		'Columns',
		'columns',
		{
			row: 'Column',
			placeholder: 'Add column',
			description: 'The columns of the table, in their order',
		},
		{
			name: recordName(
				'Name',
				'column',
				{ required: false, placeholder: 'e.g. Customer', description: 'The name of the column' },
				'name',
			),
			type: choice('Type', 'type', {
				options: TYPES,
				default: 'TEXT',
				description: 'What the column holds',
			}),
			options: texts('Options', 'options', {
				placeholder: 'e.g. open, paid',
				displayOptions: { show: { type: ['STATIC_DROPDOWN'] } },
				description: 'The values to choose from, separated by commas',
			}),
		},
		toColumns,
	),
	ifExists: ifExists(
		'If Table Exists',
		'Table',
		'What to do if the project already has a table with that name. Its own columns are not changed.',
		[
			'Use It and Add Missing Columns',
			'addColumns',
			'Adds the columns that the existing table lacks, after its own, which stay as they are',
		],
	),
};

/** The least that a release keeps in a table: 15 in 0.73, later 100 (recorded) */
const LEAST_COLUMNS = 15;

/** A check before anything is changed, because columns are added one after the other. */
async function assertColumnsFit(
	client: ApiClient,
	columns: NewColumn[],
	ofTable = 0,
): Promise<void> {
	const length = ofTable + columns.length;
	const hasTimes = columns.some(({ type }) => type === DATE_TIME);
	if (!hasTimes && length <= LEAST_COLUMNS) return;
	// Not as they were read before: the server may have been updated.
	const { CURRENT_VERSION, MAX_FIELDS_PER_TABLE } = await client.fetchFlags({ isFresh: true });
	if (typeof MAX_FIELDS_PER_TABLE === 'number' && length > MAX_FIELDS_PER_TABLE) {
		throw refusal(
			`A table of this Activepieces server has at most ${MAX_FIELDS_PER_TABLE} columns`,
			ofTable > 0
				? `The table has ${ofTable}, and would get ${columns.length} more. Leave out some of them, or put them in another table.`
				: `${length} columns are given. Leave out some of them, or put them in another table.`,
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

/** What requests of the columns of a table are about, and their list. */
function columnsOf({ id, name }: IDataObject) {
	const tableId = textOf(id);
	const container = { noun: 'table', id: tableId, name: textOf(name) };
	const subject = { noun: 'column', container };
	const list = { endpoint: LIST_FIELDS, query: { tableId }, subject };
	return { tableId, subject, list };
}

/**
 * The columns that an existing table lacks. One with a name that looks alike is there already.
 *
 * @throws {ActivepiecesError} if the table cannot have them, or has a column of another type
 */
async function missingColumns(client: ApiClient, table: IDataObject, columns: NewColumn[]) {
	const data = await client.fetchUnpagedList(columnsOf(table).list);
	const found = (name: string) => data.filter((each) => seenText(textOf(each.name)) === name);
	const missing = columns.filter(({ name, type }) => {
		const same = found(seenText(name));
		if (same.length === 0 || same.some((each) => each.type === type)) return same.length === 0;
		throw refusal(
			`The column "${shortName(name)}" of the table "${shortName(textOf(table.name))}" has the type ${typeNameOf(same[0].type)}, not ${typeNameOf(type)}`,
			'Activepieces cannot change the type of a column. Change Columns, or delete the column in Activepieces.',
		);
	});
	if (missing.length > 0) await assertColumnsFit(client, missing, data.length);
	return missing;
}

const fetchNames = async (client: ApiClient, table: IDataObject) =>
	(await client.fetchUnpagedList(columnsOf(table).list)).map(({ name }) => name);

/** The columns that a table lacks to which an earlier request may have added some. */
async function notYetAdded(client: ApiClient, table: IDataObject, columns: NewColumn[]) {
	const known = columns.length > 0 ? await fetchNames(client, table) : [];
	return columns.filter(({ name }) => !known.includes(name));
}

/**
 * Gives a table columns, one after the other: those that come with the table are made side by side, in any order,
 * and 0.73 ignores them (recorded).
 *
 * @throws {ActivepiecesError} when the table lacks one of them
 */
async function addColumns(
	client: ApiClient,
	table: IDataObject,
	missing: NewColumn[],
	isKept: boolean,
): Promise<IDataObject> {
	const { tableId, subject } = columnsOf(table);
	for (const [i, column] of missing.entries()) {
		const body = { tableId, ...column };
		await client
			.makeChange<unknown>({
				once: {
					place: `column ${column.name}`,
					wanted: body,
					what: `the column "${shortName(column.name)}" was added`,
					check: 'the table',
					shared: client.once(`column ${tableId} ${column.name}`, () => ({})),
				},
				send: async () => await client.requestRecord({ endpoint: CREATE_FIELD, body, subject }),
				// The service would add a column with the same name again (recorded).
				find: async () => (await fetchNames(client, table)).includes(column.name) || undefined,
			})
			.catch((error: unknown) => {
				if (!(error instanceof ActivepiecesError)) throw error;
				const names = missing.slice(i).map(({ name }) => `"${shortName(name)}"`);
				const columnNames = `column${names.length > 1 ? 's' : ''} ${someOf(names)}`;
				const lacks = error.outcome === 'nothing' ? 'lacks' : 'may lack';
				throw outcomeError(
					`The table "${shortName(textOf(table.name))}" ${isKept ? '' : 'was created, but '}${lacks} the ${columnNames}`,
					`Adding "${shortName(column.name)}" failed: ${error.sentences} ${
						isKept
							? 'When you run the node again, it adds the columns that are then missing.'
							: 'Complete the table in Activepieces, or delete it there before you run the node again.'
					}`,
				);
			});
	}
	return table;
}

/** The service allows tables with the same name, so the node looks for one first. */
async function createTable(
	{ project, name, columns, ifExists: chosen }: Values<typeof fields>,
	{ client }: OperationContext,
): Promise<IDataObject> {
	const { id: projectId } = project;
	const tables = inProject(LIST_TABLES, project);
	// Existing tables too: a later try does not know whether the table was there before.
	const isKept = chosen === 'addColumns';
	let isNew = false;
	let isUsed = false;
	const what = `the table "${shortName(name)}" was created`;
	const table = await client.makeChange({
		once: { wanted: [projectId, name], what, check: 'the tables' },
		async find() {
			const convert = (each: IDataObject) => (each.name === name ? each : undefined);
			const found = await client.fetchList(tables, { convert, mayDrop: true });
			// After the first request, which may have signed in
			assertOwnProject(client, project);
			if (found.length <= 1) return found.at(0);
			throw refusal(
				`The project has ${found.length} tables "${shortName(name)}"`,
				'Change Name, or rename one of them in Activepieces.',
			);
		},
		onExisting(existing) {
			isUsed = chosen === 'use';
			if (isUsed || isKept) return existing;
			throw refusal(
				`The project already has a table "${shortName(name)}"`,
				'Change Name, or choose another option in If Table Exists.',
			);
		},
		async send() {
			await assertColumnsFit(client, columns);
			const made = await client.requestRecord({
				endpoint: CREATE_TABLE,
				body: { projectId, name },
				subject: subjectInProject('table', project),
			});
			isNew = true;
			return made;
		},
	});
	if (isUsed) return table;
	const lacking = isKept ? missingColumns : notYetAdded;
	const missing = isNew ? columns : await lacking(client, table, columns);
	return await addColumns(client, table, missing, isKept);
}

export const create = operation({
	name: 'Create',
	value: 'create',
	description: 'Create a table with its columns in a project',
	toolDescription:
		'Creates a table with columns in an Activepieces project and returns the table. If the project has a table with that name: fails, or returns that table, or adds to it the columns that it lacks, as If Table Exists is set',
	endpoint: CREATE_TABLE,
	fields,
	simplify: simplifyTable,
	record: createTable,
});
