import type { IDataObject } from 'n8n-workflow';

import { named, optional, options, shownFor, together } from '../../descriptions/field';
import { choice, flag, optionName, rows, text } from '../../descriptions/kinds';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import type { RequestTarget } from '../../transport/client/request';
import {
	ActivepiecesError,
	outcomeError,
	validationError,
	withNote,
} from '../../transport/errors/error';
import { capitalize, shortName, someOf } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { connectionOptions } from '../connection/connection';
import {
	fetchMissingConnections,
	hintAtMissingConnections,
	renameConnections,
} from '../connection/usage';
import { fileToImport, simplifyImported } from '../importFile';
import { matchBy } from '../matchBy';
import { operation } from '../operation';
import { newProject, type ChosenProject } from '../project/project';
import type { FlowContent } from './content';
import { createEmpty, importIntoNew } from './draft';
import { readContent } from './fileReader';
import {
	CHANGE_FLOW,
	flowLocator,
	hintAtFlow,
	isLatestPublished,
	labelOf,
	simplifyFlow,
	versionOf,
} from './flow';
import { isDisabledSince, storeImportMetadata, TO_ENABLE } from './importedDraft';
import { importMetadataOf } from './importMetadata';
import { nameFlowsOfProject } from './knownFlows';
import { nameTablesOfProject } from './knownTables';
import { newFlowRequest, newFolder } from './newFlow';
import { fetchMissingPieces } from './pieces';
import { publishFlow } from './publish';
import { fetchSettledFlow, PUBLISHED } from './status';
import { idempotencyOf, replaceDraft, upsertFlow, type FlowKey, type Imported } from './upsert';

/** Whether the flow runs what was imported, and what it lacks. */
const IMPORT_FIELDS = [
	'runsOldVersion',
	'missingConnections',
	'missingPieces',
	'missingTables',
	'missingFlows',
];

/** What a flow needs and its project lacks; undefined for what cannot be read. */
interface Missing {
	connections?: string[];
	pieces?: string[];
	tables?: string[];
	flows: string[];
}

/** Also makes the file name the flows, and columns of tables, of the project. */
async function adaptToProject(
	context: OperationContext,
	projectId: string,
	content: FlowContent,
): Promise<Omit<Missing, 'pieces'>> {
	const flows = await nameFlowsOfProject(context.client, projectId, content.trigger);
	// The flow that it calls may be in a later file: children come first, so that a flow can be published with what it calls.
	if (flows.length > 0) context.runLater?.();
	const [connections, tables] = await Promise.all([
		fetchMissingConnections(context, projectId, content),
		nameTablesOfProject(context, projectId, content),
	]);
	return { connections, tables, flows };
}

/** Imports a file into a new flow; in a later try of *Retry On Fail*, finds that of an earlier one, which was not published. */
async function importNew(
	client: ApiClient,
	project: ChosenProject,
	folderId: string | undefined,
	content: FlowContent,
): Promise<Imported> {
	const request = await newFlowRequest(client, project, folderId, content.displayName);
	const imported = client.ledger.remembered<RequestTarget>('new flow');
	const flow = await client.makeChange({
		idempotency: idempotencyOf(request, content),
		async send() {
			const empty = await createEmpty(client, request, content).catch((error: unknown) => {
				if (!client.ledger.mayHaveChanged) throw error;
				const left = `An empty flow "${shortName(content.displayName)}" may be in the project. If it is, delete it in Activepieces.`;
				throw withNote(error, left);
			});
			const filled = await importIntoNew(client, empty, content);
			imported.value = { id: filled.id, subject: { noun: 'flow' } };
			return filled;
		},
		find: async () => imported.value && (await fetchSettledFlow(client, imported.value)),
	});
	return { flow, change: 'created' };
}

function hintAtDisabled(context: OperationContext, flow: IDataObject) {
	const isPublished = isLatestPublished(flow);
	const draft = isPublished ? '' : '. The imported version is not published';
	hintAtFlow(context, `disabled flows ${isPublished}`, { flow }, (labels) =>
		labels.length === 1
			? `${capitalize(labels[0])} was disabled after it was published, by somebody or by Activepieces, and stays so${draft}. To publish and enable it, use Flow > Publish`
			: `${labels.length} flows were disabled after they were published, by somebody or by Activepieces, and stay so${draft}: ${someOf(labels)}. To publish and enable them, use Flow > Publish`,
	);
}

