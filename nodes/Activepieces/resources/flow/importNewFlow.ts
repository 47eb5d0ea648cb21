import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { ActivepiecesError, RunEndedError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { requestRecord } from '../../transport/send';
import { nameAndId, shortName } from '../../transport/text';
import { textOf } from '../../transport/values';
import { deleteFlow } from './delete.operation';
import type { FlowContent } from './flowFile';
import { assertNotNewer, importInto, schemaOf, versionOf } from './importFlow';
import { CREATE_FLOW, DELETE_FLOW } from './flow';

export interface NewFlowPlace {
	projectId: string;
	/** undefined for no folder */
	folderId?: string;
	/** Display name of the field with the project */
	field: string;
}

/**
 * Deletes a new flow whose import failed, even if the workflow was canceled.
 *
 * @returns the error of the import, and whether the flow was deleted
 */
async function removeAgain(
	client: ApiClient,
	flow: IDataObject,
	error: unknown,
): Promise<RunEndedError | ActivepiecesError> {
	const id = textOf(flow.id);
	const request = { ...DELETE_FLOW, id, subject: { noun: 'flow' } };
	const isGone = await deleteFlow(client.forCleanUp(), request, limits.cleanUp).then(
		() => true,
		() => false,
	);
	// Nothing is left of the create and the delete.
	if (isGone) client.ledger.outcome = 'nothing';
	const label = nameAndId(textOf(versionOf(flow).displayName), id);
	const left = `The new flow ${label} could not be removed. Delete it in Activepieces.`;
	if (error instanceof RunEndedError) return new RunEndedError(isGone ? undefined : left);
	if (!(error instanceof ActivepiecesError)) throw error;
	const { description } = error;
	return error.withDescription(`${description} ${isGone ? 'The new flow was removed.' : left}`, {
		saysOutcome: true,
	});
}

/** Creates a flow from a file. If the file cannot be imported, no flow is left. */
export async function createFrom(
	client: ApiClient,
	{ projectId, folderId, field }: NewFlowPlace,
	content: FlowContent,
): Promise<IDataObject> {
	const { displayName } = content;
	// The flow format of the server, once an item has shown it
	const server = client.memo<{ schema?: number }>('flow format', () => ({}));
	assertNotNewer(content, server.schema);
	const subject = {
		noun: 'flow',
		field,
		within: { noun: 'project', id: projectId },
	};
	const body = { displayName, projectId, ...(folderId === undefined ? {} : { folderId }) };
	const create = { ...CREATE_FLOW, body, subject };
	const flow = await requestRecord(client.withoutAbort(), create).catch((error: unknown) => {
		if (!client.ledger.mayHaveChanged) throw error;
		const left = `An empty flow "${shortName(displayName)}" may be in the project. If it is, delete it in Activepieces.`;
		if (error instanceof RunEndedError) throw new RunEndedError(left);
		if (!(error instanceof ActivepiecesError)) throw error;
		throw error.withDescription(`${error.description} ${left}`);
	});
	const put = async () => {
		// Only a new flow shows the format of its server (recorded).
		server.schema = schemaOf(flow) ?? server.schema;
		assertNotNewer(content, server.schema, '');
		const target = { id: flow.id, subject: { noun: 'flow' } };
		return await importInto(client, target, flow, content);
	};
	return await put().catch(async (error: unknown) => {
		throw await removeAgain(client, flow, error);
	});
}
