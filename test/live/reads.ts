import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { check, type Lacking, type LiveContext, runNode, searchEntries } from './context';
import { expectContract } from './contract';
import { expectOnce, type Finding, Mismatch, notTried, type Outcome, plural } from './outcome';
import type { Pair } from './pairs';

/** How one operation that only reads is tried. */
interface Read {
	/** The schema of a record in the contract */
	schema: string | ((record: IDataObject) => string);
	/** What a record is called in the report */
	noun: string;
	/** The locator's field, and the search whose first entry is read */
	of?: { parameter: string; search: string; noun: string };
	lacking?: Lacking;
}

/** The Community edition up to 0.76 passes on what the vendor's cloud says of its public ones. */
export const TEMPLATES_LACKING: Lacking = { editions: ['ce'], isForwarded: true };

const FLOW = { parameter: 'flowId', search: 'searchFlows', noun: 'flow' };
const FOLDER = { parameter: 'folderId', search: 'searchFolders', noun: 'folder' };
const RUN = { parameter: 'flowRunId', search: 'searchFlowRuns', noun: 'failed run' };

/** The operations that read, by resource and operation. */
export const reads: Record<string, Read> = {
	'project.getAll': { schema: 'Project', noun: 'project' },
	'connection.getAll': { schema: 'Connection', noun: 'connection' },
	'flow.getAll': { schema: 'Flow', noun: 'flow' },
	'flow.get': { schema: 'Flow', noun: 'flow', of: FLOW },
	'flow.export': { schema: 'FlowFile', noun: 'flow', of: FLOW },
	'flowRun.getAll': { schema: 'FlowRun', noun: 'run' },
	'flowRun.get': { schema: 'FlowRun', noun: 'run', of: RUN },
	'flowTemplate.getAll': { schema: 'FlowTemplate', noun: 'template', lacking: TEMPLATES_LACKING },
	'folder.getAll': { schema: 'Folder', noun: 'folder' },
	'folder.get': { schema: 'Folder', noun: 'folder', of: FOLDER },
	'globalConnection.getAll': {
		schema: 'GlobalConnection',
		noun: 'connection',
		lacking: { editions: ['ce'] },
	},
	'queue.getMetrics': {
		schema: ({ queues }) => (queues === undefined ? 'QueueMetrics' : 'QueueMetricsByQueue'),
		noun: 'record',
		// Cloud has none up to 0.79.
		lacking: { editions: ['cloud'] },
	},
	'userInvitation.getAll': { schema: 'UserInvitation', noun: 'invitation' },
};

/** So many records show what there is, and cost no server much; as the service sends them. */
const LIST: INodeParameters = { limit: 200, simplify: false };

async function read(context: LiveContext, pair: Pair): Promise<string | Finding> {
	const { resource, operation } = pair;
	const { schema, noun, of } = reads[pair.id];
	const parameters: INodeParameters = { resource, operation, ...LIST };
	if (of !== undefined) {
		const [first] = (await searchEntries(context, of.search)).results;
		if (first === undefined) return notTried(`From List has no ${of.noun}`);
		parameters[of.parameter] = byId(first.value);
	}
	const records = await runNode(context, parameters);
	expectOnce(
		records.map(({ id }) => id),
		'record',
	);
	const unknown = expectContract(
		typeof schema === 'string' ? schema : schema(records[0] ?? {}),
		records,
	);
	const more = unknown.length === 0 ? '' : `; not in the contract: ${unknown.join(', ')}`;
	return `${plural(records.length, noun)}${more}`;
}

/** Tries one operation that reads. */
export async function checkRead(context: LiveContext, pair: Pair): Promise<Outcome> {
	const find = async () => await read(context, pair);
	return await check(context, pair.name, find, reads[pair.id].lacking);
}

/** Reads flows over several small pages: the service's own cursors, rather than one large page. */
export async function checkPaging(context: LiveContext): Promise<Outcome> {
	return await check(context, 'Flow → Get Many, in small pages', async () => {
		const parameters = { resource: 'flow', operation: 'getAll', options: { pageSize: 3 } };
		const limit = 12;
		const records = await runNode(context, { ...parameters, limit });
		if (records.length > limit) throw new Mismatch(`Limit ${limit} gave ${records.length} flows`);
		expectOnce(
			records.map(({ id }) => id),
			'flow',
		);
		return plural(records.length, 'flow');
	});
}
