import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import type { Endpoint } from '../../transport/endpoint';
import { ActivepiecesError, RunEndedError } from '../../transport/error';
import { isStatus } from '../../transport/httpStatus';
import { limits } from '../../transport/limits';
import { when } from '../../transport/messages';
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
	throw new ActivepiecesError({
		message: `The flow "${shortName(displayName)}" was exported from a newer Activepieces release than the one on this server`,
		description: `Its schemaVersion is ${schemaVersion}, but this server uses ${server}. Some data of the flow would be missing when it runs. Update Activepieces on this server, or export the flow from a server with the same or an older release. ${whatIsDone}`,
	});
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

/** In the description when the flow could not be read after the import */
const REPLACED = 'The draft was replaced.';

/** The service refuses unknown types of triggers, and steps without their fields. */
const IMPORT_FLOW: Endpoint = {
	...CHANGE_FLOW,
	rules: [
		when([({ status, isHtml }) => isStatus(status, 'badRequest') && !isHtml], ({ quoted }) => ({
			message: 'Activepieces did not accept the flow in Content',
			description: `${quoted}Check the trigger and the steps in Content.`,
		})),
	],
};

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
	const fetchFlow = async () => await requestRecord(client, { endpoint: GET_FLOW, ...target });
	const body = { type: 'IMPORT_FLOW', request: importRequest(content) };
	const isSent = await requestRecord(client, { endpoint: IMPORT_FLOW, ...target, body }).then(
		() => true,
		(error: unknown) => error,
	);
	let flow: IDataObject;
	if (isSent === true) {
		flow = await fetchFlow().catch((error: unknown) => {
			if (!(error instanceof ActivepiecesError)) throw error;
			const replaced = `${REPLACED} Check in Activepieces before you run the node again.`;
			throw error.withDescription(`${error.description} ${replaced}`, { saysOutcome: true });
		});
	} else {
		if (!client.ledger.mayHaveChanged) throw isSent;
		// The response may have been lost.
		flow = await fetchFlow().catch(() => before);
		if (timeOf(flow) === timeOf(before) || !isImported(flow, content)) throw isSent;
	}
	if (isImported(flow, content)) return flow;
	throw new ActivepiecesError(
		{
			message: `Activepieces did not store the steps of ${labelOf(flow)} as they were sent`,
			description:
				'Someone may be editing the flow. Compare the flow in Activepieces with Content before you run the node again.',
		},
		{ saysOutcome: true },
	);
}

interface NewFlowPlace {
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
	const request = { endpoint: DELETE_FLOW, id, subject: { noun: 'flow' } };
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
	const create = { endpoint: CREATE_FLOW, body, subject };
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
