import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError, isInDoubt, RunEndedError } from '../../transport/error';
import { withoutOutcome } from '../../transport/messages';
import { requestRecord } from '../../transport/send';
import { nameAndId, shortName } from '../../transport/text';
import { isRecord, textOf } from '../../transport/values';
import {
	CHANGE_FLOW,
	CREATE_FLOW,
	DELETE_FLOW,
	GET_FLOW,
	labelOf,
	stepsOf,
	versionOf,
} from './flow';
import { type FlowContent, sortedCopy } from './flowFile';
import { deleteFlow } from './status.operation';

/** The version of the flow format that a server uses; undefined when the server does not say it. */
export const schemaOf = (flow: IDataObject): number | undefined =>
	Number(textOf(versionOf(flow).schemaVersion)) || undefined;

/**
 * Compares the format of a file with that of the server. Activepieces imports, publishes and runs a flow
 * of a newer format, and silently loses part of it (recorded).
 *
 * @param whatIsDone what happened to the flow
 * @throws {ActivepiecesError} when the format of the file is newer
 */
export function assertNotNewer(
	{ displayName, schemaVersion }: FlowContent,
	server: number | undefined,
	whatIsDone = 'Nothing was changed.',
): void {
	if (schemaVersion === null || server === undefined || Number(schemaVersion) <= server) return;
	throw new ActivepiecesError(
		{
			message: `The flow "${shortName(displayName)}" was exported from a newer Activepieces release than the one on this server`,
			description: `Its schemaVersion is ${schemaVersion}, but this server uses ${server}. Some data of the flow would be missing when it runs. Update Activepieces on this server, or export the flow from a server with the same or an older release. ${whatIsDone}`,
		},
		{ isSettled: true },
	);
}

/**
 * The request for an import. Each step needs a time, which an export leaves out and the service replaces
 * (recorded).
 */
function importRequest({ displayName, trigger, schemaVersion, notes }: FlowContent): IDataObject {
	const dated = sortedCopy(trigger);
	const lastUpdatedDate = new Date().toISOString();
	for (const step of stepsOf(dated)) step.lastUpdatedDate = lastUpdatedDate;
	const written = schemaVersion === null ? {} : { schemaVersion };
	return { displayName, trigger: dated, ...written, notes };
}

/**
 * Identifies the steps of a flow for a comparison. A flow in an older format has other settings, and may
 * have other pieces.
 */
function outlineOf(trigger: unknown, isSameFormat: boolean): string {
	const steps = isRecord(trigger) ? stepsOf(trigger) : [];
	const lines = steps.map(({ name, type, settings }) => {
		const { pieceName, actionName, triggerName } = isRecord(settings) ? settings : {};
		const kind = [type, pieceName, actionName, triggerName].map(textOf).join(' ');
		return `${textOf(name)} ${isSameFormat ? kind : ''}`;
	});
	return lines.sort().join('\n');
}

/** Whether the latest version of a flow is the one that was sent. */
function isImported(flow: IDataObject, { displayName, trigger, schemaVersion }: FlowContent) {
	const version = versionOf(flow);
	const isSameFormat = schemaVersion !== null && schemaVersion === version.schemaVersion;
	return (
		version.displayName === displayName &&
		outlineOf(version.trigger, isSameFormat) === outlineOf(trigger, isSameFormat)
	);
}

const timeOf = (flow: IDataObject): string =>
	`${textOf(versionOf(flow).id)} ${textOf(versionOf(flow).updated)}`;

/**
 * Imports a file as the draft of a flow, and reads back what the service has stored.
 *
 * @param before the flow before the import
 * @throws {ActivepiecesError} when the service refused the file, or stored something else
 */
export async function importInto(
	client: ApiClient,
	target: RequestTarget,
	before: IDataObject,
	content: FlowContent,
): Promise<IDataObject> {
	const fetchFlow = async () => await requestRecord(client, { ...GET_FLOW, ...target });
	const body = { type: 'IMPORT_FLOW', request: importRequest(content) };
	const flow = await requestRecord(client, { ...CHANGE_FLOW, ...target, body }).then(
		fetchFlow,
		async (error: unknown) => {
			if (!isInDoubt(error)) throw error;
			// The response may have been lost.
			const now = await fetchFlow().catch(() => before);
			if (timeOf(now) === timeOf(before) || !isImported(now, content)) throw error;
			return now;
		},
	);
	if (isImported(flow, content)) return flow;
	throw new ActivepiecesError({
		message: `Activepieces did not store the steps of ${labelOf(flow)} as they were sent`,
		description:
			'Someone may be editing the flow. Compare the flow in Activepieces with Content before you run the node again.',
	});
}

interface NewFlowPlace {
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
