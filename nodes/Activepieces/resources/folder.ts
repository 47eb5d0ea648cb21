import type { IDataObject } from 'n8n-workflow';

import {
	inBrackets,
	type Locator,
	locatorField,
	nameOf,
	type ProjectLists,
	requestTarget,
} from '../descriptions/locator';
import { getOutputMode, outputFields, type Simplify } from '../descriptions/output';
import { getOption, toRecordName } from '../descriptions/parameters';
import { unconfirmed } from '../execution/retryOnFail';
import type { ApiClient } from '../transport/client';
import type { Endpoint } from '../transport/endpoint';
import { ActivepiecesError } from '../transport/error';
import { limits } from '../transport/limits';
import { collect } from '../transport/pages';
import { inProject } from '../transport/projects';
import type { ApiRequest } from '../transport/request';
import { requestRecord } from '../transport/send';
import { textOf } from '../transport/values';
import {
	deleteOperation,
	getOperation,
	listOperation,
	outputRecord,
	projectNameOf,
} from './builders';
import type { Operation, Resource } from './operation';
import { getProjectForNew, projectForNew, projectLocator } from './project/project';

const LIST_FOLDERS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/folders' },
	subject: { noun: 'folders' },
};

/** Returns a folder with the number of its flows. */
export const GET_FOLDER: Endpoint = { method: 'GET', path: '/v1/folders/{id}' };

const CREATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders' };

/** The service updates by POST; PATCH and PUT are unknown routes. */
const UPDATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders/{id}' };

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

const folderLocator: Locator = {
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
const folderField = locatorField(folderLocator);

const getAll = listOperation({
	action: 'Get many folders',
	description:
		'Get the folders of a project, or of all projects, with the number of flows in each folder',
	hint: 'Returns one item per folder',
	toolDescription:
		'Returns the folders of an Activepieces project, or of all projects if none is given, with the number of flows in each folder',
	request: LIST_FOLDERS,
	project: {
		...projectLocator,
		description: 'The project to get the folders from',
		hint: 'Leave empty for the folders of all projects',
	},
	simplify: simplifyFolder,
});

const get = getOperation({
	action: 'Get folder',
	description: 'Get a folder and the number of flows in it',
	toolDescription: 'Returns one folder of Activepieces flows by its ID',
	endpoint: GET_FOLDER,
	locator: folderLocator,
	field: folderField,
	simplify: simplifyFolder,
});

const folderProject = projectForNew('The project to create the folder in');

const IF_EXISTS = ['error', 'use'] as const;

/** The message when an earlier try may have created a folder of another name, or in another project. */
const inDoubt = (displayName: string) =>
	unconfirmed(`the folder "${displayName}" was created`, {
		attempt:
			'to create it failed without a clear result, and an expression now gives another name or project',
		check: 'the folders',
	});

/** Finds a folder of the project by its name, ignoring case. */
async function fetchFolderByName(
	client: ApiClient,
	projectId: string,
	name: string,
): Promise<IDataObject | undefined> {
	const wanted = name.toLowerCase();
	const subject = { ...LIST_FOLDERS.subject, field: folderProject.displayName };
	const folders = inProject({ ...LIST_FOLDERS, subject }, { id: projectId });
	const [folder] = await collect(client, folders, {
		pageSize: limits.defaultPageSize,
		take: (each) => (nameOf(each).toLowerCase() === wanted ? each : undefined),
	});
	return folder;
}

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create folder',
	description: 'Create a folder in a project',
	toolDescription: 'Creates a folder for flows in an Activepieces project and returns the folder',
	endpoint: CREATE_FOLDER,
	properties: [
		locatorField(folderProject),
		{
			displayName: 'Name',
			name: 'displayName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Marketing',
			description: 'The name of the folder. Folder names are not case-sensitive.',
		},
		{
			displayName: 'If Folder Exists',
			name: 'ifExists',
			type: 'options',
			options: [
				{
					name: 'Return an Error',
					value: 'error',
					description: 'Fails the item and changes nothing',
				},
				{
					name: 'Use Existing Folder',
					value: 'use',
					description: 'Returns the existing folder and changes nothing',
				},
			],
			default: 'error',
			description: 'What to do if the project already has a folder with that name',
		},
		...outputFields,
	],
	// The service's own create renames a folder whose name differs only in case (recorded), so the node
	// looks for one first.
	simplify: simplifyFolder,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyFolder);
		const displayName = toRecordName('Name', context.get('displayName', ''), 'folder');
		const ifExists = getOption(context, 'If Folder Exists', 'ifExists', IF_EXISTS, 'error');
		const projectId = await getProjectForNew(context, folderProject);
		const { tried } = context;
		const before = tried.keepBefore({ projectId, displayName });
		const isOther = before.projectId !== projectId || before.displayName !== displayName;
		if (tried.isInDoubt && isOther) throw inDoubt(textOf(before.displayName));
		const existing = await fetchFolderByName(client, projectId, displayName);
		if (existing !== undefined) {
			// The folder did not exist before an earlier try. Read by ID, because lists of 0.73 return the number
			// of flows as text (recorded).
			if (ifExists === 'use' || tried.isInDoubt) {
				const request = { endpoint: GET_FOLDER, id: existing.id, subject: { noun: 'folder' } };
				return await outputRecord(client, output, await requestRecord(client, request));
			}
			throw new ActivepiecesError({
				message: `The project already has a folder "${nameOf(existing)}"`,
				description:
					'Change Name, or set If Folder Exists to Use Existing Folder. Folder names are not case-sensitive. Nothing was changed.',
			});
		}
		const request: ApiRequest = {
			endpoint: CREATE_FOLDER,
			body: { displayName, projectId },
			subject: {
				noun: 'folder',
				field: folderProject.displayName,
				within: { noun: 'project', id: projectId },
			},
		};
		return await outputRecord(client, output, await requestRecord(client, request));
	},
};

const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update folder',
	description: 'Rename a folder',
	toolDescription:
		'Immediately renames the Activepieces folder with the given ID and returns the folder',
	endpoint: UPDATE_FOLDER,
	properties: [
		folderField,
		{
			displayName: 'New Name',
			name: 'displayName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Marketing',
			description:
				'The new name. It must be unique in the project. Folder names are not case-sensitive.',
		},
		...outputFields,
	],
	simplify: simplifyFolder,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyFolder);
		const displayName = toRecordName('New Name', context.get('displayName', ''), 'folder');
		const target = requestTarget(context, folderLocator);
		const request: ApiRequest = {
			endpoint: UPDATE_FOLDER,
			...target,
			subject: { ...target.subject, newName: displayName },
			body: { displayName },
		};
		return await outputRecord(client, output, await requestRecord(client, request));
	},
};

const remove = deleteOperation({
	action: 'Delete folder',
	description: 'Permanently delete a folder. Its flows are kept, without a folder.',
	hint: 'Deletes one folder per input item. This cannot be undone. Its flows are kept, without a folder.',
	toolDescription:
		'Permanently deletes the Activepieces folder with the given ID and returns {"deleted": true}. Its flows are kept, without a folder',
	endpoint: { method: 'DELETE', path: '/v1/folders/{id}' },
	locator: folderLocator,
	field: folderField,
});

export const folder: Resource = {
	name: 'Folder',
	value: 'folder',
	locators: [folderLocator, folderOrNoneLocator],
	operations: [getAll, get, create, update, remove],
};
