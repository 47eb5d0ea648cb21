import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { locatorField, type Locator } from '../descriptions/locator';
import { sourcesPerProject } from './projectSources';
import { nameOf, openSearch, searchSources } from './search';

async function searchFolders(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const session = await openSearch(this);
	const sources = await sourcesPerProject(session, 'folders', (projectId, projectName) => ({
		request: {
			method: 'GET',
			path: '/v1/folders',
			query: { projectId },
			subject: { noun: 'folders' },
		},
		paged: true,
		label: (folder) => `${nameOf(folder)} (${projectName})`,
	}));
	return await searchSources(session, sources, filter, paginationToken);
}

export const folderLocator: Locator = {
	name: 'folderId',
	displayName: 'Folder',
	noun: 'folder',
	description: 'The folder to work with; the list shows the folders of all projects',
	required: true,
	searchMethod: 'searchFolders',
	search: searchFolders,
};

/** Shared by the operations on a folder. */
export const folderField = locatorField(folderLocator);
