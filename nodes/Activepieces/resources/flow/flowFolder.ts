import { type Locator, nameOf } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/error';
import { requestRecord } from '../../transport/send';
import { shortName } from '../../transport/text';
import { toId } from '../../transport/values';
import { folderOrNoneLocator, GET_FOLDER } from '../folder/folder';

/** The folder for a flow. The first entry means no folder. */
export const flowFolder: Locator = {
	...folderOrNoneLocator,
	description: 'The folder of the flow, in the same project, or no folder',
	emptyMeans: 'no folder',
};

/**
 * Whether a value of the locator means no folder. The service would take it for the ID of a folder
 * (recorded).
 */
export const isNoFolder = (folderId: string): boolean =>
	folderId === folderOrNoneLocator.firstEntry?.value;

/**
 * Checks that a flow can be in a folder. The service responds with 500 for an unknown folder, and
 * accepts a folder of another project: the flow then is in a folder that nobody sees (recorded).
 *
 * @throws {ActivepiecesError} for a folder that is not in the project
 */
export async function assertFolderInProject(
	client: ApiClient,
	folderId: string,
	projectId: string,
): Promise<void> {
	const folder = await requestRecord(client, {
		...GET_FOLDER,
		id: folderId,
		subject: { noun: flowFolder.noun, field: flowFolder.displayName },
	});
	if (toId(folder.projectId) === projectId) return;
	throw new ActivepiecesError({
		message: `The folder "${shortName(nameOf(folder))}" is in another project`,
		description: `A flow and its folder must be in the same project (${projectId}). Choose another folder in ${flowFolder.displayName}. Nothing was changed.`,
	});
}
