import { nameFilter } from '../../descriptions/filters';
import { listOperation } from '../listOperation';
import { projectToList } from '../project/project';
import { LIST_VARIABLES, simplifyVariable } from './variable';

export const getAll = listOperation({
	description:
		'Get the variables of a project, or of all projects. Requires Activepieces 0.85 or later.',
	hint: 'Returns one item per variable. Values of variables are never returned.',
	toolDescription:
		'Returns the variables of an Activepieces project, or of all projects if none is given. Their values are never returned',
	request: LIST_VARIABLES,
	project: projectToList('variables'),
	filters: [nameFilter('name', 'variables', 'e.g. API_TOKEN')],
	simplify: simplifyVariable,
});
