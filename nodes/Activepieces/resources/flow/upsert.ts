import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../operation';
import type { ApiClient } from '../../transport/api/client';
import { type ApiRequest, inProject } from '../../transport/client/request';
import { ActivepiecesError, outcomeError, refusal } from '../../transport/errors/error';
import { comparable, shortName, someOf, textOf } from '../../transport/values';
import { type ChosenProject, subjectInProject } from '../project/project';
import { createEmpty, importIntoNew, importOver, isImported, isSame, removeFlow } from './draft';
import { contentOf, type FlowContent } from './file';
import {
	CHANGE_FLOW,
	hasEmptyTrigger,
	isDeleting,
	isLatestPublished,
	labelOf,
	LIST_FLOWS,
	versionOf,
	wasPublished,
} from './flow';
import { fileIdOf, type Kept, keptOf, withKept } from './kept';
import { CREATE_FLOW } from './newFlow';
import { fetchSettledFlow } from './status';

/** How the flow of a file is found in a project. */
export interface FlowKey {
	matchBy: 'externalId' | 'name';
	/** The external ID or the name */
	value: string;
	/** The external ID that the flow keeps, if it has none of a file; may be empty */
	externalId: string;
}

/** What identifies a flow of a project. */
interface KnownFlow {
	id: string;
	label: string;
	externalIds: string[];
	name: string;
	created: string;
}

const known = (flow: IDataObject): KnownFlow => ({
	id: textOf(flow.id),
	label: labelOf(flow),
	externalIds: [fileIdOf(flow), textOf(flow.externalId)],
	name: comparable(versionOf(flow).displayName),
	created: textOf(flow.created),
});

const wantedOf = ({ matchBy, value }: FlowKey) => (matchBy === 'name' ? comparable(value) : value);

function isFlowOf(key: FlowKey) {
	const wanted = wantedOf(key);
	return ({ externalIds, name }: KnownFlow): boolean =>
		key.matchBy === 'name' ? name === wanted : externalIds.includes(wanted);
}

const WORDS = { externalId: 'external ID', name: 'name' } as const;

/**
 * Two files of one flow would replace each other.
 *
 * @throws {ActivepiecesError} for the second one in a run
 */
function assertFirst({ itemIndex, firstWith }: OperationContext, projectId: string, key: FlowKey) {
	const first = firstWith(JSON.stringify([projectId, key.matchBy, wantedOf(key)]));
	if (first === itemIndex) return;
	const what = WORDS[key.matchBy];
	throw refusal(
		`Item index ${itemIndex} has the same ${what} as item index ${first}: "${shortName(key.value)}"`,
		`Both files are of one flow, and the second would replace the first. Remove one of them, or give each a ${what} of its own.`,
	);
}

async function fetchKnown(client: ApiClient, projectId: string, query?: IDataObject) {
	const flows: KnownFlow[] = [];
	await client.fetchList(inProject({ ...LIST_FLOWS, query }, { id: projectId }), {
		// The list itself keeps no records, which contain all steps.
		convert(flow) {
			if (!isDeleting(flow)) flows.push(known(flow));
			return undefined;
		},
	});
	return flows;
}

/** The flows of a project, read once for all input items, with those that items created. */
const fetchKnownOnce = async (client: ApiClient, projectId: string) =>
	await client.once(`known flows of ${projectId}`, async () => await fetchKnown(client, projectId));

/**
 * Finds the flow of a file in a project, and the external ID that it may keep: none that another flow has.
 *
 * @throws {ActivepiecesError} when there are several
 */
async function findFlow(client: ApiClient, project: ChosenProject, key: FlowKey) {
	const flows = await fetchKnownOnce(client, project.id);
	const [found, ...others] = flows.filter(isFlowOf(key));
	if (others.length === 0) {
		const isTaken = flows.some(
			(flow) => flow !== found && flow.externalIds.includes(key.externalId),
		);
		return { found: found?.id, externalId: isTaken ? '' : key.externalId };
	}
	throw refusal(
		`The project has ${others.length + 1} flows with the ${WORDS[key.matchBy]} "${shortName(key.value)}"`,
		`They are ${someOf([found, ...others].map(({ label }) => label))}. ${key.matchBy === 'name' ? 'Rename or delete all but one, or match by external ID' : 'Delete all but one'}.`,
	);
}

/** Adds a flow that was created to those that the following items find. */
async function addKnown(client: ApiClient, flow: IDataObject): Promise<void> {
	(await fetchKnownOnce(client, textOf(flow.projectId))).push(known(flow));
}

/**
 * A flow of the same file that somebody else has created meanwhile, before this one. Only later releases refuse a
 * second one.
 */
