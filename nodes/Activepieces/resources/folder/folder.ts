import type { IDataObject } from 'n8n-workflow';

import {
	inBrackets,
	type Locator,
	locatorField,
	nameOf,
	type ProjectLists,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { Endpoint } from '../../transport/endpoint';
import type { ApiRequest } from '../../transport/request';
import { projectNameOf } from '../project/names';

export const LIST_FOLDERS: ApiRequest = {
	method: 'GET',
	path: '/v1/folders',
	subject: { noun: 'folders' },
};

/** Returns a folder with the number of its flows. */
export const GET_FOLDER: Endpoint = { method: 'GET', path: '/v1/folders/{id}' };

export const CREATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders' };

/** The service updates by POST; PATCH and PUT are unknown routes. */
export const UPDATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders/{id}' };

export const DELETE_FOLDER: Endpoint = { method: 'DELETE', path: '/v1/folders/{id}' };

/** In 0.73 the number of flows is a text in lists, and a number elsewhere (recorded). */
function flowCount({ numberOfFlows }: IDataObject): number | null {
	const count = typeof numberOfFlows === 'string' ? Number(numberOfFlows) : numberOfFlows;
	return typeof count === 'number' && !Number.isNaN(count) ? count : null;
}

/** The fields of a folder that a person reads, the same for all releases. Missing fields are null. */
export const simplifyFolder: Simplify = (folder, source) => ({
	id: folder.id ?? null,
	name: folder.displayName ?? null,
	projectId: folder.projectId ?? null,
	projectName: projectNameOf(folder, source),
	flowCount: flowCount(folder),
	created: folder.created ?? null,
	updated: folder.updated ?? null,
});

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

/** Shared by the operations on a folder. */
export const folderField = locatorField(folderLocator);
