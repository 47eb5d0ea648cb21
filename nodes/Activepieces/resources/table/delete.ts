import { deleteOperation } from '../deleteOperation';
import { tableFields, tableLocator, TABLES_WITHOUT_KEYS } from './table';

export const remove = deleteOperation({
	description: 'Permanently delete a table with all its records (rows)',
	hint: 'Deletes one table per input item, with all its records. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces table with the given ID, with all its records (rows), and returns {"deleted": true}',
	endpoint: { method: 'DELETE', path: '/v1/tables/{id}', rules: [TABLES_WITHOUT_KEYS] },
	properties: tableFields,
	target: tableLocator,
});
