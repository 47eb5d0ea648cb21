import { type ApiRequest, type Endpoint } from '../../transport/client/request';
import { projectNameOf } from '../project/projectNames';
import { inBrackets, type Locator, nameOf, type ProjectLists } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';

export const LIST_FOLDERS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/folders' },
	subject: { noun: 'folders' },
};

export const GET_FOLDER: Endpoint = { method: 'GET', path: '/v1/folders/{id}' };

export const simplifyFolder: Simplify = (folder, source) => {
	// In 0.73 the number of flows is a text in lists, and a number elsewhere (recorded).
	const { numberOfFlows } = folder;
	const flowCount = typeof numberOfFlows === 'string' ? Number(numberOfFlows) : numberOfFlows;
	return {
		name: folder.displayName ?? null,
		flowCount: typeof flowCount === 'number' && !Number.isNaN(flowCount) ? flowCount : null,
		projectName: projectNameOf(folder, source),
		created: folder.created ?? null,
		updated: folder.updated ?? null,
		projectId: folder.projectId ?? null,
		id: folder.id ?? null,
	};
};

const folderLists: ProjectLists = {
	request: LIST_FOLDERS,
	label: (folder, project) => nameOf(folder) + inBrackets(project.name),
};

export const folderLocator: Locator = {
	name: 'folderId',
	displayName: 'Folder',
	noun: 'folder',
	description: 'The folder to operate on. The list shows the folders of all projects.',
	required: true,
	searchMethod: 'searchFolders',
	sources: folderLists,
};

/** The folder of flows. The service accepts `NULL` for flows without a folder (recorded). */
export const folderOrNoneLocator: Locator = {
	...folderLocator,
	description: 'Return only flows in this folder, or in no folder',
	required: false,
	searchMethod: 'searchFoldersOrNone',
	firstEntry: { name: 'No Folder', value: 'NULL' },
	sources: { ...folderLists, isOfChosenProject: true },
};
