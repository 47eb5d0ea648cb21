import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { check, type Lacking, type LiveContext, runNode, searchEntries } from './context';
import { compareWithContract } from './contract';
import { type Finding, Mismatch, type Outcome, plural } from './outcome';
import type { Pair } from './pairs';

/** How one operation that only reads is tried. */
interface Read {
	parameters?: INodeParameters;
	/** The locator's field, and the search whose first entry is read */
	of?: { parameter: string; search: string; noun: string };
	/** Name of a record in messages, and its schema in the contract */
	noun: string;
	schema: string | ((record: IDataObject) => string);
	lacking?: Lacking;
}

/** So many records show what there is, and cost no server much. */
const LIMIT = 200;

const list = { limit: LIMIT, simplify: false };

const NOT_IN_COMMUNITY: Lacking = { editions: ['ce'] };

/** The Community edition up to 0.76 passes on what the vendor's cloud says of its public ones. */
export const TEMPLATES_LACKING: Lacking = { editions: ['ce'], isForwarded: true };

/** The operations that read, by resource and operation. */
export const reads: Record<string, Read> = {
	'project.getAll': { parameters: list, noun: 'project', schema: 'Project' },
	'connection.getAll': { parameters: list, noun: 'connection', schema: 'Connection' },
	'flow.getAll': { parameters: list, noun: 'flow', schema: 'Flow' },
	'flow.get': {
		parameters: { simplify: false },
		of: { parameter: 'flowId', search: 'searchFlows', noun: 'flow' },
		noun: 'flow',
		schema: 'Flow',
	},
	'flow.export': {
		of: { parameter: 'flowId', search: 'searchFlows', noun: 'flow' },
		noun: 'flow',
		schema: 'FlowFile',
	},
	'flowRun.getAll': { parameters: list, noun: 'run', schema: 'FlowRun' },
	'flowRun.get': {
		parameters: { simplify: false },
		of: { parameter: 'flowRunId', search: 'searchFlowRuns', noun: 'failed run' },
		noun: 'run',
		schema: 'FlowRun',
	},
	'flowTemplate.getAll': {
		parameters: list,
		noun: 'template',
		schema: 'FlowTemplate',
		lacking: TEMPLATES_LACKING,
	},
	'folder.getAll': { parameters: list, noun: 'folder', schema: 'Folder' },
	'folder.get': {
		parameters: { simplify: false },
		of: { parameter: 'folderId', search: 'searchFolders', noun: 'folder' },
		noun: 'folder',
		schema: 'Folder',
	},
	'globalConnection.getAll': {
		parameters: list,
		noun: 'connection',
		schema: 'GlobalConnection',
		lacking: NOT_IN_COMMUNITY,
	},
	'queue.getMetrics': {
		noun: 'record',
		schema: ({ queues }) => (queues === undefined ? 'QueueMetrics' : 'QueueMetricsByQueue'),
		// Cloud has none up to 0.79.
		lacking: { editions: ['cloud'] },
	},
	'userInvitation.getAll': { parameters: list, noun: 'invitation', schema: 'UserInvitation' },
};

/** Compares what came out with the contract, and says what is new. */
function findingOf({ noun, schema }: Read, records: IDataObject[]): Finding {
	const ids = records.map(({ id }) => id).filter((id) => id !== undefined);
	if (new Set(ids).size < ids.length) throw new Mismatch('The same record came twice');
	const name = typeof schema === 'string' ? schema : schema(records[0] ?? {});
	const { wrong, unknown } = compareWithContract(name, records);
	if (wrong.length > 0) {
		throw new Mismatch(`The answer is not what the contract says: ${wrong.join('; ')}`);
	}
	const more = unknown.length === 0 ? '' : `; not in the contract: ${unknown.join(', ')}`;
	return { result: 'works', details: `${plural(records.length, noun)}${more}` };
}

/** Tries one operation that reads. */
export async function checkRead(
	context: LiveContext,
	{ id, resource, operation, name }: Pair,
): Promise<Outcome> {
	const read = reads[id];
	const find = async (): Promise<Finding> => {
		const parameters: INodeParameters = { resource, operation, ...read.parameters };
		if (read.of !== undefined) {
			const { results } = await searchEntries(context, read.of.search);
			if (results.length === 0) {
				return { result: 'not tried', details: `From List has no ${read.of.noun}` };
			}
			parameters[read.of.parameter] = byId(results[0].value);
		}
		return findingOf(read, await runNode(context, parameters));
	};
	return await check(context, name, find, read.lacking);
}

const SMALL_PAGE = 3;

/** Reads flows over several small pages: the service's own cursors, rather than one large page. */
export async function checkPaging(context: LiveContext): Promise<Outcome> {
	return await check(context, 'Flow → Get Many, in small pages', async () => {
		const limit = 4 * SMALL_PAGE;
		const records = await runNode(context, {
			resource: 'flow',
			operation: 'getAll',
			limit,
			options: { pageSize: SMALL_PAGE },
		});
		if (records.length > limit) throw new Mismatch(`Limit ${limit} gave ${records.length} flows`);
		if (new Set(records.map(({ id }) => id)).size < records.length) {
			throw new Mismatch('The same flow came twice');
		}
		return { result: 'works', details: plural(records.length, 'flow') };
	});
}
