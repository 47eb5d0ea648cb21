import type { IDataObject } from 'n8n-workflow';

import { named } from '../descriptions/field';
import { ifExists, recordName } from '../descriptions/kinds';
import { inBrackets, nameOf, type Locator, type ProjectLists } from '../descriptions/locator';
import type { Simplify } from '../descriptions/output';
import type { ApiClient } from '../transport/api/client';
import { inProject, type ApiRequest, type Endpoint } from '../transport/client/request';
import { refusal } from '../transport/errors/error';
import { recordOf, textOf } from '../transport/values';
import { deleteOperation, listOperation, operation, type Resource } from './operation';
import {
	newProject,
	projectNameOf,
	projectToList,
	subjectInProject,
	type ChosenProject,
} from './project/project';

const LIST_FOLDERS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/folders', order: 'oldestFirst', worksOn073: true },
	subject: { noun: 'folders' },
};

export const GET_FOLDER: Endpoint = { method: 'GET', path: '/v1/folders/{id}', worksOn073: true };

const simplifyFolder: Simplify = (folder, source) => {
	const { numberOfFlows: flowCount } = folder;
	return {
		name: folder.displayName ?? null,
		flowCount: typeof flowCount === 'number' ? flowCount : null,
		projectName: projectNameOf(folder, source),
		created: folder.created ?? null,
		updated: folder.updated ?? null,
		projectId: folder.projectId ?? null,
		id: folder.id ?? null,
	};
};

/**
 * The name of a folder as the project has it, in any letter case: the service renames the folder to the name that a new
 * flow asks for (recorded). The folders are read once for all input items.
 */
export async function exactFolderName(
	client: ApiClient,
	project: ChosenProject,
	name: string,
): Promise<string> {
	if (name === '') return name;
	const names = await client.cached(`folder names of ${project.id}`, async () => {
		const folders = await client.fetchList(inProject(LIST_FOLDERS, project));
		return new Map(folders.map((folder) => [nameOf(folder).toLowerCase(), nameOf(folder)]));
	});
	const exact = names.get(name.toLowerCase()) ?? name;
	// The flow creates the folder.
	names.set(name.toLowerCase(), exact);
	return exact;
}

const folderLists: ProjectLists = {
	request: LIST_FOLDERS,
	label: (folder, project) => nameOf(folder) + inBrackets(project.name),
};

const folderLocator: Locator = {
	name: 'folderId',
	displayName: 'Folder',
	noun: 'folder',
	description: 'The folder to operate on. The list shows the folders of all projects.',
	required: true,
	byName: ({ displayName }) => displayName,
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

const getAll = listOperation({
	description:
		'Get the folders of a project, or of all projects, with the number of flows in each folder',
	toolDescription:
		'Returns the folders of an Activepieces project, or of all projects if none is given, with the number of flows in each folder',
	request: LIST_FOLDERS,
	project: projectToList('folders'),
	simplify: simplifyFolder,
});

const get = operation({
	name: 'Get',
	value: 'get',
	description: 'Get a folder and the number of flows in it',
	toolDescription: 'Returns one folder of Activepieces flows by its ID',
	endpoint: GET_FOLDER,
	fields: { folder: named(folderLocator) },
	simplify: simplifyFolder,
});

const CREATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders' };

const create = operation({
	name: 'Create',
	value: 'create',
	description: 'Create a folder in a project',
	toolDescription: 'Creates a folder for flows in an Activepieces project and returns the folder',
	endpoint: CREATE_FOLDER,
	fields: {
		project: newProject('The project to create the folder in'),
		displayName: recordName('Name', 'folder', {
			placeholder: 'e.g. Marketing',
			description: 'The name of the folder. Folder names are not case-sensitive.',
		}),
		existing: ifExists(
			'If Folder Exists',
			'Folder',
			'What to do if the project already has a folder with that name',
		),
	},
	simplify: simplifyFolder,
	/**
	 * The service's own create renames a folder whose name differs only in case (recorded), so the node looks
	 * for one first.
	 */
	async record({ project, displayName, existing: ifThere }, { client }) {
		const { id: projectId } = project;
		const name = displayName.toLowerCase();
		const change = `the folder "${displayName}" was created`;
		return await client.makeChange({
			// The service has no two folders with one name: it responds with the one that exists (recorded).
			idempotency: {
				key: [projectId, displayName],
				change,
				lookIn: 'the folders',
				isIdempotent: true,
			},
			async find() {
				const isSame = (each: IDataObject) => nameOf(each).toLowerCase() === name;
				return await client.findInList(inProject(LIST_FOLDERS, project), isSame);
			},
			onExisting(existing) {
				if (ifThere === 'use') return existing;
				throw refusal(
					`The project already has a folder "${nameOf(existing)}"`,
					'Change Name, or set If Folder Exists to Use Existing Folder. Folder names are not case-sensitive.',
				);
			},
			send: async () =>
				await client.requestRecord({
					endpoint: CREATE_FOLDER,
					body: { displayName, projectId },
					subject: subjectInProject('folder', project),
				}),
		});
	},
});

/** The same name once more changes nothing, so a later try of *Retry On Fail* may send it again, without `makeChange`. */
const update = operation({
	name: 'Update',
	value: 'update',
	description: 'Rename a folder',
	toolDescription:
		'Immediately renames the Activepieces folder with the given ID and returns the folder',
	// The service updates by POST; PATCH and PUT are unknown routes.
	endpoint: {
		method: 'POST',
		path: '/v1/folders/{id}',
		worksOn073: true,
		rules: [
			{
				from: 'service',
				status: 'conflict',
				code: 'VALIDATION',
				// "Folder displayName is used" (recorded)
				says: /is used/,
				message: (_words, { request: { body } }) =>
					`Another folder in the project already has the name "${textOf(recordOf(body).displayName)}"`,
				description: 'Names are not case-sensitive. Change New Name and run the node again.',
			},
		],
	},
	fields: {
		folder: named(folderLocator),
		displayName: recordName('New Name', 'folder', {
			placeholder: 'e.g. Marketing',
			description:
				'The new name. It must be unique in the project. Folder names are not case-sensitive.',
		}),
	},
	simplify: simplifyFolder,
});

const remove = deleteOperation({
	description: 'Permanently delete a folder. Its flows are kept, without a folder.',
	hint: 'Deletes one folder per input item. This cannot be undone. Its flows are kept, without a folder.',
	toolDescription:
		'Permanently deletes the Activepieces folder with the given ID and returns {"deleted": true}. Its flows are kept, without a folder',
	endpoint: { method: 'DELETE', path: '/v1/folders/{id}' },
	fields: { folder: named(folderLocator) },
});

export const folder: Resource = {
	name: 'Folder',
	value: 'folder',
	locators: [folderLocator, folderOrNoneLocator],
	operations: [getAll, get, create, update, remove],
};
