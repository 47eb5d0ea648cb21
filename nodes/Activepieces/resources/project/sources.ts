import type { IDataObject } from 'n8n-workflow';

import type { ListSource, ServiceSearch } from '../../descriptions/listSource';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { PLACE_WORDS } from '../../transport/errors/words';
import { inProject, fetchProjects, type Project } from '../../transport/paging/projects';
import type { ApiRequest } from '../../transport/request/request';

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
