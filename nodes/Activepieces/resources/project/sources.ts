import type { IDataObject } from 'n8n-workflow';

import type { ListSource, ServiceSearch } from '../../descriptions/listSource';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { PLACE_WORDS } from '../../transport/errors/words';
import { inProject, fetchProjects, type Project } from '../../transport/paging/projects';
import type { ApiRequest } from '../../transport/request/request';

interface SourceOptions {
	/** The service's own search of the list of a project, where it has one */
	search?: (project: Project) => ServiceSearch;
	/** The only project whose records are listed */
	projectId?: string;
}

/**
 * One source per project, for lists that the service gives only by project.
 *
 * @param label gets a project without a name where the list is of one that the person has chosen
 * @throws {ActivepiecesError} on a service without the list of projects
 */
export async function projectSources(
	client: ApiClient,
	request: ApiRequest,
	label: (record: IDataObject, project: Project) => string,
	{ search, projectId }: SourceOptions = {},
): Promise<ListSource[]> {
	const projects =
		projectId === undefined ? await fetchProjects(client) : [{ id: projectId, name: '' }];
	if (projects === undefined) {
		throw new ActivepiecesError({
			message: `This Activepieces server has no list of projects, so ${request.subject.noun} cannot be listed`,
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
