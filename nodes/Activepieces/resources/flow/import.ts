import type { IDataObject } from 'n8n-workflow';

import { choice, type Field, named, shownFor, together } from '../../descriptions/field';
import { choices, itemJsonFields, optionsField, textField } from '../../descriptions/fields';
import type { RequestTarget } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import { orFoundAfterLoss, requestRecord } from '../../transport/client/record';
import type { ApiRequest, Endpoint } from '../../transport/client/request';
import { ActivepiecesError, RunEndedError } from '../../transport/errors/error';
import { limits } from '../../transport/limits';
import { nameAndId, shortName } from '../../transport/text';
import { orNull, recordOf, textOf } from '../../transport/values';
import { fetchMissingConnections, hintAtMissing } from '../connection/usage';
import { type ChosenProject, newProject } from '../project/project';
import { operation } from '../recordOperation';
import { outcomeError, refusal, unconfirmed } from '../refusals';
import { contentOf, type FlowContent, readContent, textOfFile, withTimes } from './file';
import {
	CHANGE_FLOW,
	CHANGE_RULES,
	fetchFlow,
	flowLocator,
	isLatestPublished,
	labelOf,
	simplifyFlow,
	stepsOf,
	versionOf,
} from './flow';
import { newFlowRequest, newFolder } from './newFlow';
import { DELETE_FLOW, deleteFlow, fetchSettledFlow } from './status';

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

function isImported(flow: IDataObject, { displayName, trigger, schemaVersion }: FlowContent) {
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
	const sent = requestRecord(client, request).then(() => undefined);
	const found = await orFoundAfterLoss<IDataObject | undefined>(client, sent, async () => {
		const now = await fetchFlow(client, target).catch(() => undefined);
		return now && isSame(now, content) ? now : undefined;
	});
	const readBack = async () =>
		await fetchFlow(client, target).catch((error: unknown) => {
			if (!(error instanceof ActivepiecesError)) throw error;
			throw error.withDescription(
				`${error.description} The draft was replaced. Check in Activepieces before you run the node again.`,
				'said',
			);
		});
	const flow = found ?? (await readBack());
	if (isImported(flow, content)) return flow;
	throw notStored(flow, content, isNew);
}

/**
 * Deletes a new flow whose import failed, even if the workflow was canceled.
 *
 * @returns the error of the import, and whether the flow was deleted
 */
async function removeAgain(client: ApiClient, flow: IDataObject, error: unknown) {
	const id = textOf(flow.id);
	const request = { endpoint: DELETE_FLOW, id, subject: { noun: 'flow' } };
	const isGone = await deleteFlow(client.forCleanUp(), request, limits.cleanUp).then(
		() => true,
		() => false,
	);
	// Nothing is left of the create and the delete.
	if (isGone) client.ledger.clear();
	const label = nameAndId(textOf(versionOf(flow).displayName), id);
	const left = `The new flow ${label} could not be removed. Delete it in Activepieces.`;
	if (error instanceof RunEndedError) return new RunEndedError(isGone ? undefined : left);
	if (!(error instanceof ActivepiecesError)) throw error;
	const outcome = isGone ? 'The new flow was removed.' : left;
	return error.withDescription(`${error.description} ${outcome}`, 'said');
}

/** Creates a flow from a file. If the file cannot be imported, no flow is left. */
async function createFrom(client: ApiClient, request: ApiRequest, content: FlowContent) {
	// The flow format of the server, once an item has shown it
	const server = client.once<{ schema?: number }>('flow format', () => ({}));
	assertNotNewer(content, server.schema);
	const flow = await requestRecord(client.withoutAbort(), request).catch((error: unknown) => {
		if (!client.ledger.mayHaveChanged) throw error;
		const left = `An empty flow "${shortName(content.displayName)}" may be in the project. If it is, delete it in Activepieces.`;
		if (error instanceof RunEndedError) throw new RunEndedError(left);
		if (!(error instanceof ActivepiecesError)) throw error;
		throw error.withDescription(`${error.description} ${left}`);
	});
	try {
		// Only a new flow shows the format of its server (recorded).
		server.schema = schemaOf(flow) ?? server.schema;
		assertNotNewer(content, server.schema);
		const target = { id: flow.id, subject: { noun: 'flow' } };
		return await importInto(client, target, content, true);
	} catch (error) {
		throw await removeAgain(client, flow, error);
	}
}

const simplifyImported: Simplify = (flow, source) => ({
	...simplifyFlow(flow, source),
	...orNull(flow, 'runsOldVersion', 'missingConnections'),
});

