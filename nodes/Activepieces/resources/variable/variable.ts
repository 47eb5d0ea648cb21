import { inBrackets, type Locator, nameOf } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { ApiRequest } from '../../transport/client/request';
import { NO_VARIABLES } from '../../transport/errors/responseMessages';
import { orNull, recordOf } from '../../transport/values';
import { projectNameOf } from '../project/projectNames';

export const rules = [NO_VARIABLES];

export const LIST_VARIABLES: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/variables', rules },
	subject: { noun: 'variables' },
};

/** No response of the service has the value of a variable (recorded). */
export const simplifyVariable: Simplify = (variable, source) => ({
	...orNull(variable, 'name', 'metadata'),
	projectName: projectNameOf(variable, source),
	ownerEmail: recordOf(variable.owner).email ?? null,
	...orNull(variable, 'created', 'updated', 'projectId', 'id'),
});

export const variableLocator: Locator = {
	name: 'variableId',
	displayName: 'Variable',
	noun: 'variable',
	description: 'The variable to delete. The list shows the variables of all projects.',
	required: true,
	searchMethod: 'searchVariables',
	sources: {
		request: LIST_VARIABLES,
		label: (variable, project) => nameOf(variable, 'name') + inBrackets(project.name),
		search: { parameter: 'name' },
	},
};
