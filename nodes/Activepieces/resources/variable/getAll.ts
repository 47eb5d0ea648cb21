import { textFilter } from '../../descriptions/filters';
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
	filters: [
		textFilter('Name', 'name', {
			placeholder: 'e.g. API_TOKEN',
			description:
				'Return only variables whose name contains this text. Not case-sensitive. % and _ are wildcards.',
		}),
	],
	simplify: simplifyVariable,
});
