import { inBrackets, type Locator, nameOf } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { ApiRequest } from '../../transport/client/request';
import { hasStatus, type ResponseRule, when } from '../../transport/errors/rule';
import { orNull, recordOf } from '../../transport/values';
import { projectNameOf } from '../project/projectNames';

export const rules: ResponseRule[] = [
	when([hasStatus('notFound'), ({ isRouteMissing }) => isRouteMissing], ({ baseUrl }) => ({
		message: 'This Activepieces server has no variables',
		description: `Variables require Activepieces 0.85 or later. If the server has such a release, check that ${baseUrl}, the Base URL in the credential, is the URL of the API.`,
	})),
];

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
