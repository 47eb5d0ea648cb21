import type { IDataObject } from 'n8n-workflow';

import { getOptionalId, type Locator, locatorField, nameOf } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getOption, toRecordName } from '../../descriptions/parameters';
import { unconfirmed } from '../../execution/retryOnFail';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { fetchList } from '../../transport/lists';
import { inProject } from '../../transport/projects';
import { createRecordCollector } from '../../transport/pages';
import { requestRecord } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import { textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { outputRecord } from '../outputRecord';
import { projectLocator } from '../project/project';
import { fetchOnlyProject } from '../project/names';
import { CREATE_FOLDER, GET_FOLDER, LIST_FOLDERS, simplifyFolder } from './folder';

const folderProject: Locator = {
	...projectLocator,
	description: 'The project to create the folder in',
	hint: 'Leave empty if you have access to only one project',
	emptyMeans: 'the only project',
};

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
	const collector = createRecordCollector(Infinity, (folder) =>
		nameOf(folder).toLowerCase() === wanted ? folder : undefined,
	);
	const subject = { ...LIST_FOLDERS.subject, field: folderProject.displayName };
	const folders = inProject({ ...LIST_FOLDERS, subject }, { id: projectId });
	await fetchList(client, folders, limits.defaultPageSize, collector);
	return collector.records[0];
}

export const create: Operation = {
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
		const projectId =
			getOptionalId(context, folderProject) ??
			(await fetchOnlyProject(client, folderProject.displayName));
		const { tried } = context;
		const before = (tried.before ??= { projectId, displayName });
		const isOther = before.projectId !== projectId || before.displayName !== displayName;
		if (tried.isInDoubt && isOther) throw inDoubt(textOf(before.displayName));
		const existing = await fetchFolderByName(client, projectId, displayName);
		if (existing !== undefined) {
			// The folder did not exist before an earlier try. Read by ID, because lists of 0.73 return the number
			// of flows as text (recorded).
			if (ifExists === 'use' || tried.isInDoubt) {
				const request = { ...GET_FOLDER, id: existing.id, subject: { noun: 'folder' } };
				return await outputRecord(client, output, await requestRecord(client, request));
			}
			throw new ActivepiecesError({
				message: `The project already has a folder "${nameOf(existing)}"`,
				description:
					'Change Name, or set If Folder Exists to Use Existing Folder. Folder names are not case-sensitive. Nothing was changed.',
			});
		}
		const request: ApiRequest = {
			...CREATE_FOLDER,
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
