import type { IDataObject } from 'n8n-workflow';

import { ifExistsField, nameField } from '../../descriptions/fields';
import { locatorField, nameOf } from '../../descriptions/locator';
import { getOption } from '../../descriptions/parameters';
import { toRecordName } from '../../descriptions/recordName';
import type { OperationContext } from '../../execution/operationContext';
import { requestRecord } from '../../transport/client/record';
import type { Endpoint } from '../../transport/client/request';
import { findInList } from '../../transport/lists/pages';
import { inProject } from '../../transport/lists/projects';
import { textOf } from '../../transport/values';
import { getProjectForNew, projectForNew, subjectInProject } from '../project/project';
import { recordOperation } from '../recordOperation';
import { refusal, unconfirmed } from '../refusals';
import { GET_FOLDER, LIST_FOLDERS, simplifyFolder } from './folder';

const CREATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders' };

const ifFolderExists = ifExistsField(
	'If Folder Exists',
	'Folder',
	'What to do if the project already has a folder with that name',
);

const folderProject = projectForNew('The project to create the folder in');

/**
 * The service's own create renames a folder whose name differs only in case (recorded), so the node looks
 * for one first.
 */
async function createFolder(context: OperationContext): Promise<IDataObject> {
	const { client, tried } = context;
	const displayName = toRecordName('Name', context.get('displayName', ''), 'folder');
	const ifExists = getOption(context, ifFolderExists);
	const project = await getProjectForNew(context, folderProject);
	const { id: projectId } = project;
	const before = tried.keepBefore({ projectId, displayName });
	const isOther = before.projectId !== projectId || before.displayName !== displayName;
	if (tried.isInDoubt && isOther) {
		throw unconfirmed(
			`the folder "${textOf(before.displayName)}" was created`,
			'the folders',
			'to create it failed without a clear result, and an expression now gives another name or project',
		);
	}
	const name = displayName.toLowerCase();
	const folders = inProject(LIST_FOLDERS, project);
	const existing = await findInList(client, folders, (each) => nameOf(each).toLowerCase() === name);
	if (existing === undefined) {
		return await requestRecord(client, {
			endpoint: CREATE_FOLDER,
			body: { displayName, projectId },
			subject: subjectInProject('folder', project),
		});
	}
	if (ifExists === 'use' || tried.isInDoubt) {
		// An earlier try created it, because it did not exist before. Read by ID, because lists of 0.73 return
		// the number of flows as text (recorded).
		const request = { endpoint: GET_FOLDER, id: existing.id, subject: { noun: 'folder' } };
		return await requestRecord(client, request);
	}
	throw refusal(
		`The project already has a folder "${nameOf(existing)}"`,
		'Change Name, or set If Folder Exists to Use Existing Folder. Folder names are not case-sensitive.',
	);
}

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create a folder in a project',
	toolDescription: 'Creates a folder for flows in an Activepieces project and returns the folder',
	endpoint: CREATE_FOLDER,
	properties: [
		locatorField(folderProject),
		nameField('Name', {
			placeholder: 'e.g. Marketing',
			description: 'The name of the folder. Folder names are not case-sensitive.',
		}),
		ifFolderExists,
	],
	simplify: simplifyFolder,
	record: createFolder,
});
