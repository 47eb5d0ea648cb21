import type { IDataObject } from 'n8n-workflow';

import { options, type Values } from '../../descriptions/field';
import { choice, ifExists, recordName, rows, text, texts } from '../../descriptions/kinds';
import type { OperationContext } from '../../execution/operationContext';
import { refusal } from '../../transport/errors/error';
import { shortName } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { operation } from '../operation';
import { newProject } from '../project/project';
import { toNewColumns, TYPES } from './newColumns';
import { CREATE_TABLE, makeTable } from './newTable';
import { simplifyTable } from './table';

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
		(given) => toNewColumns(given, 'Columns'),
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

/** The service allows tables with the same name, so the node looks for one first. */
const createTable = async (
	{ project, name, columns, ifExists: chosen, options: { externalId } }: Values<typeof fields>,
	context: OperationContext,
): Promise<IDataObject> =>
	await makeTable(
		context,
		{ project, name, externalId, columns, place: 'Columns' },
		{
			isKept: chosen === 'addColumns',
			choose(tables) {
				if (tables.length <= 1) return tables.at(0);
				throw refusal(
					`The project has ${tables.length} tables "${shortName(name)}"${externalId !== '' ? ' or with this external ID' : ''}`,
					'Change Name, or rename one of them in Activepieces.',
				);
			},
			onExisting(existing) {
				if (chosen !== 'error') return chosen;
				throw refusal(
					`The project already has a table "${shortName(textOf(existing.name))}"${existing.name === name ? '' : ' with this external ID'}`,
					'Change Name, or choose another option in If Table Exists.',
				);
			},
		},
	);

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
