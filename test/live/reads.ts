import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import type { Resource } from '../../nodes/Activepieces/resources/operation';
import { check, type Lacking, type LiveContext, runNode } from './context';
import { expectContract } from './contract';
import { expectOnce, Mismatch, notTried, type Outcome, plural } from './report';

/** The operations that read, with the schema of their records in the contract. */
export const READS: Record<string, string> = {
	'project.getAll': 'Project',
	'connection.getAll': 'Connection',
	'flow.getAll': 'Flow',
	'flow.get': 'Flow',
	'flow.export': 'FlowFile',
	'flowRun.getAll': 'FlowRun',
	'flowRun.get': 'FlowRun',
	'flowTemplate.getAll': 'FlowTemplate',
	'folder.getAll': 'Folder',
	'folder.get': 'Folder',
	'globalConnection.getAll': 'GlobalConnection',
	'queue.getMetrics': 'QueueMetrics',
	'userInvitation.getAll': 'UserInvitation',
};

/** By operation and by search. */
const LACKING: Record<string, Lacking> = {
	// The Community edition up to 0.76 passes on what the vendor's cloud says of its public ones.
	'flowTemplate.getAll': { editions: ['ce'], isForwarded: true },
	searchTemplates: { editions: ['ce'], isForwarded: true },
	'globalConnection.getAll': { editions: ['ce'] },
	// Cloud has none up to 0.79.
	'queue.getMetrics': { editions: ['cloud'] },
};

const idOf = ({ id }: IDataObject) => id;
const valueOf = ({ value }: { value: unknown }) => value;

/** Tries one operation that reads. */
export async function checkRead(
	context: LiveContext,
	{ name, value: resource, locators = [] }: Resource,
	operation: { name: string; value: string },
): Promise<Outcome> {
	const pair = `${resource}.${operation.value}`;
	const find = async () => {
		// So many records show what there is, and cost no server much; as the service sends them.
		const parameters: INodeParameters = { limit: 200, simplify: false };
		if (/get$|export$/.test(pair)) {
			const [locator] = locators;
			const [first] = (await context.engine.search(locator.searchMethod, context)).results;
			if (first === undefined) return notTried(`From List has no ${locator.noun}`);
			parameters[locator.name] = byId(first.value);
		}
		const records = await runNode(context, { resource, operation: operation.value, ...parameters });
		expectOnce(records.map(idOf), 'record');
		const byQueue = pair === 'queue.getMetrics' && records[0].queues !== undefined;
		const unknown = expectContract(byQueue ? 'QueueMetricsByQueue' : READS[pair], records);
		const more = unknown.length === 0 ? '' : `; not in the contract: ${unknown.join(', ')}`;
		return `${plural(records.length, 'record')}${more}`;
	};
	return await check(context, `${name} → ${operation.name}`, find, LACKING[pair]);
}

/** Reads flows over several small pages: the service's own cursors, rather than one large page. */
export async function checkPaging(context: LiveContext): Promise<Outcome> {
	return await check(context, 'Flow → Get Many, in small pages', async () => {
		const parameters = { resource: 'flow', operation: 'getAll', options: { pageSize: 3 } };
		const limit = 12;
		const records = await runNode(context, { ...parameters, limit });
		if (records.length > limit) throw new Mismatch(`Limit ${limit} gave ${records.length} flows`);
		expectOnce(records.map(idOf), 'flow');
		return plural(records.length, 'record');
	});
}

/** Tries the lists of the editor: opens From List of a locator, scrolls once, and searches for its first entry. */
export async function checkLists(
	context: LiveContext,
	{ name, locators = [], optionLists = [] }: Resource,
): Promise<Outcome[]> {
	const { engine } = context;
	const outcomes: Outcome[] = [];
	const search = async (method: string, more: { paginationToken?: string; filter?: string } = {}) =>
		await engine.search(method, { ...context, ...more });
	for (const { searchMethod } of locators) {
		const find = async () => {
			const { results, paginationToken } = await search(searchMethod);
			if (paginationToken) {
				results.push(...(await search(searchMethod, { paginationToken })).results);
			}
			const [first] = results;
			if (first === undefined) return 'no entries';
			expectOnce(results.map(valueOf), 'entry');
			const found = (await search(searchMethod, { filter: first.name })).results.map(valueOf);
			if (found.includes(first.value)) return plural(results.length, 'entry');
			throw new Mismatch('Searching for the first entry did not find it');
		};
		const title = `${name} → From List (${searchMethod})`;
		outcomes.push(await check(context, title, find, LACKING[searchMethod]));
	}
	for (const { loadMethod } of optionLists) {
		const find = async () => {
			const options = await engine.loadOptions(loadMethod, context);
			expectOnce(options.map(valueOf), 'entry');
			return plural(options.length, 'entry');
		};
		outcomes.push(await check(context, `${name} → list (${loadMethod})`, find));
	}
	return outcomes;
}
