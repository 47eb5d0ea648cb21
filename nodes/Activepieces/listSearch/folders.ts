import { locatorField, type Locator } from '../descriptions/locator';
import { sourcesPerProject } from './projectSources';
import { nameOf, searchOf } from './search';

export const folderLocator: Locator = {
	name: 'folderId',
	displayName: 'Folder',
	noun: 'folder',
	description: 'The folder to work with; the list shows the folders of all projects',
	required: true,
	searchMethod: 'searchFolders',
	search: searchOf(
		async (session) =>
			await sourcesPerProject(session, 'folders', (projectId, projectName) => ({
				request: {
					method: 'GET',
					path: '/v1/folders',
					query: { projectId },
					subject: { noun: 'folders' },
				},
				paged: true,
				label: (folder) => `${nameOf(folder)} (${projectName})`,
			})),
	),
};

/** Shared by the operations on a folder. */
export const folderField = locatorField(folderLocator);
