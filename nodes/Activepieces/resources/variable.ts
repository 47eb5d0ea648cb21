import { named } from '../descriptions/field';
import { metadata, nameFilter, recordName, secret } from '../descriptions/kinds';
import { inBrackets, nameOf, type Locator } from '../descriptions/locator';
import type { Simplify } from '../descriptions/output';
import type { ApiClient } from '../transport/api/client';
import { inProject, type ApiRequest, type Endpoint } from '../transport/client/request';
import { validationError } from '../transport/errors/error';
import type { ResponseRule } from '../transport/errors/rule';
import { orNull, recordOf } from '../transport/values';
import { deleteOperation, listOperation, operation, type Resource } from './operation';
import { newProject, projectNameOf, projectToList, subjectInProject } from './project/project';

const rules: ResponseRule[] = [
	{
		unknown: 'endpoint',
		message: 'This Activepieces server has no variables',
		description: ({ baseUrl }) =>
			`Variables require Activepieces 0.85 or later. If the server has such a release, check that ${baseUrl}, the Base URL in the credential, is the URL of the API.`,
	},
];

const LIST_VARIABLES: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/variables', order: 'oldestFirst', rules },
	subject: { noun: 'variables' },
};

/** No response of the service has the value of a variable (recorded). */
const simplifyVariable: Simplify = (variable, source) => ({
	...orNull(variable, 'name', 'metadata'),
	projectName: projectNameOf(variable, source),
	ownerEmail: recordOf(variable.owner).email ?? null,
	...orNull(variable, 'created', 'updated', 'projectId', 'id'),
});

const variableLocator: Locator = {
	name: 'variableId',
	displayName: 'Variable',
	noun: 'variable',
	description: 'The variable to delete. The list shows the variables of all projects.',
	required: true,
	byName: ({ name }) => name,
	searchMethod: 'searchVariables',
	sources: {
		request: LIST_VARIABLES,
		label: (variable, project) => nameOf(variable, 'name') + inBrackets(project.name),
		search: { parameter: 'name' },
	},
};

const getAll = listOperation({
	description:
		'Get the variables of a project, or of all projects. Requires Activepieces 0.85 or later.',
	hint: 'Returns one item per variable. Values of variables are never returned.',
	toolDescription:
		'Returns the variables of an Activepieces project, or of all projects if none is given. Their values are never returned',
	request: LIST_VARIABLES,
	project: projectToList('variables'),
	filters: { name: nameFilter('name', 'variables', 'e.g. API_TOKEN') },
	simplify: simplifyVariable,
});

const CREATE_VARIABLE: Endpoint = { method: 'POST', path: '/v1/variables', rules };

const UPDATE_VARIABLE: Endpoint = { method: 'POST', path: '/v1/variables/{id}', rules };

/** @throws {ValidationError} for a name that the service refuses (recorded) */
function assertVariableName(label: string, name: string): void {
	if (/^\w+$/.test(name)) return;
	// It quotes nothing: somebody may have entered the value.
	throw validationError(`${label} must be letters, digits and underscores`, `Change ${label}.`);
}

const variableName = recordName(
	'Name',
	'variable',
	{
		placeholder: 'e.g. API_TOKEN',
		description:
			'The name of the variable: letters, digits and underscores. Names are case-sensitive.',
	},
	'variableName',
	assertVariableName,
);

/** The filter of the service finds every name that contains this one, in any letter case (recorded). */
async function fetchVariableByName(client: ApiClient, variables: ApiRequest, name: string) {
	const request = { ...variables, query: { ...variables.query, name } };
	return await client.findInList(request, (variable) => variable.name === name);
}

const upsert = operation({
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Replaces the value of the variable with that name, or creates one. The value is not in the output.',
	toolDescription:
		'Immediately replaces the value of the variable with the given name in an Activepieces project, or creates the variable, and returns the variable without its value',
	endpoint: CREATE_VARIABLE,
	fields: {
		project: newProject('The project of the variable'),
		name: variableName,
		value: secret(
			'Value',
			'value',
			{
				required: true,
				description: 'The new value. No operation returns it.',
			},
			// A setting such as false, which is no accident here as in a password
			(value) => (typeof value === 'boolean' ? String(value) : value),
		),
		metadata: metadata('variable', '. Replaces the existing metadata, unless it is {}.'),
	},
	simplify: simplifyVariable,
	async record({ project, name, value, metadata: given }, { client }) {
		const variables = inProject(LIST_VARIABLES, project);
		const content = { value, ...given };
		const change = `the variable "${name}" was stored`;
		return await client.makeChange({
			// The service refuses a second variable with the name (recorded).
			idempotency: { key: [project.id, name], change, lookIn: 'the variables', isIdempotent: true },
			async find() {
				const existing = await fetchVariableByName(client, variables, name);
				if (existing === undefined) return undefined;
				return await client.requestRecord({
					endpoint: UPDATE_VARIABLE,
					id: existing.id,
					body: content,
					subject: { noun: 'variable' },
				});
			},
			onExisting: (changed) => changed,
			send: async () =>
				await client.requestRecord({
					endpoint: CREATE_VARIABLE,
					body: { projectId: project.id, name, ...content },
					subject: subjectInProject('variable', project),
				}),
		});
	},
});

const remove = deleteOperation({
	description: 'Permanently delete a variable, even if flows use it',
	hint: 'Deletes one variable per input item, even if flows use it. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces variable with the given ID, even if flows use it, and returns {"deleted": true}',
	endpoint: { method: 'DELETE', path: '/v1/variables/{id}', rules },
	fields: { variable: named(variableLocator) },
});

export const variable: Resource = {
	name: 'Variable',
	value: 'variable',
	locators: [variableLocator],
	operations: [getAll, upsert, remove],
};
