import type { IDataObject } from 'n8n-workflow';

import { textField } from '../../descriptions/fields';
import {
	locatorField,
	type RequestTarget,
	requestTarget,
	toLocatorId,
} from '../../descriptions/locator';
import { getUpdate, updateFields } from '../../descriptions/updateFields';
import { toRecordName } from '../../descriptions/recordName';
import type { ApiClient } from '../../transport/client/client';
import { requestRecord } from '../../transport/client/record';
import { ActivepiecesError, validationError } from '../../transport/errors/error';
import { textOf } from '../../transport/values';
import { recordOperation } from '../recordOperation';
import { CHANGE_FLOW, flowLocator, simplifyFlow, versionOf } from './flow';
import { fetchSettledFlow } from './flowChanges';
import { assertFolderInProject, flowFolder, isNoFolder } from './flowFolder';

const NAME = 'Name';

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
		const moved = 'The flow was moved to the folder.';
		throw error.withDescription(`${error.description} ${moved} ${name}`, 'said');
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
		locatorField(flowLocator),
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
