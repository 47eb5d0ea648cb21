import type { IDataObject } from 'n8n-workflow';

import { nameField, textField } from '../../descriptions/fields';
import {
	getOptionalId,
	type Locator,
	locatorField,
	nameOf,
	type RequestTarget,
	requestTarget,
	toLocatorId,
} from '../../descriptions/locator';
import { getUpdate, toRecordName, updateFields } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/item';
import { unconfirmed } from '../../execution/retryOnFail';
import type { ApiClient } from '../../transport/client/client';
import { ActivepiecesError, validationError } from '../../transport/errors/error';
import type { ApiRequest } from '../../transport/client/request';
import { requestRecord } from '../../transport/client/send';
import { shortName } from '../../transport/text';
import { textOf } from '../../transport/values';
import { recordOperation } from '../builders';
import { folderOrNoneLocator, GET_FOLDER } from '../folder/folder';
import { getProjectForNew, projectForNew, subjectInProject } from '../project/project';
import { refusal } from '../refusals';
import { CHANGE_FLOW, CREATE_FLOW, flowField, flowLocator, simplifyFlow, versionOf } from './flow';
import { fetchSettledFlow } from './flowChanges';

export const flowFolder: Locator = {
	...folderOrNoneLocator,
	description: 'The folder of the flow, in the same project, or no folder',
	emptyMeans: 'no folder',
};

/**
 * Whether a value of the locator means no folder. The service would take it for the ID of a folder
 * (recorded).
 */
const isNoFolder = (folderId: string) => folderId === folderOrNoneLocator.firstEntry?.value;

/**
 * Checks that a flow can be in a folder. The service responds with 500 for an unknown folder, and
 * accepts a folder of another project: the flow then is in a folder that nobody sees (recorded).
 */
async function assertFolderInProject(client: ApiClient, folderId: string, projectId: string) {
	const folder = await requestRecord(client, {
		endpoint: GET_FOLDER,
		id: folderId,
		subject: { noun: flowFolder.noun, field: flowFolder.displayName },
	});
	if (folder.projectId === projectId) return;
	throw refusal(
		`The folder "${shortName(nameOf(folder))}" is in another project`,
		`A flow and its folder must be in the same project (${projectId}). Choose another folder in ${flowFolder.displayName}.`,
	);
}

export async function newFlowRequest(
	context: OperationContext,
	locators: { project: Locator; folder: Locator },
	displayName: string,
): Promise<{ projectId: string; request: ApiRequest }> {
	const chosen = getOptionalId(context, locators.folder);
	const projectId = await getProjectForNew(context, locators.project);
	// Omitted for no folder, because null is refused from 0.79 on (recorded).
	const folderId = chosen === undefined || isNoFolder(chosen) ? undefined : chosen;
	if (folderId !== undefined) await assertFolderInProject(context.client, folderId, projectId);
	const request: ApiRequest = {
		endpoint: CREATE_FLOW,
		body: { displayName, projectId, folderId },
		subject: subjectInProject('flow', locators.project, projectId),
	};
	return { projectId, request };
}

const newFlow = {
	project: projectForNew('The project to create the flow in'),
	folder: {
		...flowFolder,
		description: 'The folder to create the flow in. It must be in the same project.',
		hint: 'Leave empty for no folder',
	},
};

const NAME = 'Name';

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create an empty flow in a project',
	hint: 'The new flow has no trigger and is disabled. Each run of this node creates another flow.',
	toolDescription:
		'Creates an empty, disabled flow without a trigger in an Activepieces project, even if a flow with that name already exists, and returns the new flow',
	endpoint: CREATE_FLOW,
	properties: [
		locatorField(newFlow.project),
		nameField(NAME, {
			placeholder: 'e.g. Send invoices',
			description: 'The name of the flow. Several flows can have the same name.',
		}),
		locatorField(newFlow.folder),
	],
	simplify: simplifyFlow,
	async record(context) {
		const displayName = toRecordName(NAME, context.get('displayName', ''), 'flow');
		const { request } = await newFlowRequest(context, newFlow, displayName);
		if (context.tried.isInDoubt) {
			throw unconfirmed(`flow "${displayName}" was created`, 'the flows of the project');
		}
		return await requestRecord(context.client, request);
	},
});

/** The folder to move to; null for no folder. An empty field is refused, because it could mean either. */
function toFolderId(value: unknown): string | null {
	const id = toLocatorId(flowFolder, value);
	if (id !== '') return isNoFolder(id) ? null : id;
	const { displayName, firstEntry } = flowFolder;
	throw validationError(
		`${displayName} is empty`,
		`Choose a folder or ${firstEntry?.name}, or remove ${displayName} from Update Fields.`,
	);
}

const readers = {
	displayName: (value: unknown) => toRecordName(NAME, value, 'flow'),
	folderId: toFolderId,
};

/**
 * Sends the values that differ. The folder comes first, so that no draft is left behind if the name is
 * refused. A name that the flow already has would start a needless draft of a published flow (recorded).
 */
async function updateFlow(
	client: ApiClient,
	target: RequestTarget,
	flow: IDataObject,
	{ displayName, folderId }: { displayName?: string; folderId?: string | null },
): Promise<IDataObject> {
	const change = async (type: string, request: IDataObject) =>
		await requestRecord(client, { endpoint: CHANGE_FLOW, ...target, body: { type, request } });
	const isMoved = folderId !== undefined && textOf(folderId) !== textOf(flow.folderId);
	const moved = isMoved ? await change('CHANGE_FOLDER', { folderId }) : flow;
	if (displayName === undefined || displayName === versionOf(flow).displayName) return moved;
	return await change('CHANGE_NAME', { displayName }).catch((error: unknown) => {
		if (!isMoved || !(error instanceof ActivepiecesError)) throw error;
		// A plain refusal leaves the outcome of the first request.
		const name = error.isRefusal
			? 'Its name was not changed.'
			: 'Could not confirm whether its name was changed.';
		throw error.withDescription(`${error.description} The flow was moved to the folder. ${name}`, {
			saysOutcome: true,
		});
	});
}

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Rename a flow or move it to another folder',
	hint: 'A new name for a published flow is saved in its draft. The published version keeps its name until you publish the flow.',
	toolDescription:
		'Immediately renames the Activepieces flow with the given ID or moves it to another folder, and returns the flow. For a published flow, the new name is an unpublished change',
	endpoint: CHANGE_FLOW,
	properties: [
		flowField,
		updateFields([
			locatorField({
				...flowFolder,
				description: 'The folder to move the flow to. It must be in the project of the flow.',
			}),
			textField(NAME, 'displayName', {
				placeholder: 'e.g. Send invoices',
				description:
					'The new name. If the flow is published, this creates a draft: the published version keeps its name until you publish the flow.',
			}),
		]),
	],
	simplify: simplifyFlow,
	async record(context) {
		const { client } = context;
		const changes = getUpdate(context, readers, `${NAME} or ${flowFolder.displayName}`);
		const target = requestTarget(context, flowLocator);
		const flow = await fetchSettledFlow(client, target);
		const { folderId } = changes;
		if (typeof folderId === 'string' && folderId !== flow.folderId) {
			await assertFolderInProject(client, folderId, textOf(flow.projectId));
		}
		return await updateFlow(client, target, flow, changes);
	},
});