/** What hints say of one flow that lacks something, and of several. */
const LACKS = {
	pieces: [
		['needs pieces that this server does not have', 'Its runs fail until they are installed'],
		['need pieces that this server does not have', 'Their runs fail until they are installed'],
	],
	tables: [
		[
			'uses tables or columns that its project does not have',
			'Its runs fail or lose values until you create them with these external IDs, and then import it again',
		],
		[
			'use tables or columns that their project does not have',
			'Their runs fail or lose values until you create them with these external IDs, and then import them again',
		],
	],
	flows: [
		[
			'calls flows that its project does not have',
			'Its runs fail until you import them, and then import it again',
		],
		[
			'call flows that their project does not have',
			'Their runs fail until you import them, and then import the callers again',
		],
	],
} as const;

function hintAtMissing(context: OperationContext, flow: IDataObject, missing: Missing) {
	for (const kind of ['pieces', 'tables', 'flows'] as const) {
		const { [kind]: lacking = [] } = missing;
		if (lacking.length === 0) continue;
		// Pieces are those of the server.
		const key =
			kind === 'pieces' ? 'missing pieces' : `missing ${kind} of ${textOf(flow.projectId)}`;
		hintAtFlow(context, key, { flow, names: lacking }, (labels, names) => {
			const isOne = labels.length === 1;
			const [lack, advice] = LACKS[kind][isOne ? 0 : 1];
			const who = isOne ? capitalize(labels[0]) : `${labels.length} flows`;
			return `${who} ${lack}: ${someOf(names.map(shortName))}. ${advice}`;
		});
	}
}

/**
 * Publishes an imported flow and enables it, unless it lacks what it needs to run, or was disabled since it was published.
 *
 * @throws {ActivepiecesError} with what is missing
 */
async function publishImported(
	context: OperationContext,
	{ flow, change }: Imported,
	{ connections = [], pieces = [], tables = [], flows }: Missing,
) {
	const { client } = context;
	if (isDisabledSince(client, flow)) {
		hintAtDisabled(context, flow);
		return flow;
	}
	if (isLatestPublished(flow) && flow.status === 'ENABLED') {
		return importMetadataOf(flow).enabled === false
			? await storeImportMetadata(client, flow, { enabled: true })
			: flow;
	}
	const lacks = [
		connections.length > 0 &&
			`connections that its project does not have: ${someOf(connections.map(shortName))}`,
		pieces.length > 0 && `pieces that this server does not have: ${someOf(pieces.map(shortName))}`,
		tables.length > 0 &&
			`tables or columns that its project does not have: ${someOf(tables.map(shortName))}`,
		flows.length > 0 && `flows that its project does not have: ${someOf(flows.map(shortName))}`,
	].filter((each) => each !== false);
	if (lacks.length > 0) {
		throw outcomeError(
			`${labelOf(flow)} was imported, but not published, because something is missing`,
			`It needs ${lacks.join(', and ')}. Add what is missing${connections.length > 0 ? ', or map its connections in the option Connections' : ''}. Then ${flows.length + tables.length > 0 ? 'import the flow again' : 'publish the flow, for example with Flow > Publish'}.`,
		);
	}
	await storeImportMetadata(client, flow, TO_ENABLE);
	const published = publishFlow(client, { id: flow.id, subject: { noun: 'flow' } });
	const enabled = await published.catch((error: unknown) => {
		if (!(error instanceof ActivepiecesError) || change === 'unchanged') throw error;
		// If the response was lost and the flow is published, the error says so.
		const isUnclear =
			error.outcome === 'maybe' && error.description?.startsWith(PUBLISHED) !== true;
		const doubt = isUnclear ? ' Could not confirm whether it was published.' : '';
		const description = `The flow was imported.${doubt} ${error.description}`;
		throw error.withDescription(description, 'said');
	});
	return await storeImportMetadata(client, enabled, { enabled: true });
}

const importMode = choice('Import As', 'mode', {
	options: [
		[
			'Create or Update',
			'upsert',
			'Replaces the draft of the flow that the file belongs to, or creates that flow',
		],
		[
			'Draft of an Existing Flow',
			'replace',
			'Replaces the draft. The published version keeps running until you publish the flow.',
		],
		['New Flow', 'create', 'Each run creates another flow, which is disabled and not published'],
	],
	default: 'create',
	description: 'Where to put the imported flow',
});

const keyMode = matchBy('flow', 'the name in the file, in any letter case');

const fileKey = together(
	{
		mode: keyMode,
		externalId: shownFor(
			keyMode,
			'externalId',
			optional(
				text('External ID', 'externalId', {
					placeholder: 'e.g. send-invoices',
					hint: 'Leave empty for the external ID in the file',
					description: 'The external ID of the flow, which is the same in all projects',
				}),
				'the external ID in the file',
			),
		),
	},
	(given) => given,
);

function toKey(
	{ mode, externalId: given }: { mode: FlowKey['mode']; externalId?: string },
	displayName: string,
	ofFile: string,
): FlowKey {
	if (mode === 'name') return { mode, text: displayName, externalId: ofFile };
	const externalId = (given ?? ofFile).trim();
	if (externalId !== '') return { mode, text: externalId, externalId };
	throw validationError(
		'The file has no external ID',
		'Enter one in External ID, or set Match By to Name.',
	);
}

