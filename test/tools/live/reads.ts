import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Resource } from '../../../nodes/Activepieces/resources/operation';
import { byId } from '../../engine/harness/byId';
import { FACTS, type Case } from '../../operations';
import { check, runOf, type LiveContext } from './context';
import { expectContract, expectOnce, Mismatch, NotTried, plural } from './report';

/** A step of a run has no ID of its own. */
const idOf = ({ id, name, iteration }: IDataObject) => id ?? [name, iteration].join();
const valueOf = ({ value }: { value: unknown }) => value;

/** The first entry of a locator's list. */
async function firstOf(
	context: LiveContext,
	{ searchMethod, noun }: { searchMethod: string; noun: string },
) {
	const [first] = (await context.engine.search(searchMethod, context)).results;
	if (first === undefined) throw new NotTried(`From List has no ${noun}`);
	return byId(first.value);
}

/** Of counts, which are of one project. */
const PROJECT = { name: 'projectId', searchMethod: 'searchProjects', noun: 'project' };

const TABLE = { searchMethod: 'searchTables', noun: 'table' };

/** The parameters that select the first table. */
async function ofTable(context: LiveContext): Promise<INodeParameters> {
	return { resource: 'tableRecord', tableId: await firstOf(context, TABLE) };
}

export async function checkRead(
	context: LiveContext,
	{
		pair,
		title,
		locator: field,
		resource: { value, locators = [] },
		operation,
		facts,
		ofResource,
	}: Case,
): Promise<void> {
	const { schema = value[0].toUpperCase() + value.slice(1), lacking } = facts.live ?? {};
	const find = async () => {
		// Enough records to show their fields at little cost for the server; raw.
		const parameters: INodeParameters = { limit: 200, simplify: false };
		const locator = [...locators, PROJECT].find(({ name }) => name === field);
		if (locator !== undefined) parameters[locator.name] = await firstOf(context, locator);
		if (value === 'tableRecord') Object.assign(parameters, await ofTable(context));
		if (pair === 'tableRecord.get') {
			const list = runOf(context, { ...parameters, operation: 'getAll', limit: 1 });
			const [first] = await context.engine.records(list);
			if (first === undefined) throw new NotTried('the table has no records');
			parameters.recordId = String(first.id);
		}
		const records = await context.engine.records(
			runOf(context, { resource: value, operation: operation.value, ...parameters }),
		);
		expectOnce(records.map(idOf), 'record');
		const byQueue = pair === 'queue.getMetrics' && records[0].queues !== undefined;
		const unknown = expectContract(byQueue ? 'QueueMetricsByQueue' : schema, records);
		const more = unknown.length === 0 ? '' : `; not in the contract: ${unknown.join(', ')}`;
		return `${plural(records.length, 'record')}${more}`;
	};
	await check(context, title, find, lacking, facts.lackedBy ?? ofResource.lackedBy);
}

/** Reads flows in several small pages, to use the service's own cursors. */
export async function checkPaging(context: LiveContext): Promise<void> {
	await check(context, 'Flow → Get Many, in small pages', async () => {
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
	{ name, value, locators = [], optionLists = [] }: Resource,
): Promise<void> {
	const { operations, lackedBy } = FACTS[value];
	const { lacking } = operations.getAll?.live ?? {};
	const { engine } = context;
	const tryList = async (list: string, find: () => Promise<string>) =>
		await check(context, `${name} → ${list}`, find, lacking, lackedBy);
	for (const { searchMethod } of locators) {
		const search = async (more: { paginationToken?: string; filter?: string } = {}) =>
			await engine.search(searchMethod, { ...context, ...more });
		await tryList(`From List (${searchMethod})`, async () => {
			const { results, paginationToken } = await search();
			if (paginationToken) results.push(...(await search({ paginationToken })).results);
			const [first] = results;
			if (first === undefined) return 'no entries';
			expectOnce(results.map(valueOf), 'entry');
			const found = (await search({ filter: first.name })).results.map(valueOf);
			if (found.includes(first.value)) return plural(results.length, 'entry');
			throw new Mismatch('Searching for the first entry did not find it');
		});
	}
	const ofTables = value === 'tableRecord' ? [{ loadMethod: 'getTableColumns' }] : [];
	for (const { loadMethod } of [...optionLists, ...ofTables]) {
		await tryList(`list (${loadMethod})`, async () => {
			const more = ofTables.length > 0 ? await ofTable(context) : {};
			const options = await engine.loadOptions(loadMethod, runOf(context, more));
			expectOnce(options.map(valueOf), 'entry');
			return plural(options.length, 'entry');
		});
	}
}
