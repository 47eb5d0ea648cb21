import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import type { Resource } from '../../nodes/Activepieces/resources/operation';
import { check, type Lacking, type LiveContext, runOf } from './context';
import { expectContract, expectOnce, Mismatch, notTried, type Outcome, plural } from './report';

/** Schemas of the contract whose name differs from their resource. */
const SCHEMAS: Record<string, string> = {
	'flow.export': 'FlowFile',
	'queue.getMetrics': 'QueueMetrics',
};

/** Keyed by operation and by search. */
const LACKING: Record<string, Lacking> = {
	// Community up to 0.76 passes on the response of the vendor's Cloud with its public ones.
	'flowTemplate.getAll': ['ce', 'forwarded'],
	searchTemplates: ['ce', 'forwarded'],
	'globalConnection.getAll': ['ce'],
	// Up to 0.79 Cloud has none.
	'queue.getMetrics': ['cloud'],
};

const idOf = ({ id }: IDataObject) => id;
const valueOf = ({ value }: { value: unknown }) => value;

/** Tries one operation that reads. */
export async function checkRead(
	context: LiveContext,
	{ name, value: resource, locators = [] }: Resource,
	operation: Resource['operations'][number],
): Promise<Outcome> {
	const pair = `${resource}.${operation.value}`;
	const schema = SCHEMAS[pair] ?? resource[0].toUpperCase() + resource.slice(1);
	const find = async () => {
		// Enough records to show their fields at little cost for the server; raw.
		const parameters: INodeParameters = { limit: 200, simplify: false };
		if (operation.endpoint.path.includes('{id}')) {
			const [locator] = locators;
			const [first] = (await context.engine.search(locator.searchMethod, context)).results;
			if (first === undefined) return notTried(`From List has no ${locator.noun}`);
			parameters[locator.name] = byId(first.value);
		}
		const records = await context.engine.records(
			runOf(context, { resource, operation: operation.value, ...parameters }),
		);
		expectOnce(records.map(idOf), 'record');
		const byQueue = pair === 'queue.getMetrics' && records[0].queues !== undefined;
		const unknown = expectContract(byQueue ? 'QueueMetricsByQueue' : schema, records);
		const more = unknown.length === 0 ? '' : `; not in the contract: ${unknown.join(', ')}`;
		return `${plural(records.length, 'record')}${more}`;
	};
	return await check(context, `${name} → ${operation.name}`, find, LACKING[pair]);
}

/** Reads flows in several small pages, to use the service's own cursors. */
export async function checkPaging(context: LiveContext): Promise<Outcome> {
	return await check(context, 'Flow → Get Many, in small pages', async () => {
		const parameters = { resource: 'flow', operation: 'getAll', options: { pageSize: 3 } };
		const limit = 12;
		const records = await context.engine.records(runOf(context, { ...parameters, limit }));
		if (records.length > limit) throw new Mismatch(`Limit ${limit} gave ${records.length} flows`);
		expectOnce(records.map(idOf), 'flow');
		return plural(records.length, 'record');
	});
}

/**
 * Tries the lists of the editor: opens From List of a locator, scrolls once, and searches for its first
 * entry.
 */
export async function checkLists(
	context: LiveContext,
	{ name, locators = [], optionLists = [] }: Resource,
): Promise<Outcome[]> {
	const { engine } = context;
	const outcomes: Outcome[] = [];
	for (const { searchMethod } of locators) {
		const search = async (more: { paginationToken?: string; filter?: string } = {}) =>
			await engine.search(searchMethod, { ...context, ...more });
		const find = async () => {
			const { results, paginationToken } = await search();
			if (paginationToken) results.push(...(await search({ paginationToken })).results);
			const [first] = results;
			if (first === undefined) return 'no entries';
			expectOnce(results.map(valueOf), 'entry');
			const found = (await search({ filter: first.name })).results.map(valueOf);
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