/** The external IDs of connections in the file, and those here that take their place. */
function toNames(given: Array<{ from: string; to: string }>): Map<string, string> {
	const froms = given.map(({ from }) => from);
	const twice = froms.find((from, i) => froms.indexOf(from) < i);
	if (twice === undefined) return new Map(given.map(({ from, to }) => [from, to]));
	throw validationError(
		`The option Connections has "${shortName(twice)}" twice in In the File`,
		'Keep one of the two.',
	);
}

const connections = rows(
	'Connections',
	'connections',
	{
		row: 'Values',
		placeholder: 'Add connection',
		description: 'Connections of the file, and the ones that the imported flow uses in their place',
	},
	{
		from: text('In the File', 'from', {
			required: true,
			placeholder: 'e.g. slack-test',
			description: 'The external ID of a connection in the file',
		}),
		to: optionName(
			{ ...connectionOptions, dependsOn: ['projectId.value'] },
			{ displayName: 'In the Project Name or ID', name: 'to' },
			'The connection of the project, by its external ID',
			'Choose a connection, or remove the row.',
		),
	},
	toNames,
);

export const importOperation = operation({
	name: 'Import',
	value: 'import',
	description: 'Create a flow from an exported flow, or change an existing flow to be like it',
	hint: 'Publishes the flow only with the option Publish',
	toolDescription:
		'Creates an Activepieces flow from an exported flow, or replaces the draft of an existing flow with it, and returns the flow, and the connections, pieces and flows that it lacks. Publishes the flow only if it is told to',
	endpoint: CHANGE_FLOW,
	fields: {
		mode: importMode,
		project: shownFor(
			importMode,
			['create', 'upsert'],
			newProject('The project to import the flow into'),
		),
		folderId: shownFor(
			importMode,
			'create',
			newFolder({
				description: 'The folder to import the flow into. It must be in the same project.',
				hint: 'Leave empty for no folder. The folder in the exported flow is not used.',
			}),
		),
		replaced: shownFor(
			importMode,
			'replace',
			named({
				...flowLocator,
				description: 'The flow whose draft is replaced. The draft takes its name from the file.',
			}),
		),
		key: shownFor(importMode, 'upsert', fileKey),
		file: fileToImport('flow', readContent),
		options: options({
			connections,
			folderName: text('Folder Name', 'folderName', {
				displayOptions: { show: { '/mode': ['upsert'] } },
				placeholder: 'e.g. Invoices',
				description:
					'The folder of a new flow. Activepieces creates it if the project has none with that name. A flow that exists stays in its folder.',
			}),
			publish: flag(
				'Publish',
				'publish',
				'Whether to publish the imported flow and enable it. A flow that needs a connection or a piece that is missing is not published, and one that was disabled after it was published stays so.',
			),
		}),
	},
	simplify: simplifyImported(simplifyFlow, ...IMPORT_FIELDS),
	async record({ project, folderId, replaced, key, file, options: chosen }, context) {
		const { client } = context;
		const { content, externalId } = file;
		const { publish, folderName } = chosen;
		renameConnections(content.trigger, chosen.connections);
		const existing = replaced && (await fetchSettledFlow(client, replaced));
		const targetProject = project ?? {
			id: textOf(existing?.projectId),
			field: flowLocator.displayName,
		};
		// Before anything is changed.
		const ofProject = await adaptToProject(context, targetProject.id, content);
		const importAsChosen = async () => {
			if (existing) return await replaceDraft(context, existing, { content, publish });
			if (!key) return await importNew(client, targetProject, folderId, content);
			const flowKey = toKey(key, content.displayName, externalId);
			const wanted = { content, publish, key: flowKey, project: targetProject, folderName };
			return await upsertFlow(context, wanted);
		};
		const imported = await importAsChosen();
		// Of the flow as it is stored: an import may convert steps, also to versions that are not installed (observed at 0.86).
		const draft = versionOf(imported.flow);
		const pieces = await fetchMissingPieces(context, targetProject.id, draft);
		const missing = { ...ofProject, pieces };
		hintAtMissingConnections(context, imported.flow, missing.connections);
		hintAtMissing(context, imported.flow, missing);
		const flow = publish ? await publishImported(context, imported, missing) : imported.flow;
		return {
			...flow,
			change: imported.change,
			runsOldVersion: flow.status === 'ENABLED' && !isLatestPublished(flow),
			missingConnections: missing.connections ?? null,
			missingPieces: missing.pieces ?? null,
			missingTables: missing.tables ?? null,
			missingFlows: missing.flows,
		};
	},
});
