import type { IDataObject } from 'n8n-workflow';

import { withKey } from '../../descriptions/knownRecords';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest } from '../../transport/client/request';
import { ActivepiecesError, refusal, withNote } from '../../transport/errors/error';
import { shortName } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { exactFolderName } from '../folder';
import { severalOfFile, type FileKey } from '../matchBy';
import { subjectInProject, type ChosenProject } from '../project/project';
import type { FlowContent } from './content';
import { createEmpty, hasContent, IGNORING_RANGES, importIntoNew, importOver } from './draft';
import { hasEmptyTrigger, isLatestPublished, labelOf, wasPublished } from './flow';
import {
	draftOf,
	fingerprint,
	importMetadataFor,
	isConverted,
	isDisabledSince,
	isImportOf,
	isUnedited,
	storeImportMetadata,
	TO_ENABLE,
} from './importedDraft';
import { importMetadataOf, withImportMetadata, type ImportMetadata } from './importMetadata';
import {
	fetchProjectFlows,
	fetchProjectFlowsOnce,
	updateProjectFlow,
	type KnownFlow,
} from './knownFlows';
import { CREATE_FLOW } from './newFlow';
import { fetchSettledFlow } from './status';

/** How the flow of a file is found in a project. */
export interface FlowKey extends FileKey {
	/** The external ID that the flow gets, unless an earlier import has given it one; may be empty */
	externalId: string;
}

/**
 * Two files of one flow would replace each other, however they name it.
 *
 * @throws {ActivepiecesError} for the second one in a run
 */
function assertFirst(
	{ claim }: OperationContext,
	{ id, label }: Pick<KnownFlow, 'id' | 'label'>,
	{ displayName }: FlowContent,
) {
	const first = claim(`flow ${id}`);
	if (first === undefined) return;
	throw refusal(
		`The file "${shortName(displayName)}" is of the same flow as that of ${first}: ${label}`,
		'The second file would replace the first. Remove one of them, or give each an external ID and a name of its own.',
	);
}

/**
 * Finds the flow of a file in a project, and the external ID that it may keep: none that another flow has.
 *
 * @throws {ActivepiecesError} when there are several
 */
async function findFlow(client: ApiClient, project: ChosenProject, key: FlowKey) {
	const flows = await fetchProjectFlowsOnce(client, project.id);
	const named = withKey(flows, key);
	if (named.length > 1) {
		throw severalOfFile(
			'flow',
			key,
			named.map(({ label }) => label),
		);
	}
	const found = named.at(0);
	const { externalId } = key;
	const holders = withKey(flows, { mode: 'externalId', text: externalId });
	return { found, externalId: holders.some((flow) => flow !== found) ? '' : externalId };
}

/**
 * A flow that was made in Activepieces, or whose metadata somebody has replaced, is not known by the external ID of its
 * file: another one would be created beside it.
 *
 * @throws {ActivepiecesError} when the project has a flow with the name in the file that belongs to no file
 */
async function assertNoneBeside(client: ApiClient, project: ChosenProject, displayName: string) {
	const flows = await fetchProjectFlowsOnce(client, project.id);
	const named = withKey(flows, { mode: 'name', text: displayName });
	const beside = named.find(({ hasFile }) => !hasFile);
	if (beside === undefined) return;
	throw refusal(
		`The project has a ${beside.label} already, which belongs to no file`,
		'To bring it to the state of the file, set Match By to Name: the flow keeps its ID, and is found by the external ID of the file from then on. To create another flow, rename one of the two.',
	);
}

/** The external IDs that releases take which create a flow with a given one (read in the service's source). */
const ACCEPTED_ID = /^(?!\.{1,2}$)[\w.-]{1,128}$/;

/**
 * The request that creates the flow of a file. Before 0.92 the service ignores the external ID (recorded, and read in
 * its source), so that the node also keeps it in the metadata.
 */
const createRequest = ({ project, folderName, key, content, publish }: Upsert): ApiRequest => {
	const { displayName } = content;
	const { externalId } = key;
	return {
		endpoint: {
			...CREATE_FLOW,
			rules: [
				{
					status: 'conflict',
					code: 'FLOW_EXTERNAL_ID_ALREADY_EXISTS',
					message: `Another flow has the external ID "${shortName(externalId)}" already`,
					description:
						'It was created a moment ago, or is being deleted. Run the node again in a moment.',
				},
			],
		},
		body: {
			displayName,
			projectId: project.id,
			...(folderName !== '' && { folderName }),
			...(key.mode === 'externalId' && ACCEPTED_ID.test(externalId) && { externalId }),
			// If the service converts the draft, it is corrected after the import.
			metadata: withImportMetadata(
				{},
				{
					...(externalId !== '' && { externalId }),
					...importMetadataFor(content, content),
					...(publish && TO_ENABLE),
				},
			),
		},
		subject: subjectInProject('flow', project),
	};
};

type Change = 'created' | 'updated' | 'unchanged';

export interface Imported {
	flow: IDataObject;
	change: Change;
}

export const idempotencyOf = ({ body }: ApiRequest, content: FlowContent) => ({
	key: [body, fingerprint(content)],
	change: `the flow "${shortName(content.displayName)}" was imported`,
	lookIn: 'the flows of the project',
});

/** A flow that was created for a file, and that the file was not imported into. */
const isUnfilled = (flow: IDataObject): boolean =>
	hasEmptyTrigger(flow) && !wasPublished(flow) && textOf(importMetadataOf(flow).file) !== '';

