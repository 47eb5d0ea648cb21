import type { IDataObject } from 'n8n-workflow';

import { options, type Values } from '../../descriptions/field';
import { choice, ifExists, recordName, rows, text, texts } from '../../descriptions/kinds';
import type { ApiClient } from '../../transport/api/client';
import { type Endpoint, inProject } from '../../transport/client/request';
import { refusal, validationError } from '../../transport/errors/error';
import { shortName, textOf } from '../../transport/values';
import { operation, type OperationContext } from '../operation';
import { newProject, subjectInProject } from '../project/project';
import { addColumns, assertColumnsFit, missingColumns, type NewColumn, TYPES } from './newColumns';
import { LIST_TABLES, simplifyTable } from './table';

const CREATE_TABLE: Endpoint = { method: 'POST', path: '/v1/tables' };

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
	options: options({
		externalId: text('External ID', 'externalId', {
			placeholder: 'e.g. orders',
			description:
				'The ID by which steps of flows name the table. The node creates no second table with it in the project.',
		}),
	}),
};

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

/** The service allows tables with the same name, so the node looks for one first. */
async function createTable(
	{ project, name, columns, ifExists: chosen, options: { externalId } }: Values<typeof fields>,
	{ client }: OperationContext,
): Promise<IDataObject> {
	const { id: projectId } = project;
	const tables = inProject(LIST_TABLES, project);
	// Existing tables too: a later try does not know whether the table was there before.
	const isKept = chosen === 'addColumns';
	let isNew = false;
	let isUsed = false;
	const body = { projectId, name, ...(externalId !== '' && { externalId }) };
	// The service takes an external ID twice (recorded).
	const isSame = (each: IDataObject) =>
		each.name === name || (externalId !== '' && each.externalId === externalId);
	const what = `the table "${shortName(name)}" was created`;
	const table = await client.makeChange({
		once: { wanted: body, what, check: 'the tables' },
		async find() {
			const convert = (each: IDataObject) => (isSame(each) ? each : undefined);
			const found = await client.fetchList(tables, { convert, mayDrop: true });
			// After the first request, which may have signed in
			assertOwnProject(client, project);
			if (found.length <= 1) return found.at(0);
			throw refusal(
				`The project has ${found.length} tables "${shortName(name)}"${externalId !== '' ? ' or with this external ID' : ''}`,
				'Change Name, or rename one of them in Activepieces.',
			);
		},
		onExisting(existing) {
			isUsed = chosen === 'use';
			if (isUsed || isKept) return existing;
			throw refusal(
				`The project already has a table "${shortName(textOf(existing.name))}"${existing.name === name ? '' : ' with this external ID'}`,
				'Change Name, or choose another option in If Table Exists.',
			);
		},
		async send() {
			await assertColumnsFit(client, columns);
			const made = await client.requestRecord({
				endpoint: CREATE_TABLE,
				body,
				subject: subjectInProject('table', project),
			});
			isNew = true;
			return made;
		},
	});
	if (isUsed) return table;
	const missing = isNew ? columns : await missingColumns(client, table, columns);
	await addColumns(client, table, missing, isKept);
	return table;
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
