import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Locator } from '../descriptions/locator';
import { nameOf, openSearch, searchSources } from './search';

async function searchProjects(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const session = await openSearch(this);
	return await searchSources(
		session,
		[
			{
				request: { method: 'GET', path: '/v1/projects', subject: { noun: 'projects' } },
				paged: true,
				label: (project) => nameOf(project),
			},
		],
		filter,
		paginationToken,
	);
}

export const projectLocator: Locator = {
	name: 'projectId',
	displayName: 'Project',
	noun: 'project',
	description: 'The project whose flows to get. Leave empty for the flows of all projects.',
	required: false,
	searchMethod: 'searchProjects',
	search: searchProjects,
};
