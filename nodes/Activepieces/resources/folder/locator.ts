import { type Locator, locatorField } from '../../descriptions/locator';
import { nameOf } from '../../descriptions/listSource';
import { projectSources } from '../project/sources';
import { LIST_FOLDERS } from './requests';

export const folderLocator: Locator = {
	name: 'folderId',
	displayName: 'Folder',
	noun: 'folder',
	description: 'The folder to operate on. The list shows the folders of all projects.',
	required: true,
	searchMethod: 'searchFolders',
	sources: async (client) =>
		await projectSources(
			client,
			LIST_FOLDERS,
			(folder, project) => `${nameOf(folder)} (${project.name})`,
		),
};

/** Shared by the operations on a folder. */
export const folderField = locatorField(folderLocator);