/** Whether a file equals the latest version of a flow, whose import would start a needless draft. */
function isSame(flow: IDataObject, content: FlowContent): boolean {
	const text = JSON.stringify(content);
	const version = versionOf(flow);
	return [false, true].some(
		(withSecrets) => JSON.stringify(contentOf(version, { withSecrets })) === text,
	);
}

async function importNew(
	{ client, tried }: OperationContext,
	project: ChosenProject,
	folderId: string | undefined,
	content: FlowContent,
) {
	const { displayName, trigger } = content;
	const request = await newFlowRequest(client, project, folderId, displayName);
	// Before anything is changed.
	const missing = await fetchMissingConnections(client, project.id, trigger);
	if (tried.isInDoubt) {
		throw unconfirmed(
			`the flow "${shortName(displayName)}" was imported`,
			'the flows of the project',
			'may have left a flow in the project',
		);
	}
	return { flow: await createFrom(client, request, content), missing };
}

async function importOver(client: ApiClient, target: RequestTarget, content: FlowContent) {
	const flow = await fetchSettledFlow(client, target);
	const missing = await fetchMissingConnections(client, textOf(flow.projectId), content.trigger);
	if (isSame(flow, content)) return { flow, missing };
	// The server converts a flow that it reads to its own format (read in the service's source).
	assertNotNewer(content, schemaOf(flow));
	return { flow: await importInto(client, target, content), missing };
}

const mode = choice(
	optionsField('Import As', 'mode', {
		options: choices(
			[
				'Draft of an Existing Flow',
				'replace',
				'Replaces the draft. The published version keeps running until you publish the flow.',
			],
			['New Flow', 'create', 'Creates a disabled flow that is not published'],
		),
		default: 'create',
		description: 'Where to put the imported flow',
	}),
);

const source = choice(
	optionsField('Input', 'inputSource', {
		options: choices(
			['Binary File', 'binary', 'A file of the input item, as Export returns it with Include File'],
			['JSON', 'json', 'The flow as JSON, by default the input item'],
		),
		default: 'json',
		description: 'Where to read the flow from',
	}),
);

const FILE_FIELD = 'Input Binary Field';

const file: Field<FlowContent> = {
	properties: [
		textField(FILE_FIELD, 'binaryPropertyName', {
			required: true,
			default: 'data',
			placeholder: 'e.g. data',
			hint: 'The name of the input binary field containing the file to import',
		}),
	],
	read: async ({ readFile }) =>
		readContent(textOfFile(await readFile(FILE_FIELD, 'binaryPropertyName')), 'the file'),
};

const json: Field<FlowContent> = {
	properties: itemJsonFields(
		'Content',
		'content',
		'The flow to import: an item from Export, or the JSON of a file that you exported from Activepieces. Uses the input item by default. In a tool, pass the JSON that Export returned.',
		'JSON that Export returned',
	),
	read(context) {
		// By default Content is the JSON of the item, which describes the file.
		const advice = context.hasInputFile
			? 'The input item has a file. To import it, set Input to Binary File.'
			: undefined;
		return readContent(context.get('content', ''), 'Content', advice);
	},
};

export const importOperation = operation({
	name: 'Import',
	value: 'import',
	description:
		'Create a flow from an exported flow, or replace the draft of an existing flow with it',
	hint: 'Does not publish the flow. With New Flow, each run of this node creates another flow.',
	toolDescription:
		'Creates a disabled Activepieces flow from an exported flow, or replaces the draft of an existing flow with it, and returns the flow and the connections that are missing in its project. Does not publish the flow',
	endpoint: CHANGE_FLOW,
	fields: {
		mode,
		project: shownFor(mode, 'create', newProject('The project to import the flow into')),
		folderId: shownFor(
			mode,
			'create',
			newFolder({
				description: 'The folder to import the flow into. It must be in the same project.',
				hint: 'Leave empty for no folder. The folder in the exported flow is not used.',
			}),
		),
		replaced: shownFor(
			mode,
			'replace',
			named({
				...flowLocator,
				description: 'The flow whose draft is replaced. The draft takes its name from Content.',
			}),
		),
		content: together(
			{ source, file: shownFor(source, 'binary', file), json: shownFor(source, 'json', json) },
			(given) => (given.file ?? given.json)!,
		),
	},
	simplify: simplifyImported,
	async record({ project, folderId, replaced, content }, context) {
		const { flow, missing } =
			replaced === undefined
				? await importNew(context, project!, folderId, content)
				: await importOver(context.client, replaced, content);
		hintAtMissing(context, flow, missing);
		return {
			...flow,
			runsOldVersion: flow.status === 'ENABLED' && !isLatestPublished(flow),
			missingConnections: missing ?? null,
		};
	},
});
