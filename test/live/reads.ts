import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { check, type Lacking, type LiveContext, runNode } from './context';
import { expectContract } from './contract';
import { expectOnce, type Finding, Mismatch, notTried, type Outcome, plural } from './report';

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
const TEMPLATES_LACKING: Lacking = { editions: ['ce'], isForwarded: true };

const FLOW = { parameter: 'flowId', search: 'searchFlows', noun: 'flow' };
const FOLDER = { parameter: 'folderId', search: 'searchFolders', noun: 'folder' };
const RUN = { parameter: 'flowRunId', search: 'searchFlowRuns', noun: 'failed run' };
const queueSchema = ({ queues }: IDataObject) =>
	queues === undefined ? 'QueueMetrics' : 'QueueMetricsByQueue';

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
	// Cloud has none up to 0.79.
	'queue.getMetrics': { schema: queueSchema, noun: 'record', lacking: { editions: ['cloud'] } },
	'userInvitation.getAll': { schema: 'UserInvitation', noun: 'invitation' },
};

const idOf = ({ id }: IDataObject) => id;
const valueOf = ({ value }: { value: unknown }) => value;

async function read(context: LiveContext, pair: string): Promise<string | Finding> {
	const [resource, operation] = pair.split('.');
	const { schema, noun, of } = reads[pair];
	// So many records show what there is, and cost no server much; as the service sends them.
	const parameters: INodeParameters = { resource, operation, limit: 200, simplify: false };
	if (of !== undefined) {
		const [first] = (await context.engine.search(of.search, context.session)).results;
		if (first === undefined) return notTried(`From List has no ${of.noun}`);
		parameters[of.parameter] = byId(first.value);
	}
	const records = await runNode(context, parameters);
	expectOnce(records.map(idOf), 'record');
	const unknown = expectContract(
		typeof schema === 'string' ? schema : schema(records[0] ?? {}),
		records,
	);
	const more = unknown.length === 0 ? '' : `; not in the contract: ${unknown.join(', ')}`;
	return `${plural(records.length, noun)}${more}`;
}

/** Tries one operation that reads. */
export async function checkRead(
	context: LiveContext,
	pair: string,
	name: string,
): Promise<Outcome> {
	return await check(context, name, async () => await read(context, pair), reads[pair].lacking);
}

/** Reads flows over several small pages: the service's own cursors, rather than one large page. */
export async function checkPaging(context: LiveContext): Promise<Outcome> {
	return await check(context, 'Flow → Get Many, in small pages', async () => {
		const parameters = { resource: 'flow', operation: 'getAll', options: { pageSize: 3 } };
		const limit = 12;
		const records = await runNode(context, { ...parameters, limit });
		if (records.length > limit) throw new Mismatch(`Limit ${limit} gave ${records.length} flows`);
		expectOnce(records.map(idOf), 'flow');
		return plural(records.length, 'flow');
	});
}

/** Opens From List of a locator, as the editor does, scrolls once, and searches for its first entry. */
export async function checkLocator(
	context: LiveContext,
	method: string,
	name: string,
): Promise<Outcome> {
	const { engine, session } = context;
	const find = async () => {
		const { results, paginationToken } = await engine.search(method, session);
		const more = paginationToken && (await engine.search(method, { ...session, paginationToken }));
		const entries = more ? [...results, ...more.results] : results;
		if (entries.length === 0) return 'no entries';
		expectOnce(entries.map(valueOf), 'entry');
		const found = await engine.search(method, { ...session, filter: entries[0].name });
		if (!found.results.map(valueOf).includes(entries[0].value)) {
			throw new Mismatch('Searching for the first entry did not find it');
		}
		return `${plural(entries.length, 'entry')}${more && more.paginationToken ? ' and more' : ''}`;
	};
	const lacking = method === 'searchTemplates' ? TEMPLATES_LACKING : undefined;
	return await check(context, name, find, lacking);
}

/** Loads the list of a field that takes several records, as the editor does. */
export async function checkOptions(
	context: LiveContext,
	method: string,
	name: string,
): Promise<Outcome> {
	return await check(context, name, async () => {
		const options = await context.engine.loadOptions(method, context.session);
		expectOnce(options.map(valueOf), 'entry');
		return plural(options.length, 'entry');
	});
}