/** What the tries of *Retry On Fail* make of a flow, and what that replaced: a later one only finds the result. */
const madeOf = (client: ApiClient, { id }: IDataObject) =>
	client.ledger.remembered<{ change: Change; hint?: string }>(`import into ${textOf(id)}`);

function hintAtChanges(flow: IDataObject, file: FlowContent): string | undefined {
	const isUnchanged = hasEmptyTrigger(flow) || isLatestPublished(flow);
	if (isUnchanged || isUnedited(flow, file) || hasContent(flow, file, IGNORING_RANGES)) {
		return undefined;
	}
	return `The draft of ${labelOf(flow)} ${isConverted(flow) ? 'may have had' : 'had'} changes that were not published. The import replaced them`;
}

interface Replacement {
	content: FlowContent;
	/** Whether Import publishes the flow after it */
	publish: boolean;
	/** The external ID that the flow gets, unless an earlier import has given it one */
	externalId?: string;
}

/** What the metadata of a flow get that has its file now. */
function metadataToStore(
	client: ApiClient,
	flow: IDataObject,
	{ content, publish, externalId = '' }: Replacement,
	{ isImported, wasImported }: Record<'isImported' | 'wasImported', boolean>,
): ImportMetadata {
	const isOnServer = ['', textOf(flow.externalId)].includes(externalId);
	const ownId: ImportMetadata = isOnServer ? {} : { externalId, ...importMetadataOf(flow) };
	const isOfFile = wasImported || importMetadataOf(flow).file !== undefined;
	// After an import that nothing confirmed, the metadata are still those before it.
	const isUpToDate = !isImported && !isConverted(flow) && isUnedited(flow, content);
	if (!isOfFile || isUpToDate) return ownId;
	const willBePublished = isImported && publish && !isDisabledSince(client, flow);
	const ofFile = importMetadataFor(draftOf(flow), content);
	return { ...ownId, ...ofFile, ...(willBePublished && TO_ENABLE) };
}

/** Replaces the draft of a flow by a file, unless it is of that file already. */
export async function replaceDraft(
	context: OperationContext,
	flow: IDataObject,
	replacement: Replacement,
): Promise<Imported> {
	const { client } = context;
	const { content } = replacement;
	assertFirst(context, { id: textOf(flow.id), label: labelOf(flow) }, content);
	const isEmpty = isUnfilled(flow);
	const hasFile = !isEmpty && (hasContent(flow, content) || isImportOf(flow, content));
	const made = madeOf(client, flow);
	if (!hasFile) {
		const change = isEmpty ? 'created' : 'updated';
		made.value ??= { change, hint: hintAtChanges(flow, content) };
	}
	const now = hasFile ? flow : await importOver(client, flow, content);
	const { change = 'unchanged', hint } = made.value ?? {};
	if (hint !== undefined) context.showHint(hint);
	const metadata = metadataToStore(client, now, replacement, {
		isImported: !hasFile,
		wasImported: made.value !== undefined,
	});
	return { flow: await storeImportMetadata(client, now, metadata), change };
}

/** A new flow without its file, or the ID of one that a request whose response was lost has created, or somebody else */
type CreatedFlow = { created: IDataObject } | { id: string };

interface Upsert extends Omit<Replacement, 'externalId'> {
	key: FlowKey;
	project: ChosenProject;
	folderName: string;
}

/** Creates the flow of a file without the file, unless one was created meanwhile. */
async function createFlow({ client }: OperationContext, upsert: Upsert): Promise<CreatedFlow> {
	const { key, project, folderName, content } = upsert;
	if (key.mode === 'externalId') await assertNoneBeside(client, project, content.displayName);
	const request = createRequest({
		...upsert,
		folderName: await exactFolderName(client, project, folderName),
	});
	return await client
		.makeChange<CreatedFlow>({
			idempotency: idempotencyOf(request, content),
			send: async () => ({ created: await createEmpty(client, request, content) }),
			async find() {
				const flows = withKey(await fetchProjectFlows(client, project.id), key);
				return flows.length === 1 ? { id: flows[0].id } : undefined;
			},
		})
		.catch((error: unknown) => {
			const isTold = error instanceof ActivepiecesError && error.outcome === 'said';
			if (isTold || !client.ledger.mayHaveChanged) throw error;
			const note = 'If the flow was created, the next run finds it and imports the file.';
			throw withNote(error, note, 'said');
		});
}

/** Imports a file into the flow that was created for it. */
async function fillFlow(
	context: OperationContext,
	flow: IDataObject,
	content: FlowContent,
): Promise<Imported> {
	const { client } = context;
	assertFirst(context, { id: textOf(flow.id), label: labelOf(flow) }, content);
	madeOf(client, flow).value = { change: 'created' };
	const filled = await importIntoNew(client, flow, content);
	const metadata = importMetadataFor(draftOf(filled), content);
	return { flow: await storeImportMetadata(client, filled, metadata), change: 'created' };
}

/** Changes the flow that a file belongs to, or creates it. */
export async function upsertFlow(context: OperationContext, upsert: Upsert): Promise<Imported> {
	const { client } = context;
	const { key, project, content, publish } = upsert;
	const { found, externalId } = await findFlow(client, project, key);
	const flow = found ?? (await createFlow(context, { ...upsert, key: { ...key, externalId } }));
	let imported: Imported;
	if ('id' in flow) {
		const target = { id: flow.id, subject: { noun: 'flow' } };
		const existing = await fetchSettledFlow(client, target);
		imported = await replaceDraft(context, existing, { content, publish, externalId });
	} else imported = await fillFlow(context, flow.created, content);
	await updateProjectFlow(client, imported.flow);
	return imported;
}
