import { nameFilter } from '../../descriptions/kinds';
import type { Endpoint } from '../../transport/client/request';
import { deleteOperation, itemsOperation, listOperation, type Resource } from '../operation';
import { projectToList } from '../project/project';
import { create } from './create';
import { exportOperation } from './export';
import { importOperation } from './import';
import { LIST_TABLES, namedTable, simplifyTable, tableLocator } from './table';

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

const CLEAR_TABLE: Endpoint = { method: 'POST', path: '/v1/tables/{id}/clear' };

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
		await client.deleteRecord({ endpoint: CLEAR_TABLE, ...target, body: {} });
		return [{ cleared: true }];
	},
});

const remove = deleteOperation({
	description: 'Permanently delete a table with all its records (rows)',
	hint: 'Deletes one table per input item, with all its records. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces table with the given ID, with all its records (rows), and returns {"deleted": true}',
	endpoint: { method: 'DELETE', path: '/v1/tables/{id}' },
	fields: { table: namedTable },
});

export const table: Resource = {
	name: 'Table',
	value: 'table',
	locators: [tableLocator],
	operations: [getAll, create, exportOperation, importOperation, clear, remove],
};
