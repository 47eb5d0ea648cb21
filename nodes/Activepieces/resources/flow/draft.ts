import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest, Endpoint, RequestTarget } from '../../transport/client/request';
import { ActivepiecesError, outcomeError, refusal, withNote } from '../../transport/errors/error';
import { nameAndId, shortName } from '../../transport/texts';
import { recordOf, textOf } from '../../transport/values';
import { contentOf, withSecretsOf, withTimes, type FlowContent } from './content';
import {
	CHANGE_FLOW,
	CHANGE_RULES,
	fetchFlow,
	labelOf,
	stepsOf,
	versionOf,
	wasPublished,
} from './flow';
import { DELETE_FLOW, deleteFlow } from './status';

/** The version of the flow format that a server uses; undefined when the server does not say it. */
const schemaOf = (flow: IDataObject) => Number(textOf(versionOf(flow).schemaVersion)) || undefined;

/**
 * Compares the format of a file with that of the server. Activepieces imports, publishes and runs a flow
 * of a newer format, and silently loses part of it (recorded).
 *
 * @throws {ActivepiecesError} when the format of the file is newer
 */
function assertNotNewer(
	{ displayName, schemaVersion }: FlowContent,
	server: number | undefined,
): void {
	if (schemaVersion === null || server === undefined || Number(schemaVersion) <= server) return;
	throw refusal(
		`The flow "${shortName(displayName)}" was exported from a newer Activepieces release than the one on this server`,
		`Its schemaVersion is ${schemaVersion}, but this server uses ${server}. Some data of the flow would be missing when it runs. Update Activepieces on this server, or export the flow from a server with the same or an older release.`,
	);
}

const importRequest = ({ displayName, trigger, schemaVersion, notes }: FlowContent) => ({
	displayName,
	trigger: withTimes(trigger),
	schemaVersion: schemaVersion ?? undefined,
	notes,
});

/**
 * Identifies the steps of a flow for a comparison. A flow in an older format has other settings, and may
 * have other pieces.
 */
function outlineOf(trigger: unknown, isSameFormat: boolean): string {
	const lines = stepsOf(trigger).map((step) => {
		const { pieceName, actionName, triggerName } = recordOf(step.settings);
		const kind = [step.type, pieceName, actionName, triggerName].map(textOf).join(' ');
		return `${textOf(step.name)} ${isSameFormat ? kind : ''}`;
	});
	return lines.sort().join('\n');
}

/** The service refuses unknown types of triggers, and steps without their fields. */
const IMPORT_FLOW: Endpoint = {
	...CHANGE_FLOW,
	rules: [
		{
			status: 'badRequest',
			when: ({ response }) => !response.isHtml,
			message: 'Activepieces did not accept the imported flow',
			description: ({ quoted }) => `${quoted}Check its trigger and its steps.`,
		},
		...CHANGE_RULES,
	],
};

/** The types of steps in every release (read in the service's source) */
const KNOWN_TYPES = ['CODE', 'LOOP_ON_ITEMS', 'PIECE', 'ROUTER'];

/** Whether a draft can be what the service made of a file, which may convert its steps. */
export function hasOutlineOf(
	flow: IDataObject,
	{ displayName, trigger, schemaVersion }: FlowContent,
) {
	const version = versionOf(flow);
	const isSameFormat = schemaVersion !== null && schemaVersion === version.schemaVersion;
	return (
		version.displayName === displayName &&
		outlineOf(version.trigger, isSameFormat) === outlineOf(trigger, isSameFormat)
	);
}

/**
 * The error for a flow that is not as it was sent. A server leaves out a step of a type that it does not know, and all
 * after it (recorded at 0.86).
 */
function notStored(flow: IDataObject, { trigger }: FlowContent, isNew: boolean) {
	const stored = new Set(stepsOf(versionOf(flow).trigger).map(({ name }) => name));
	const sent = stepsOf(trigger);
	const missing = sent.filter(({ name }) => !stored.has(name));
	const [first] = missing;
	const isCut = missing.length > 0 && missing.length === sent.length - stored.size;
	if (!isCut || KNOWN_TYPES.includes(textOf(first.type))) {
		return outcomeError(
			`Activepieces did not store the steps of ${labelOf(flow)} as they were sent`,
			isNew
				? 'This Activepieces release may not know all of them. Check the steps in Content.'
				: 'Someone may be editing the flow. Compare the flow in Activepieces with the imported one before you run the node again.',
		);
	}
	const others = missing.length > 1 ? ' The steps after it were left out, too.' : '';
	return outcomeError(
		`Activepieces did not store the step ${nameAndId(textOf(first.displayName), textOf(first.name))} of ${labelOf(flow)}`,
		`This Activepieces release may not know steps of the type ${shortName(textOf(first.type))}. Import the flow into a release that knows them, or remove the step.${others}`,
	);
}