async function findEarlier(client: ApiClient, flow: IDataObject, key: FlowKey) {
	const own = known(flow);
	const name = textOf(versionOf(flow).displayName);
	// A backslash has a meaning in the service's search.
	const query = name.includes('\\') ? undefined : { name };
	const flows = await fetchKnown(client, textOf(flow.projectId), query);
	const isEarlier = ({ id, created }: KnownFlow) =>
		id !== own.id && (created < own.created || (created === own.created && id < own.id));
	return flows.filter(isFlowOf(key)).find(isEarlier)?.id;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const fingerprint = (content: FlowContent): string => hashOf(JSON.stringify(content));

/** The external IDs that releases take which create a flow with a given one (read in the service's source). */
const ACCEPTED_ID = /^(?!\.{1,2}$)[\w.-]{1,128}$/;

/**
 * The request that creates the flow of a file. Before 0.92 the service ignores the external ID (recorded, and read in
 * its source), so that the node also keeps it in the metadata.
 */
const createRequest = (
	project: ChosenProject,
	folderName: string,
	key: FlowKey,
	{ content, publish }: Pick<Upsert, 'content' | 'publish'>,
): ApiRequest => {
	const { displayName, schemaVersion } = content;
	const file = fingerprint(content);
	const schema = schemaVersion ?? undefined;
	const kept = { file, draft: file, schema, ...(publish && TO_ENABLE) };
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
			...(key.matchBy === 'externalId' && ACCEPTED_ID.test(externalId) && { externalId }),
			// If the service converts the draft, `keepFile` corrects this.
			metadata: withKept({}, { ...(externalId !== '' && { externalId }), ...kept }),
		},
		subject: subjectInProject('flow', project),
	};
};

/** The version of a piece: `~0.12.1`, `^1.4.0`, or what of them does not change within such a range */
const PIECE_VERSION = /("pieceVersion":")[~^]?(0\.\d+|[1-9]\d*)\.[^"]*/g;

/**
 * The fingerprints of a draft: as it is, and without what a publish changes up to 0.79, which replaces ranges of
 * versions by versions (recorded).
 */
function draftsOf(flow: IDataObject) {
	const text = JSON.stringify(contentOf(versionOf(flow), { withSecrets: true }));
	const hasRange = /"pieceVersion":"[~^]/.test(text);
	const [asItIs, published] = [text, text.replace(PIECE_VERSION, '$1$2')].map(hashOf);
	return { asItIs, published, kept: hasRange ? published : asItIs };
}

/** Whether a later release of the server has converted the draft of a flow since the last import. */
function isConverted(flow: IDataObject): boolean {
	const { schema } = keptOf(flow);
	return schema !== undefined && schema !== versionOf(flow).schemaVersion;
}

/**
 * Whether the draft of a flow is what the last import made of it, so that nobody has changed it since. The fingerprint
 * does not show that of a draft that was converted, but the draft names the last user who edited it. An import
 * with a key changes no such name (recorded).
 */
function isAsImported(flow: IDataObject): boolean {
	const { asItIs, published } = draftsOf(flow);
	const isUntouched = isConverted(flow) && textOf(versionOf(flow).updatedBy) === '';
	return isUntouched || [asItIs, published].includes(textOf(keptOf(flow).draft));
}

/** Whether the draft of a flow is what the service made of a file. */
const isOfFile = (flow: IDataObject, content: FlowContent): boolean =>
	keptOf(flow).file === fingerprint(content) && isAsImported(flow) && isImported(flow, content);

/** Keeps something with a flow, unless that is there. */
export async function keep(client: ApiClient, flow: IDataObject, more: Kept): Promise<IDataObject> {
	const kept = { ...keptOf(flow), ...more };
	if (JSON.stringify(kept) === JSON.stringify(keptOf(flow))) return flow;
	const metadata = withKept(flow, kept);
	const sent = client.requestRecord({
		endpoint: CHANGE_FLOW,
		id: flow.id,
		subject: { noun: 'flow' },
		body: { type: 'UPDATE_METADATA', request: { metadata } },
	});
	return await sent.then(
		() => ({ ...flow, metadata }),
		(error: unknown) => {
			// The flow is as the file says, and the next run imports the file once more.
			if (error instanceof ActivepiecesError) return flow;
			throw error;
		},
	);
}

/** Before a flow is published */
export const TO_ENABLE: Kept = { enabled: false };

/**
 * Whether somebody has disabled a flow after it was published. Of the tries of *Retry On Fail* the first one knows,
 * because a publication that is cut leaves the flow disabled, too.
 */
