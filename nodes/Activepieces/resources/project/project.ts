import type { IDataObject } from 'n8n-workflow';

import {
	type ListSource,
	type Locator,
	locatorField,
	nameOf,
	type ServiceSearch,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { ApiClient } from '../../transport/client';
import type { Endpoint } from '../../transport/endpoint';
import { ActivepiecesError } from '../../transport/error';
import { ONE_TEAM_PROJECT } from '../../transport/responseMessages';
import { fetchProjects, inProject, LIST_PROJECTS, type Project } from '../../transport/projects';
import { recordUrl } from '../../transport/recordUrl';
import type { ApiRequest } from '../../transport/request';
import { PLACE_WORDS } from '../../transport/words';

/** Missing in Enterprise up to 0.73 and in Community up to 0.76 (recorded, read in the service's source). */
export const GET_PROJECT: Endpoint = { method: 'GET', path: '/v1/projects/{id}' };

/** Community has it from 0.80 on, for one team project (recorded). */
export const CREATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects',
	feature: 'team projects',
	rules: [ONE_TEAM_PROJECT],
};

export const UPDATE_PROJECT: Endpoint = { method: 'POST', path: '/v1/projects/{id}' };

/** Also deletes the flows, runs and connections of the project (recorded). */
export const DELETE_PROJECT: Endpoint = {
	method: 'DELETE',
	path: '/v1/projects/{id}',
	feature: 'team projects',
};

/** The fields of a project that a person reads. Missing fields are null. */
export const simplifyProject: Simplify = (project, source) => ({
	id: project.id ?? null,
	name: project.displayName ?? null,
	type: project.type ?? null,
	// In 0.73 empty for no external ID (recorded).
	externalId: project.externalId === '' ? null : (project.externalId ?? null),
	ownerId: project.ownerId ?? null,
	created: project.created ?? null,
	updated: project.updated ?? null,
	url: recordUrl(source?.baseUrl, 'project', project),
});

interface SourceOptions {
	/** The service's own search in the list of a project, if it has one */
	search?: (project: Project) => ServiceSearch;
	/** The only project whose records are listed */
	projectId?: string;
}

/**
 * One source per project, for lists that the service returns only by project.
 *
 * @param label receives a project without a name if the person has chosen one
 * @throws {ActivepiecesError} for a service without the list of projects
 */
export async function fetchProjectSources(
	client: ApiClient,
	request: ApiRequest,
	label: (record: IDataObject, project: Project) => string,
	{ search, projectId }: SourceOptions = {},
): Promise<ListSource[]> {
	const projects =
		projectId === undefined ? await fetchProjects(client) : [{ id: projectId, name: '' }];
	if (projects === undefined) {
		throw new ActivepiecesError({
			message: `This Activepieces server cannot list its projects, so the ${request.subject.noun} cannot be listed`,
			description: PLACE_WORDS[client.place].withoutList ?? '',
		});
	}
	return projects.map((project) => ({
		key: project.id,
		request: inProject(request, projectId === undefined ? project : { id: projectId }),
		isPaged: true,
		label: (record) => label(record, project),
		search: search?.(project),
	}));
}

/** Operations describe themselves what they need the project for. */
export const projectLocator: Locator = {
	name: 'projectId',
	displayName: 'Project',
	noun: 'project',
	description: 'The project to operate on',
	required: false,
	page: 'project',
	searchMethod: 'searchProjects',
	sources: () => [
		{
			key: 'all',
			request: LIST_PROJECTS,
			isPaged: true,
			label: (project) => nameOf(project),
			search: { parameter: 'displayName' },
		},
	],
};

/** The project that an operation changes. */
export const ownProjectLocator: Locator = { ...projectLocator, required: true };

export const ownProjectField = locatorField(ownProjectLocator);
