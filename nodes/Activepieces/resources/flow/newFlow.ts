import { type OperationContext } from '../../execution/operationContext';
import { type ApiRequest, type Endpoint } from '../../transport/client/request';
import { getOptionalId, type Locator } from '../../descriptions/locator';
import { getProjectForNew, subjectInProject } from '../project/project';
import { assertFolderInProject, isNoFolder } from './flowFolder';

export const CREATE_FLOW: Endpoint = { method: 'POST', path: '/v1/flows' };

/**
 * The request that creates a flow in the project and the folder that an item names.
 *
 * @throws {ActivepiecesError} when there is no such project, or the folder is in another one
 */
export async function newFlowRequest(
	context: OperationContext,
	locators: { project: Locator; folder: Locator },
	displayName: string,
): Promise<{ projectId: string; request: ApiRequest }> {
	const chosen = getOptionalId(context, locators.folder);
	const project = await getProjectForNew(context, locators.project);
	const { id: projectId } = project;
	// Omitted for no folder, because null is refused from 0.79 on (recorded).
	const folderId = chosen === undefined || isNoFolder(chosen) ? undefined : chosen;
	if (folderId !== undefined) await assertFolderInProject(context.client, folderId, projectId);
	const request: ApiRequest = {
		endpoint: CREATE_FLOW,
		body: { displayName, projectId, folderId },
		subject: subjectInProject('flow', project),
	};
	return { projectId, request };
}