export function isDisabledByUser({ ledger }: ApiClient, flow: IDataObject): boolean {
	const first = ledger.kept<boolean>(`disabled ${textOf(flow.id)}`);
	const isDisabled = wasPublished(flow) && flow.status === 'DISABLED';
	return (first.value ??= isDisabled && keptOf(flow).enabled !== false);
}

/**
 * Which file a flow was imported from. The same file is then not imported again, even if the service has converted its
 * steps, and a draft that somebody has changed since is known.
 */
const toKeep = (flow: IDataObject, content: FlowContent): Kept => ({
	file: fingerprint(content),
	draft: draftsOf(flow).kept,
	schema: textOf(versionOf(flow).schemaVersion),
});

type Change = 'created' | 'updated' | 'unchanged';

export interface Imported {
	flow: IDataObject;
	change: Change;
}

/** Creates the flow of a file and imports the file, unless an earlier try may have created it. */
export const createOnce = async (
	client: ApiClient,
	request: ApiRequest,
	content: FlowContent,
	fill: (empty: IDataObject) => Promise<Imported>,
): Promise<Imported> =>
	await client.makeChange({
		once: {
			wanted: request.body,
			what: `the flow "${shortName(content.displayName)}" was imported`,
			check: 'the flows of the project',
		},
		send: async () => await fill(await createEmpty(client, request, content)),
	});

/** What the tries of *Retry On Fail* made of a flow, and what it replaced: a later one only finds the result. */
const madeOf = (client: ApiClient, { id }: IDataObject) =>
	client.ledger.kept<{ change: Change; hint?: string }>(`import into ${textOf(id)}`);

function hintAtChanges(flow: IDataObject): string | undefined {
	if (hasEmptyTrigger(flow) || isLatestPublished(flow) || isAsImported(flow)) return undefined;
	return `The draft of ${labelOf(flow)} ${isConverted(flow) ? 'may have had' : 'had'} changes that were not published. The import replaced them`;
}

interface Replacement {
	content: FlowContent;
	/** Whether the flow is published then */
	publish: boolean;
	/** That of the file, which the flow keeps if it has none of a file */
	externalId?: string;
}

/** Replaces the draft of a flow by a file, unless it is of that file already. */
export async function replaceDraft(
	context: OperationContext,
	flow: IDataObject,
	{ content, publish, externalId = '' }: Replacement,
): Promise<Imported> {
	const { client } = context;
	const isPublished = publish && !isDisabledByUser(client, flow);
	const isFound = ['', textOf(flow.externalId)].includes(externalId);
	const ownId: Kept = isFound ? {} : { externalId, ...keptOf(flow) };
	const isThere = isSame(flow, content) || isOfFile(flow, content);
	const made = madeOf(client, flow);
	if (!isThere) made.value ??= { change: 'updated', hint: hintAtChanges(flow) };
	const now = isThere ? flow : await importOver(client, flow, content);
	const { change = 'unchanged', hint } = made.value ?? {};
	if (hint !== undefined) context.showHint(hint);
	const kept = isThere && !isConverted(flow) ? ownId : { ...ownId, ...toKeep(now, content) };
	if (!isThere && isPublished) Object.assign(kept, TO_ENABLE);
	return { flow: await keep(client, now, kept), change };
}

interface Upsert extends Omit<Replacement, 'externalId'> {
	key: FlowKey;
	project: ChosenProject;
	folderName: string;
}

/** Changes the flow that a file belongs to, or creates it. */
export async function upsertFlow(
	context: OperationContext,
	{ key, project, folderName, content, publish }: Upsert,
): Promise<Imported> {
	const { client } = context;
	assertFirst(context, project.id, key);
	const { found, externalId } = await findFlow(client, project, key);
	const update = async (id: string) => {
		const flow = await fetchSettledFlow(client, { id, subject: { noun: 'flow' } });
		return await replaceDraft(context, flow, { content, publish, externalId });
	};
	if (found !== undefined) return await update(found);
	const request = createRequest(project, folderName, { ...key, externalId }, { content, publish });
	return await createOnce(client, request, content, async (empty) => {
		// A list that cannot be read now was read a moment ago, without that flow.
		const earlier = await findEarlier(client, empty, key).catch(() => undefined);
		if (earlier !== undefined) {
			if (!(await removeFlow(client, empty))) {
				throw outcomeError(
					`The new ${labelOf(empty)} could not be removed`,
					'Another flow of the file was created at the same time. Delete the new one in Activepieces, then run the node again.',
				);
			}
			return await update(earlier);
		}
		const flow = await importIntoNew(client, empty, content);
		madeOf(client, flow).value = { change: 'created' };
		await addKnown(client, flow);
		return { flow: await keep(client, flow, toKeep(flow, content)), change: 'created' };
	});
}
