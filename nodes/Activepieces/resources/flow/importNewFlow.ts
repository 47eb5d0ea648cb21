import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { ActivepiecesError, isInDoubt, RunEndedError } from '../../transport/error';
import { withoutOutcome } from '../../transport/messages';
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

/** The flow format of the server, shared by all items of a run with one credential. */
const schemas = new WeakMap<object, number>();

/** The error of an ended run, with a note on what is left. */
const endedWith = (error: RunEndedError, note: string): RunEndedError =>
	new RunEndedError(true, [error.note, note].filter(Boolean).join(' '));

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
	const isGone = await deleteFlow(client.forCleanUp(), request).then(
		() => true,
		() => false,
	);
	const label = nameAndId(textOf(versionOf(flow).displayName), id);
	const left = `The new flow ${label} could not be removed. Delete it in Activepieces.`;
	if (error instanceof RunEndedError) return isGone ? new RunEndedError() : endedWith(error, left);
	if (!(error instanceof ActivepiecesError)) throw error;
	const { message, httpStatus } = error;
	// The advice of the failed request no longer applies, because its flow is gone.
	const description = withoutOutcome(error.description);
	return new ActivepiecesError(
		{ message, description: `${description} ${isGone ? 'The new flow was removed.' : left}` },
		{ httpStatus, isAmbiguous: !isGone, isSettled: isGone },
	);
}

/** Creates a flow from a file. If the file cannot be imported, no flow is left. */
export async function createFrom(
	client: ApiClient,
	{ projectId, folderId, field }: NewFlowPlace,
	content: FlowContent,
): Promise<IDataObject> {
	const { displayName } = content;
	assertNotNewer(content, schemas.get(client.perCredential));
	const subject = {
		noun: 'flow',
		field,
		within: { noun: 'project', id: projectId },
	};
	const body = { displayName, projectId, ...(folderId === undefined ? {} : { folderId }) };
	const create = { ...CREATE_FLOW, body, subject };
	const flow = await requestRecord(client.withoutAbort(), create).catch((error: unknown) => {
		const left = `An empty flow "${shortName(displayName)}" may be in the project. If it is, delete it in Activepieces.`;
		if (error instanceof RunEndedError && error.isAmbiguous) throw endedWith(error, left);
		if (!isInDoubt(error)) throw error;
		throw error.withDescription(`${error.description} ${left}`);
	});
	const put = async () => {
		// Only a new flow shows the format of its server (recorded).
		const schema = schemaOf(flow);
		if (schema !== undefined) schemas.set(client.perCredential, schema);
		assertNotNewer(content, schema, '');
		const target = { id: flow.id, subject: { noun: 'flow' } };
		return await importInto(client, target, flow, content);
	};
	return await put().catch(async (error: unknown) => {
		throw await removeAgain(client, flow, error);
	});
}
