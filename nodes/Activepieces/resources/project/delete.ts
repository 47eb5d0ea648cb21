import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client/client';
import type { ApiRequest, Endpoint } from '../../transport/client/request';
import { expectDeleted, expectRecord } from '../../transport/client/record';
import { isStatus } from '../../transport/http/httpStatus';
import { findInList } from '../../transport/lists/pages';
import { LIST_PROJECTS } from '../../transport/lists/projects';
import { toId } from '../../transport/id';
import { textOf } from '../../transport/values';
import { deleteOperation } from '../deleteOperation';
import { errorOf, refusal } from '../refusals';
import { projectLabel, teamProjectLocator } from './project';

/** Missing in Enterprise up to 0.73 and in Community up to 0.76 (recorded, read in the service's source). */
const GET_PROJECT: Endpoint = { method: 'GET', path: '/v1/projects/{id}' };

/**
 * Fetches a project, from the list if the server has no request for one project.
 *
 * @returns undefined when the list does not have it
 */
async function fetchProject(client: ApiClient, { id, subject }: RequestTarget) {
	const request = { endpoint: GET_PROJECT, id, subject };
	const response = await client.requestIfPresent(request);
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
	const response = await client.request(request);
	if (isStatus(response.status, 'conflict') && response.message === 'PROJECT_HAS_ENABLED_FLOWS') {
		throw refusal(
			`${label} has enabled flows`,
			'This Activepieces release can delete only projects without enabled flows. Disable the flows of the project first, for example with Flow > Enable or Disable.',
		);
	}
	return expectDeleted(client, request, response);
}

export const remove = deleteOperation({
	description: 'Permanently delete a team project, including its flows, runs and connections',
	hint: 'Deletes one team project per input item, including all its flows, runs and connections. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces team project with the given ID, including all its flows, runs and connections, and returns {"deleted": true}. Personal projects cannot be deleted',
	endpoint: { method: 'DELETE', path: '/v1/projects/{id}', feature: 'team projects' },
	target: teamProjectLocator,
	remove: deleteProject,
});
