import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { cases, type Case } from '../operations';
import { startService, type Service } from '../service';
import { byId } from './harness/byId';
import type { RunResult } from './harness/engine';
import { parametersOf, put } from './harness/parameters';
import { Runner, useEngine } from './harness/runner';
import { useService } from './harness/service';
import { TriggerRun } from './harness/trigger';

/* Models and expressions write options in other letters, or by the names that the editor shows. */

const runner = new Runner();
useEngine(runner);

interface Field {
	each: Case;
	property: INodeProperties;
	path: string[];
}

/** The fields of an operation with fixed options, also in its collections. */
const fieldsIn = (each: Case, properties: INodeProperties[], path: string[] = []): Field[] =>
	properties.flatMap((property) => {
		const { type, name, options = [] } = property;
		const own = [...path, name];
		if (type === 'collection') return fieldsIn(each, options as INodeProperties[], own);
		if (type === 'boolean') return [{ each, property, path: own }];
		if (type !== 'options' && type !== 'multiOptions') return [];
		return options.length === 0 ? [] : [{ each, property, path: own }];
	});

/** Each once, in the first of its operations. */
const fields = cases
	.flatMap((each) => fieldsIn(each, each.operation.properties))
	.filter(({ property }, at, all) => at === all.findIndex((other) => other.property === property))
	.map((field) => ({ ...field, title: `${field.each.title}: ${field.property.displayName}` }));

const otherCase = (text: string) =>
	text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

/** Each option as its value, and its name in other letters. */
const spellingsOf = ({ type, options = [] }: INodeProperties): Array<[string, string]> =>
	type === 'boolean'
		? ['true', 'false'].map((value) => [value, ` ${value.toUpperCase()} `])
		: (options as INodePropertyOptions[]).map(({ name, value }) => [
				String(value),
				` ${otherCase(name)}\n`,
			]);

/** How often something is asked until it has ended depends on the machine. */
const isAskedAgain = (request: string, at: number, all: string[]) => request === all[at - 1];

/** What a run did, apart from times and the address of the server. */
const whatItDid = ({ items, error }: RunResult, { requests, baseUrl }: Service) =>
	JSON.stringify({
		error: error && [error.message, error.description],
		items: items.map(({ json }) => json),
		requests: requests
			.map(({ method, url, body }) => JSON.stringify([method, url, body]))
			.filter((request, at, all) => !isAskedAgain(request, at, all)),
	})
		.replaceAll(new URL(baseUrl).host, 'server')
		// In a query its colons are encoded.
		.replaceAll(/\d{4}-\d\d-\d\dT(?:[\d:.]|%3A)+Z/g, 'time');

const SIZES = { projects: 2, flows: 6, flowRuns: 6, connections: 4, invitations: 4, templates: 2 };

/** What makes a node read a field. */
const NEEDED: Record<string, INodeParameters> = {
	output: { fields: 'id' },
	mode: { flowId: byId('x') },
	matchBy: { mode: 'upsert', externalId: 'x' },
	platformRole: { type: 'PLATFORM' },
	connectionType: {
		secretText: 'x',
		username: 'x',
		properties: { values: [{ name: 'x', value: 'x' }] },
	},
	extraFields: { columns: { mappingMode: 'autoMapInputData', value: null } },
};

async function tryOn({ each, property, path }: Field, value: string) {
	const service = await startService({ data: SIZES });
	const { baseUrl, apiKey } = service;
	// The node asks for a called run in two requests in turn, so their number must not depend on the workers.
	const before = async () => await service.webhooks.settled();
	service.fault({ path: '/v1/flow-runs', kind: { before } });
	const parameters = put(each.parameters(service.data), path, `={{ ${JSON.stringify(value)} }}`);
	const asTool = property.displayOptions?.show?.['@tool'] !== undefined;
	const result = await runner.engine
		.run({
			credential: { baseUrl, apiKey },
			parameters: { ...parameters, ...NEEDED[property.name] },
			asTool,
		})
		.finally(async () => await service.close());
	return { did: whatItDid(result, service), error: result.error, service };
}

describe('an option of', () => {
	test.each(fields)('$title may be written as its name, in other letters', async (field) => {
		const isDefault = ([value]: [string, string]) => value === String(field.property.default);
		const [value, other] = spellingsOf(field.property).find((each) => !isDefault(each))!;
		const { did } = await tryOn(field, value);
		expect((await tryOn(field, other)).did).toBe(did);
	});

	test.each(fields)('$title is refused if there is none', async (field) => {
		const { displayName, type } = field.property;
		const values = spellingsOf(field.property).map(([value]) => value);
		const wanted = type === 'boolean' ? 'true or false' : `one of ${values.join(', ')}`;
		const { error, service } = await tryOn(field, 'nonsense');
		const message = `${displayName} must be ${wanted}, not "nonsense"`;
		// A tool has all of the text in its message.
		const inTool = `${message}. ${String(error?.description)}`;
		expect(error?.message).toBe(error?.node.type.endsWith('Tool') ? inTool : message);
		// Only the columns of a table, and the flow that must be in the chosen project, are read before other fields.
		const isRead = ({ method, path }: { method: string; path: string }) =>
			method === 'GET' && ['/v1/fields', '/v1/flows'].includes(path);
		expect(service.requests.filter((request) => !isRead(request))).toEqual([]);
	});
});

describe('an option in a row of', () => {
	const context = useService();

	test('conditions and columns', async () => {
		const [table] = context.data.tables;
		const list = parametersOf('tableRecord.getAll', { tableId: byId(table.id), returnAll: true });
		for (const written of ['is Not empty', 'Exists']) {
			const row = { column: 'Customer', operator: `={{ "${written}" }}` };
			const filters = { conditions: { condition: [row] } };
			const records = await context.records({ ...list, filters });
			expect(records.length).toBeGreaterThan(0);
			expect(records.every(({ Customer }) => Customer)).toBe(true);
		}

		const projectId = byId(table.projectId);
		const columns = { column: [{ name: 'Amount', type: '={{ "Number" }}' }] };
		await context.records(parametersOf('table.create', { projectId, tableName: 'New', columns }));
		expect(context.posts().at(-1)?.body).toMatchObject({ type: 'NUMBER' });
	});

	test.each([
		['queueBacklog', 'metric', 'Metric must be one of active, delayed, failed, paused,'],
		['connectionNeedsAttention', 'scope', 'Scope must be one of all, global, project,'],
	])('the trigger: %s', async (event, name, refusal) => {
		const activated = async (value: string) => {
			const parameters = { event, threshold: 1, [name]: value };
			await new TriggerRun(context, parameters).activate();
		};
		await activated(name === 'metric' ? 'Waiting' : 'Project Connections');
		await expect(activated('nonsense')).rejects.toThrow(refusal);
	});
});
