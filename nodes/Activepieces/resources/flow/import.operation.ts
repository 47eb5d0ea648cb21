import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	getOptionalId,
	type Locator,
	locatorField,
	type RequestTarget,
	requestTarget,
} from '../../descriptions/locator';
import { getOutputMode, outputFields, type Simplify } from '../../descriptions/output';
import { getOption } from '../../descriptions/parameters';
import { unconfirmed } from '../../execution/retryOnFail';
import type { OperationContext } from '../../execution/item';
import type { ApiClient } from '../../transport/client';
import { shortName } from '../../transport/text';
import { textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { outputRecord } from '../builders';
import { getProjectForNew, projectForNew } from '../project/project';
import { fetchSettledFlow } from './status.operation';
import {
	connectionsInUse,
	fetchMissingConnections,
	missingConnectionsNote,
} from '../connection/uses';
import { contentOf, type FlowContent, readContent } from './flowFile';
import { assertFolderInProject, flowFolder, isNoFolder } from './createAndUpdate.operation';
import {
	CHANGE_FLOW,
	flowLocator,
	isLatestPublished,
	simplifyFlow,
	versionOf,
	wasPublished,
} from './flow';
import { assertNotNewer, createFrom, importInto, schemaOf } from './importFlow';

const MODES = ['create', 'replace'] as const;
type Mode = (typeof MODES)[number];

const shownFor = (mode: Mode, property: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: { show: { mode: [mode] } },
});

const project = projectForNew('The project to import the flow into');

const folder: Locator = {
	...flowFolder,
	description: 'The folder to import the flow into. It must be in the same project.',
	hint: 'Leave empty for no folder. The folder in Content is not used.',
};

const replaced: Locator = {
	...flowLocator,
	description: 'The flow whose draft is replaced. The draft takes its name from Content.',
};

/** An imported flow, with what its project lacks. */
const imported = (flow: IDataObject, missing: string[] | undefined): IDataObject => ({
	...flow,
	runsOldVersion: flow.status === 'ENABLED' && wasPublished(flow) && !isLatestPublished(flow),
	missingConnections: missing ?? null,
});

const simplifyImported: Simplify = (flow, source) => ({
	...simplifyFlow(flow, source),
	runsOldVersion: flow.runsOldVersion ?? null,
	missingConnections: flow.missingConnections ?? null,
});

/** Finds the connections that the project lacks, before anything is changed. */
const missingIn = async (client: ApiClient, projectId: string, { trigger }: FlowContent) =>
	await fetchMissingConnections(client, projectId, connectionsInUse(trigger));

/** Whether a file equals the latest version of a flow, whose import would start a needless draft. */
function isSame(flow: IDataObject, content: FlowContent): boolean {
	const text = JSON.stringify(content);
	const version = versionOf(flow);
	return [false, true].some(
		(withSecrets) => JSON.stringify(contentOf(version, { withSecrets })) === text,
	);
}

/** Imports a file as a new flow. */
async function importNew(
	context: OperationContext,
	content: FlowContent,
	give: (flow: IDataObject) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const { client } = context;
	const chosen = getOptionalId(context, folder);
	const projectId = await getProjectForNew(context, project);
	const folderId = chosen === undefined || isNoFolder(chosen) ? undefined : chosen;
	const { displayName } = content;
	if (folderId !== undefined) await assertFolderInProject(client, folderId, projectId);
	const missing = await missingIn(client, projectId, content);
	const place = { projectId, folderId, field: project.displayName };
	if (context.tried.isInDoubt) {
		throw unconfirmed(`the flow "${shortName(displayName)}" was imported`, {
			attempt: 'may have left a flow in the project',
			check: 'the flows of the project',
		});
	}
	const flow = await createFrom(client, place, content);
	return await give(imported(flow, missing));
}

/** Imports a file as the draft of a flow. */
async function importOver(
	client: ApiClient,
	target: RequestTarget,
	content: FlowContent,
): Promise<IDataObject> {
	const flow = await fetchSettledFlow(client, target);
	const missing = await missingIn(client, textOf(flow.projectId), content);
	if (isSame(flow, content)) return imported(flow, missing);
	// The server converts a flow that it reads to its own format (read in the service's source).
	assertNotNewer(content, schemaOf(flow));
	return imported(await importInto(client, target, flow, content), missing);
}

export const importOperation: Operation = {
	name: 'Import',
	value: 'import',
	action: 'Import flow',
	description:
		'Create a flow from an exported flow, or replace the draft of an existing flow with it',
	hint: 'Does not publish the flow. With New Flow, each run of this node creates another flow.',
	toolDescription:
		'Creates a disabled Activepieces flow from an exported flow, or replaces the draft of an existing flow with it, and returns the flow and the connections that are missing in its project. Does not publish the flow',
	endpoint: CHANGE_FLOW,
	properties: [
		{
			displayName: 'Import As',
			name: 'mode',
			type: 'options',
			options: [
				{
					name: 'Draft of an Existing Flow',
					value: 'replace',
					description:
						'Replaces the draft. The published version keeps running until you publish the flow.',
				},
				{
					name: 'New Flow',
					value: 'create',
					description: 'Creates a disabled flow that is not published',
				},
			],
			default: 'create',
			description: 'Where to put the imported flow',
		},
		shownFor('create', locatorField(project)),
		shownFor('replace', locatorField(replaced)),
		{
			displayName: 'Content',
			name: 'content',
			type: 'json',
			required: true,
			default: '={{ $json }}',
			description:
				'The flow to import: an item from Export, or the JSON of a file that you exported from Activepieces. Uses the input item by default. In a tool, pass the JSON that Export returned.',
		},
		shownFor('create', locatorField(folder)),
		...outputFields,
	],
	simplify: simplifyImported,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyImported);
		const mode = getOption(context, 'Import As', 'mode', MODES, 'create');
		const content = readContent(context);
		const give = async (flow: IDataObject) => {
			const note = missingConnectionsNote(
				flow,
				(flow.missingConnections ?? undefined) as string[] | undefined,
			);
			if (note !== undefined) context.showHint(note);
			return await outputRecord(client, output, flow);
		};
		if (mode === 'create') return await importNew(context, content, give);
		return await give(await importOver(client, requestTarget(context, replaced), content));
	},
};