/**
 * Imports a file as the draft of a flow, and reads back what the service has stored.
 *
 * @throws {ActivepiecesError} when the service refused the file, or stored something else
 */
async function importInto(
	client: ApiClient,
	target: RequestTarget,
	content: FlowContent,
	isNew = false,
) {
	const body = { type: 'IMPORT_FLOW', request: importRequest(content) };
	const request = { endpoint: IMPORT_FLOW, ...target, body };
	// Without idempotency: the same file once more changes nothing.
	const found = await client.makeChange<IDataObject | undefined>({
		send: async () => await client.requestRecord(request).then(() => undefined),
		async find() {
			const now = await fetchFlow(client, target);
			return hasContent(now, content, IGNORING_RANGES) ? now : undefined;
		},
	});
	const readBack = async () =>
		await fetchFlow(client, target).catch((error: unknown) => {
			const note = 'The draft was replaced. Check in Activepieces before you run the node again.';
			// A new flow is removed.
			const isLeft = !isNew && error instanceof ActivepiecesError;
			throw isLeft ? withNote(error, note, 'said') : error;
		});
	const flow = found ?? (await readBack());
	if (hasOutlineOf(flow, content)) return flow;
	throw notStored(flow, content, isNew);
}

/**
 * Deletes a new flow, even if the workflow was canceled, unless somebody has published it meanwhile.
 *
 * @returns why it is not gone; undefined if it is
 */
async function removeFlow(client: ApiClient, { id }: IDataObject): Promise<string | undefined> {
	const target = { id, subject: { noun: 'flow' } };
	const cleanUp = client.forCleanUp();
	const flow = await fetchFlow(cleanUp, target).catch(() => undefined);
	if (flow && wasPublished(flow)) return 'was not removed, because somebody has published it';
	return await deleteFlow(cleanUp, { endpoint: DELETE_FLOW, ...target }).then(
		() => undefined,
		() => 'could not be removed. Delete it in Activepieces',
	);
}

/** The error of an import into a new flow, which is deleted; it says whether it was. */
async function removeAgain(client: ApiClient, flow: IDataObject, error: unknown) {
	const left = await removeFlow(client, flow);
	const isGone = left === undefined;
	// Nothing is left of the create and the delete.
	if (isGone) client.ledger.clear();
	// A run that has ended has nothing to report then.
	if (isGone && !(error instanceof ActivepiecesError)) return error;
	const note = isGone ? 'The new flow was removed.' : `The new ${labelOf(flow)} ${left}.`;
	return withNote(error, note, 'said');
}

/** With versions of pieces and ranges of them as equal: up to 0.79 an import makes ranges of versions (recorded) */
export const IGNORING_RANGES = { ignoresRanges: true };

/** Whether a file equals the latest version of a flow, whose import would start a needless draft. */
export function hasContent(
	flow: IDataObject,
	content: FlowContent,
	{ ignoresRanges } = { ignoresRanges: false },
): boolean {
	const asText = (each: FlowContent) => {
		const text = JSON.stringify(each);
		return ignoresRanges ? text.replace(/("pieceVersion":")[~^]/g, '$1') : text;
	};
	const version = versionOf(flow);
	return [false, true].some(
		(withSecrets) => asText(contentOf(version, { withSecrets })) === asText(content),
	);
}

/** The flow format of the server, once an item has shown it. */
const serverFormat = (client: ApiClient) =>
	client.cached<{ schema?: number }>('flow format', () => ({}));

/**
 * Creates the empty flow for a file.
 *
 * @throws {ActivepiecesError} when the format of the file is newer than that of the server, as far as it is known
 */
export async function createEmpty(client: ApiClient, request: ApiRequest, content: FlowContent) {
	assertNotNewer(content, serverFormat(client).schema);
	return await client.withoutAbort().requestRecord(request);
}

/** Imports a file into a new flow. If it cannot be imported, no flow is left. */
export async function importIntoNew(client: ApiClient, flow: IDataObject, content: FlowContent) {
	try {
		// Only a new flow shows the format of its server (recorded).
		const server = serverFormat(client);
		server.schema = schemaOf(flow) ?? server.schema;
		assertNotNewer(content, server.schema);
		const target = { id: flow.id, subject: { noun: 'flow' } };
		return await importInto(client, target, content, true);
	} catch (error) {
		throw await removeAgain(client, flow, error);
	}
}

/** Imports a file into a flow that exists. */
export async function importOver(client: ApiClient, flow: IDataObject, content: FlowContent) {
	// The server converts a flow that it reads to its own format (read in the service's source).
	assertNotNewer(content, schemaOf(flow));
	const target = { id: flow.id, subject: { noun: 'flow' } };
	return await importInto(client, target, withSecretsOf(content, flow));
}
