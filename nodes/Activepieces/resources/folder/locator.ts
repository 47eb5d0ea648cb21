import { type Locator, locatorField } from '../../descriptions/locator';
import { inBrackets, type GetSources, nameOf } from '../../descriptions/listSource';
import { fetchProjectSources } from '../project/sources';
import { LIST_FOLDERS } from './requests';

const folderSources: GetSources = async (client, projectId) =>
	await fetchProjectSources(
		client,
		LIST_FOLDERS,
		(folder, project) => nameOf(folder) + inBrackets(project.name),
		{ projectId },
	);

export const folderLocator: Locator = {
	name: 'folderId',
	displayName: 'Folder',
	noun: 'folder',
	description: 'The folder to operate on. The list shows the folders of all projects.',
	required: true,
	searchMethod: 'searchFolders',
	sources: async (client) => await folderSources(client),
};

/** The folder of flows. The service accepts `NULL` for flows without a folder (recorded). */
export const folderOrNoneLocator: Locator = {
	...folderLocator,
	description: 'Return only flows in this folder, or in no folder',
	required: false,
	searchMethod: 'searchFoldersOrNone',
	firstEntry: { name: 'No Folder', value: 'NULL' },
	sources: folderSources,
};

/** Shared by the operations on a folder. */
export const folderField = locatorField(folderLocator);
