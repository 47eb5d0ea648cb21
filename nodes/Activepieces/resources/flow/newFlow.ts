import { optionalId, together } from '../../descriptions/field';
import { nameOf, type Locator } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest, Endpoint } from '../../transport/client/request';
import { refusal } from '../../transport/errors/error';
import { shortName } from '../../transport/texts';
import { folderOrNoneLocator, GET_FOLDER } from '../folder';
import { subjectInProject, type ChosenProject } from '../project/project';

export const flowFolder: Locator = {
	...folderOrNoneLocator,
	description: 'The folder of the flow, in the same project, or no folder',
	emptyMeans: 'no folder',
};

/**
 * Whether a value of the locator means no folder. The service would take it for the ID of a folder
 * (recorded).
 */
export function isNoFolder(folderId: string): boolean {
	const { name, value } = folderOrNoneLocator.firstEntry!;
	return [name, value].includes(folderId);
}

/**
 * Checks that a flow of a project, or of any, can be in a folder. The service responds with 500 for an unknown folder, and
 * accepts a folder of another project: the flow then is in a folder that nobody sees (recorded).
 */
export async function assertFolderInProject(
	client: ApiClient,
	folderId: string,
	projectId: string | null,
) {
	const folder = await client.requestRecord({
		endpoint: GET_FOLDER,
		id: folderId,
		subject: { noun: flowFolder.noun, field: flowFolder.displayName },
	});
	if (projectId === null || folder.projectId === projectId) return;
	throw refusal(
		`The folder "${shortName(nameOf(folder))}" is in another project`,
		`A flow and its folder must be in the same project (${projectId}). Choose another folder in ${flowFolder.displayName}.`,
	);
}

/** The folder of a new flow; no value for no folder, because the service refuses null from 0.79 on (recorded). */
export const newFolder = (texts: Pick<Locator, 'description' | 'hint'>) =>
	together({ id: optionalId({ ...flowFolder, ...texts }) }, ({ id }) =>
		id === undefined || isNoFolder(id) ? undefined : id,
	);

export const CREATE_FLOW: Endpoint = { method: 'POST', path: '/v1/flows' };

/**
 * The request that creates a flow in a project and a folder of it.
 *
 * @throws {ActivepiecesError} when the folder is in another project
 */
export async function newFlowRequest(
	client: ApiClient,
	project: ChosenProject,
	folderId: string | undefined,
	displayName: string,
): Promise<ApiRequest> {
	const { id: projectId } = project;
	if (folderId !== undefined) await assertFolderInProject(client, folderId, projectId);
	return {
		endpoint: CREATE_FLOW,
		body: { displayName, projectId, folderId },
		subject: subjectInProject('flow', project),
	};
}
