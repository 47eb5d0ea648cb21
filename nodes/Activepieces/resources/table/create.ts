import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { choices, ifExistsField, optionsField, textField } from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import { getOption, splitList, toOption } from '../../descriptions/parameters';
import { toRecordName } from '../../descriptions/recordName';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/request';
import { orFoundAfterLoss, requestRecord } from '../../transport/client/record';
import { validationError } from '../../transport/errors/error';
import { hasStatus, type ResponseRule, when } from '../../transport/errors/rule';
import { findInList } from '../../transport/lists/pages';
import { inProject } from '../../transport/lists/projects';
import { shortName, someOf } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { getProjectForNew, projectForNew, subjectInProject } from '../project/project';
import { recordOperation } from '../recordOperation';
import { outcomeError, refusal, unconfirmed } from '../refusals';
import { fetchColumns } from '../tableRecord/columns';
import { LIST_TABLES, simplifyTable, tableOf, TABLES_WITHOUT_KEYS } from './table';

/** Since 0.87; earlier releases refuse the type as an unknown one (read in the service's source). */
const DATE_TIME = 'DATETIME';

const hasDateTime = (body: unknown): boolean => {
	const { fields } = recordOf(body);
	return Array.isArray(fields) && fields.some((field) => recordOf(field).type === DATE_TIME);
};

const WITHOUT_DATE_TIME: ResponseRule = when(
	[
		hasStatus('badRequest'),
		// The text of its validation names the field.
		({ message = '' }, { body }) => /\bfields\b/.test(message) && hasDateTime(body),
	],
	({ quoted }) => ({
		message: 'Activepieces did not accept the columns of the table',
		description: `${quoted}Columns of type Date and Time require Activepieces 0.87 or later. In an earlier release, use Date.`,
	}),
);

const CREATE_TABLE: Endpoint = {
	method: 'POST',
	path: '/v1/tables',
	rules: [TABLES_WITHOUT_KEYS, WITHOUT_DATE_TIME],
};

const NAME = 'Name';
const tableProject = projectForNew('The project to create the table in');

const typeField = optionsField('Type', 'type', {
	options: choices(
		['Date', 'DATE', 'A day or a time'],
		['Date and Time', DATE_TIME, 'A time on a day. Requires Activepieces 0.87 or later.'],
		['Dropdown', 'STATIC_DROPDOWN', 'One of the options'],
		['Number', 'NUMBER', 'A number'],
		['Text', 'TEXT', 'Any text'],
	),
	default: 'TEXT',
	description: 'What the column holds',
});

const columnsField: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add column',
	default: {},
	description: 'The columns of the table',
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
};

type NewColumn = IDataObject & { name: string };

function toColumn(given: unknown): NewColumn {
	const column = recordOf(given);
	// Left out it means the default, unlike an expression without a value.
	const { type: givenType } = { type: typeField.default, ...column };
	const name = toRecordName('The name of a column', column.name, 'column');
	const type = toOption(typeField, givenType);
	// The service needs an external ID, which no other column of the table has.
	const made = { name, type, externalId: name };
	if (type !== 'STATIC_DROPDOWN') return made;
	const values = splitList('Options', column.options);
	if (values.length > 0) return { ...made, data: { options: values.map((value) => ({ value })) } };
	// The service responds with 500, and keeps the table without the column (recorded).
	throw validationError(
		`The column "${shortName(name)}" has no options`,
		'A dropdown needs at least one option.',
	);
}

function getColumns(context: OperationContext): NewColumn[] {
	const { column = [] } = recordOf(context.get('columns', {}));
	const columns = (Array.isArray(column) ? column : [column]).map(toColumn);
	const names = columns.map(({ name }) => name);
	const twice = names.find((name, i) => names.indexOf(name) < i);
	if (twice === undefined) return columns;
	throw validationError(
		`Columns has "${shortName(twice)}" twice`,
		'Give each column another name.',
	);
}

