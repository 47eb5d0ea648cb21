import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { choices, ifExistsField, optionsField, textField } from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import { getOption, splitList, toOption } from '../../descriptions/parameters';
import { toRecordName } from '../../descriptions/recordName';
import type { OperationContext } from '../../execution/operationContext';
import type { Endpoint } from '../../transport/client/request';
import { requestRecord } from '../../transport/client/record';
import { validationError } from '../../transport/errors/error';
import { TABLES_WITHOUT_KEYS } from '../../transport/errors/responseMessages';
import { findInList } from '../../transport/lists/pages';
import { inProject } from '../../transport/lists/projects';
import { shortName } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { getProjectForNew, projectForNew, subjectInProject } from '../project/project';
import { recordOperation } from '../recordOperation';
import { refusal, unconfirmed } from '../refusals';
import { LIST_TABLES, simplifyTable } from './table';

const CREATE_TABLE: Endpoint = {
	method: 'POST',
	path: '/v1/tables',
	rules: [TABLES_WITHOUT_KEYS],
};

const NAME = 'Name';
const tableProject = projectForNew('The project to create the table in');

const typeField = optionsField('Type', 'type', {
	options: choices(
		['Date', 'DATE', 'A day or a time'],
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
	placeholder: 'Add Column',
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

function toColumn(given: unknown): IDataObject & { name: string } {
	const { name: givenName, type: givenType = typeField.default, options = '' } = recordOf(given);
	const name = toRecordName('The name of a column', givenName, 'column');
	const type = toOption(typeField, givenType);
	// The service needs an external ID, which no other column of the table has.
	const column = { name, type, externalId: name };
	if (type !== 'STATIC_DROPDOWN') return column;
	const values = splitList('Options', options);
	if (values.length > 0)
		return { ...column, data: { options: values.map((value) => ({ value })) } };
	// The service responds with 500, and keeps the table without the column (recorded).
	throw validationError(
		`The column "${shortName(name)}" has no options`,
		'A dropdown needs at least one option.',
	);
}

function getColumns(context: OperationContext) {
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
	const existing = await findInList(client, tables, (each) => each.name === name);
	if (existing === undefined) {
		return await requestRecord(client, {
			endpoint: CREATE_TABLE,
			body: { projectId, name, fields },
			subject: subjectInProject('table', project),
		});
	}
	// An earlier try created it, because it did not exist before.
	if (ifExists === 'use' || tried.isInDoubt) return existing;
	throw refusal(
		`The project already has a table "${shortName(name)}"`,
		`Change ${NAME}, or set If Table Exists to Use Existing Table.`,
	);
}

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create a table with its columns in a project',
	hint: 'Activepieces may show the columns in another order',
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
