import { nameFilter } from '../../descriptions/filters';
import { listOperation } from '../listOperation';
import { projectToList } from '../project/project';
import { LIST_TABLES, simplifyTable } from './table';

export const getAll = listOperation({
	description: 'Get the tables of a project, or of all projects',
	hint: 'Returns one item per table. To get the rows of a table, use Table Record > Get Many.',
	toolDescription:
		'Returns the tables of an Activepieces project, or of all projects if none is given',
	request: LIST_TABLES,
	project: projectToList('tables'),
	filters: [nameFilter('name', 'tables', 'e.g. Orders')],
	simplify: simplifyTable,
});
