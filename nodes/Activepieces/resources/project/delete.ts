import type { IDataObject } from 'n8n-workflow';

import { optionsField } from '../../descriptions/fields';
import { type Filter, filter, textFilter } from '../../descriptions/filters';
import { locatorField, type RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/endpoint';
import { LIST_PROJECTS } from '../../transport/lists/projects';
import { findInList } from '../../transport/lists/pages';
import {
	expectDeleted,
	expectRecord,
	requestIfPresent,
	sendRequest,
} from '../../transport/client/send';
import type { ApiRequest } from '../../transport/client/request';
import { isStatus } from '../../transport/http/httpStatus';
import { textOf, toId } from '../../transport/values';
import { deleteOperation, listOperation } from '../builders';
import { errorOf, refusal } from '../refusals';
import type { Resource } from '../operation';
import { create, update } from './create';
import { projectLabel, projectLocator, simplifyProject, teamProjectLocator } from './project';

/** Missing in Enterprise up to 0.73 and in Community up to 0.76 (recorded, read in the service's source). */
const GET_PROJECT: Endpoint = { method: 'GET', path: '/v1/projects/{id}' };

const filters: Filter[] = [
	textFilter('Name', 'displayName', {
		placeholder: 'e.g. Marketing',
		description:
			'Return only projects whose name contains this text. Not case-sensitive. % and _ are wildcards.',
	}),
	filter(
		optionsField('Type', 'type', {
			options: [
				{ name: 'Personal', value: 'PERSONAL', description: "A user's own project" },
				{ name: 'Team', value: 'TEAM' },
			],
			default: 'TEAM',
			description: 'Return only projects of this type',
		}),
		'types',
	),
];

const getAll = listOperation({
	description: 'Get the projects that the credential has access to',
	hint: 'Returns one item per project: the team projects, and the personal project of every user',
	toolDescription: 'Returns the Activepieces projects that the credential has access to',
	request: LIST_PROJECTS,
	filters,
	simplify: simplifyProject,
	// Community up to 0.79 returns its one project whatever the filters (recorded).
	select: ({ displayName: part, types }) => ({
		take: (project) =>
			// Only the service knows the wildcards of its database.
			(/[%_]/.test(textOf(part)) ||
				textOf(project.displayName).toLowerCase().includes(textOf(part).toLowerCase())) &&
			(types === undefined || types === project.type)
				? project
				: undefined,
		isFiltered: (part ?? types) !== undefined,
	}),
});

/**
 * Fetches a project, from the list if the server has no request for one project.
 *
 * @returns undefined when the list does not have it
 */
async function fetchProject(client: ApiClient, { id, subject }: RequestTarget) {
	const request = { endpoint: GET_PROJECT, id, subject };
	const response = await requestIfPresent(client, request);
	if (response !== undefined) return expectRecord(client, request, response);
	const wanted = toId(id);
	return await findInList(client, LIST_PROJECTS, (each) => toId(each.id) === wanted);
}

/**
 * Deletes a team project. It reads the project first, because 0.73 also deletes the personal project of
 * a user, and reports an unknown project as deleted (recorded).
 */
async function deleteProject(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	const project = await fetchProject(client, request);
	if (project === undefined) {
		throw errorOf(
			`The credential does not have access to a project with the ID ${textOf(request.id)}`,
			`Choose the project from the list in ${teamProjectLocator.displayName}. Nothing was deleted.`,
			{ isRecordUnknown: true },
		);
	}
	const label = `The project ${projectLabel(project)}`;
	if (project.type !== 'TEAM') {
		const what = project.type === 'PERSONAL' ? 'is a personal project' : 'has an unknown type';
		throw refusal(`${label} ${what}`, 'The node deletes team projects only.');
	}
	const response = await sendRequest(client, request);
	if (isStatus(response.status, 'conflict') && response.message === 'PROJECT_HAS_ENABLED_FLOWS') {
		throw refusal(
			`${label} has enabled flows`,
			'This Activepieces release can delete only projects without enabled flows. Disable the flows of the project first, for example with Flow > Enable or Disable.',
		);
	}
	return expectDeleted(client, request, response);
}

const remove = deleteOperation({
	description: 'Permanently delete a team project, including its flows, runs and connections',
	hint: 'Deletes one team project per input item, including all its flows, runs and connections. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces team project with the given ID, including all its flows, runs and connections, and returns {"deleted": true}. Personal projects cannot be deleted',
	endpoint: { method: 'DELETE', path: '/v1/projects/{id}', feature: 'team projects' },
	properties: [locatorField(teamProjectLocator)],
	target: teamProjectLocator,
	remove: deleteProject,
});

export const project: Resource = {
	name: 'Project',
	value: 'project',
	locators: [projectLocator, teamProjectLocator],
	operations: [getAll, create, update, remove],
};
