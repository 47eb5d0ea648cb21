import type { IDataObject } from 'n8n-workflow';

import type { ListSource, ServiceSearch } from '../../descriptions/listSource';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { inProject, fetchProjects, type Project } from '../../transport/paging/projects';
import type { ApiRequest } from '../../transport/request';

/**
 * One source per project, for lists that the service gives only by project.
 *
 * @param search the service's own search of the list of a project, where it has one
 *
 * @throws {ActivepiecesError} on a service without the list of projects
 */
export async function projectSources(
	client: ApiClient,
	request: ApiRequest,
	label: (record: IDataObject, project: Project) => string,
	search?: (project: Project) => ServiceSearch,
): Promise<ListSource[]> {
	const projects = await fetchProjects(client);
	if (projects === undefined) {
		throw new ActivepiecesError({
			message: `This Activepieces server has no list of projects, so ${request.subject.noun} cannot be listed`,
			description: 'Enter the ID with By ID instead.',
		});
	}
	return projects.map((project) => ({
		key: project.id,
		request: inProject(request, project),
		isPaged: true,
		label: (record) => label(record, project),
		search: search?.(project),
	}));
}
