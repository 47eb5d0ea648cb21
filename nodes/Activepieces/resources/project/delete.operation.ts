import type { IDataObject } from 'n8n-workflow';

import { type RequestTarget, requestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { LIST_PROJECTS } from '../../transport/projects';
import { collect } from '../../transport/pages';
import { expectDeleted, expectRecord, requestIfPresent, sendRequest } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import { isStatus } from '../../transport/httpStatus';
import { nameAndId } from '../../transport/text';
import { textOf, toId } from '../../transport/values';
import type { Operation } from '../operation';
import { DELETE_PROJECT, GET_PROJECT, ownProjectField, ownProjectLocator } from './project';

/**
 * Fetches a project, from the list if the server has no request for one project.
 *
 * @returns undefined when the list does not have it
 */
async function fetchProject(
	client: ApiClient,
	target: RequestTarget,
): Promise<IDataObject | undefined> {
	const request: ApiRequest = { endpoint: GET_PROJECT, ...target };
	const response = await requestIfPresent(client, request);
	if (response !== undefined) return expectRecord(client, request, response);
	const wanted = toId(target.id);
	const [project] = await collect(client, LIST_PROJECTS, {
		limit: 1,
		pageSize: limits.defaultPageSize,
		take: (each) => (toId(each.id) === wanted ? each : undefined),
		isFiltered: true,
	});
	return project;
}

/** The error for a project that stays: nothing was sent, or nothing was deleted. */
const refusal = (project: IDataObject, what: string, whatToDo: string): ActivepiecesError =>
	new ActivepiecesError({
		message: `The project ${nameAndId(textOf(project.displayName), textOf(project.id))} ${what}`,
		description: `${whatToDo} Nothing was deleted.`,
	});

/**
 * Deletes a team project. It reads the project first, because 0.73 also deletes the personal project of
 * a user, and reports an unknown project as deleted (recorded).
 */
async function deleteProject(client: ApiClient, target: RequestTarget): Promise<IDataObject[]> {
	const wasDeleted = client.ledger.mayHaveChangedRecord(target.id);
	const project = await fetchProject(client, target).catch((error: unknown) => {
		const isGone = error instanceof ActivepiecesError && isStatus(error.httpStatus, 'notFound');
		if (!isGone || !wasDeleted) throw error;
		return undefined;
	});
	// An earlier try, whose response was lost, deleted it.
	if (project === undefined && wasDeleted) return [{ deleted: true }];
	if (project === undefined) {
		throw new ActivepiecesError({
			message: `The credential does not have access to a project with the ID ${textOf(target.id)}`,
			description: `Choose the project from the list in ${ownProjectLocator.displayName}. Nothing was deleted.`,
		});
	}
	if (project.type !== 'TEAM') {
		throw refusal(project, 'is a personal project', 'The node deletes team projects only.');
	}
	const request: ApiRequest = { endpoint: DELETE_PROJECT, ...target };
	const response = await sendRequest(client, request);
	if (isStatus(response.status, 'conflict') && response.message === 'PROJECT_HAS_ENABLED_FLOWS') {
		throw refusal(
			project,
			'has enabled flows',
			'This Activepieces release can delete only projects without enabled flows. Disable the flows of the project first, for example with Flow > Enable or Disable.',
		);
	}
	return expectDeleted(client, request, response);
}

export const remove: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete project',
	description: 'Permanently delete a team project, including its flows, runs and connections',
	hint: 'Deletes one team project per input item, including all its flows, runs and connections. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces team project with the given ID, including all its flows, runs and connections, and returns {"deleted": true}. Personal projects cannot be deleted',
	endpoint: DELETE_PROJECT,
	properties: [ownProjectField],
	run: async (context) =>
		await deleteProject(context.client, requestTarget(context, ownProjectLocator)),
};