const ifTableExists = ifExistsField(
	'If Table Exists',
	'Table',
	'What to do if the project already has a table with that name. The columns of an existing table are not changed.',
);

/** Up to 0.73 the service creates every table in the project of the session, whatever was asked (recorded). */
function assertOwnProject({ tokenProjectId: own }: ApiClient, projectId: string): void {
	if (own === undefined || own === projectId) return;
	throw refusal(
		'In this Activepieces release, a user can use the tables of one project only',
		`Activepieces would create the table in Project "${shortName(own)}". Leave ${tableProject.displayName} empty to create it there.`,
	);
}

/**
 * A new table, once it has its columns.
 *
 * @param reason why columns may be missing
 * @throws {ActivepiecesError} when the table lacks one of them
 */
async function withColumns(
	client: ApiClient,
	table: IDataObject,
	columns: NewColumn[],
	reason = '',
): Promise<IDataObject> {
	if (columns.length === 0) return table;
	const stored = await fetchColumns(client, tableOf({ id: table.id, subject: { noun: 'table' } }));
	const missing = columns.filter(({ name }) => stored.every((each) => each.name !== name));
	if (missing.length === 0) return table;
	const names = missing.map(({ name }) => `"${shortName(name)}"`);
	const why =
		client.tokenProjectId === undefined ? reason : 'This Activepieces release ignores them.';
	throw outcomeError(
		`The table "${shortName(textOf(table.name))}" exists without the column${names.length > 1 ? 's' : ''} ${someOf(names)}`,
		`${why} Add them in Activepieces, or delete the table there before you run the node again.`.trim(),
	);
}

/** The service allows tables with the same name, so the node looks for one first. */
async function createTable(context: OperationContext): Promise<IDataObject> {
	const { client, tried } = context;
	const name = toRecordName(NAME, context.get('tableName', ''), 'table');
	const fields = getColumns(context);
	const ifExists = getOption(context, ifTableExists);
	const project = await getProjectForNew(context, tableProject);
	const { id: projectId } = project;
	const before = tried.keepBefore({ projectId, name });
	if (tried.isInDoubt && (before.projectId !== projectId || before.name !== name)) {
		throw unconfirmed(`the table "${shortName(textOf(before.name))}" was created`, 'the tables');
	}
	const tables = inProject(LIST_TABLES, project);
	const find = async () => await findInList(client, tables, (each) => each.name === name);
	const existing = await find();
	// After the first request, which may have signed in
	assertOwnProject(client, projectId);
	if (existing === undefined) {
		const request = {
			endpoint: CREATE_TABLE,
			body: { projectId, name, fields },
			subject: subjectInProject('table', project),
		};
		const sent = requestRecord(client, request);
		const table = await orFoundAfterLoss(client, sent, async ({ description }) => {
			// The service saves the table first, and refuses columns after that with 409 (read in its source).
			before.reason = description;
			const made = await find().catch(() => null);
			if (made !== undefined) client.ledger.note('maybe');
			return made && (await withColumns(client, made, fields, description));
		});
		// Up to 0.73 the service ignores the columns of a new table (recorded).
		return client.tokenProjectId === undefined ? table : await withColumns(client, table, fields);
	}
	// An earlier try created it, because it did not exist before.
	if (tried.isInDoubt) return await withColumns(client, existing, fields, textOf(before.reason));
	if (ifExists === 'use') return existing;
	throw refusal(
		`The project already has a table "${shortName(name)}"`,
		`Change ${NAME}, or set If Table Exists to Use Existing Table.`,
	);
}

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create a table with its columns in a project',
	toolDescription:
		'Creates a table with columns in an Activepieces project, unless it has one with that name, and returns the table',
	endpoint: CREATE_TABLE,
	properties: [
		locatorField(tableProject),
		textField(NAME, 'tableName', {
			required: true,
			placeholder: 'e.g. Orders',
			description: 'The name of the table',
		}),
		columnsField,
		ifTableExists,
	],
	simplify: simplifyTable,
	record: createTable,
});
