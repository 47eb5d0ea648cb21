import type { IDataObject } from 'n8n-workflow';

import {
	locatorValue,
	locatorField,
	type RequestTarget,
	requestTarget,
	toLocatorId,
} from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getUpdate, toRecordName, updateFields } from '../../descriptions/parameters';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError, validationError } from '../../transport/error';
import { requestRecord } from '../../transport/send';
import { isRecord, textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { outputRecord } from '../outputRecord';
import { fetchSettledFlow } from './changeFlow';
import { assertFolderInProject, flowFolder, isNoFolder } from './flowFolder';
import { CHANGE_FLOW, flowField, flowLocator, simplifyFlow } from './flow';

const NAME = 'Name';
const MOVED = 'The flow was moved to the folder.';

interface FlowUpdate {
	displayName: string;
	/** null for no folder */
	folderId: string | null;
}

/** The folder to move to; null for no folder. An empty field is refused, because it could mean either. */
function toFolderId(value: unknown): string | null {
	const id = toLocatorId(flowFolder, locatorValue(value) ?? '');
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

const nameOfLatest = ({ version }: IDataObject): unknown =>
	isRecord(version) ? version.displayName : undefined;

/**
 * Sends the values that differ. The folder comes first, so that no draft is left behind if the name is
 * refused. A name that the flow already has would start a needless draft of a published flow (recorded).
 */
async function updateFlow(
	client: ApiClient,
	target: RequestTarget,
	flow: IDataObject,
	{ displayName, folderId }: Partial<FlowUpdate>,
): Promise<IDataObject> {
	const change = async (type: string, request: IDataObject) =>
		await requestRecord(client, { ...CHANGE_FLOW, ...target, body: { type, request } });
	const isMoved = folderId !== undefined && textOf(folderId) !== textOf(flow.folderId);
	const moved = isMoved ? await change('CHANGE_FOLDER', { folderId }) : flow;
	if (displayName === undefined || displayName === nameOfLatest(flow)) return moved;
	return await change('CHANGE_NAME', { displayName }).catch((error: unknown) => {
		if (!isMoved || !(error instanceof ActivepiecesError)) throw error;
		// A plain refusal leaves the outcome of the first request.
		const isRefused = error.nothingChanged || error.isRefusal;
		const name = isRefused
			? 'Its name was not changed.'
			: 'Could not confirm whether its name was changed.';
		throw error.withDescription(`${error.description} ${MOVED} ${name}`, { saysOutcome: true });
	});
}

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update flow',
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
			{
				displayName: NAME,
				name: 'displayName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Send invoices',
				description:
					'The new name. If the flow is published, this creates a draft: the published version keeps its name until you publish the flow.',
			},
		]),
		...outputFields,
	],
	simplify: simplifyFlow,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyFlow);
		const changes = getUpdate<FlowUpdate>(context, readers, `${NAME} or ${flowFolder.displayName}`);
		const target = requestTarget(context, flowLocator);
		const flow = await fetchSettledFlow(client, target);
		const { folderId } = changes;
		if (typeof folderId === 'string' && folderId !== flow.folderId) {
			await assertFolderInProject(client, folderId, textOf(flow.projectId));
		}
		return await outputRecord(client, output, await updateFlow(client, target, flow, changes));
	},
};
