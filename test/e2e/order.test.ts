import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { cases, type Case } from '../operations';
import { CREATED } from '../operations/facts';
import { startService, type Service, type ServiceData } from '../service';
import { credentialJson, type Outcome } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { activepieces, splitOut, step, trigger, workflow } from './support/workflow';

const ITEMS = 50;

/** Room for each operation on 50 records of its own. */
const DATA = {
	projects: ITEMS,
	foldersPerProject: 2,
	flows: 460,
	flowRuns: 1200,
	steps: 1,
	invitations: 120,
	templates: ITEMS,
	tablesPerProject: 1,
	recordsPerTable: ITEMS,
	connections: 60,
	members: 60,
};

/** Tables of one project */
const TABLES = { projects: 1, tablesPerProject: ITEMS, recordsPerTable: 1 };

const dataFor = ({ pair }: Case) => (pair.startsWith('table.') ? { ...DATA, ...TABLES } : DATA);

/** Each operation that changes one record, so that a new one is tried without being named here. */
const CHANGES = cases.filter(
	({ operation }) =>
		operation.endpoint.method !== 'GET' && !operation.name.endsWith('by Condition'),
);

/** Changes by POST keep the order of the items, unless they say otherwise. */
const isInTurn = ({ operation: { endpoint, isParallel } }: Case) =>
	endpoint.method === 'POST' && isParallel !== true;

interface Input {
	/** What only the requests of this item contain: the ID of its record, or a new name */
	mark: string;
	/** Of its record */
	id: string;
	parameters: INodeParameters;
	/** A part of the item that it should return */
	expected: IDataObject;
}

const withName = <T>(value: T, name: string): T =>
	JSON.parse(JSON.stringify(value).replaceAll(CREATED, name)) as T;

/** 50 new names for one project, table or flow, or 50 records that exist. */
function inputsOf(each: Case, data: ServiceData): Input[] {
	const isNamed = /Created|\$json/.test(JSON.stringify(each.parameters(data)));
	const { load } = each.facts;
	const lists = [each.records(data), (load && load.records?.(data)) || []];
	const records = lists.find(({ length }) => length >= ITEMS) ?? [];
	if (!isNamed && records.length === 0) throw new Error(`${each.pair} needs ${ITEMS} records`);
	return Array.from({ length: ITEMS }, (_, index) => {
		const name = `${CREATED} ${String(index).padStart(2, '0')}`;
		const id = isNamed ? each.idIn(data) : records[index].id;
		const [expected] = withName(each.expected(data, id), name);
		const parameters = withName(each.parameters(data, id), name);
		return { mark: isNamed ? name : id, id, parameters, expected };
	});
}

/** Makes an expression of each value that differs between the items, and adds the values to their JSON. */
function fromItems(values: unknown[], items: IDataObject[], name = ''): unknown {
	const [first] = values;
	if (typeof first === 'object' && first !== null) {
		const parts = Object.keys(first).map((key) => {
			const inner = values.map((value) => (value as IDataObject)[key]);
			return [key, fromItems(inner, items, key === 'value' ? name : key)] as const;
		});
		return Array.isArray(first) ? parts.map(([, value]) => value) : Object.fromEntries(parts);
	}
	if (new Set(values).size === 1) return first;
	values.forEach((value, index) => (items[index][name] = value as string));
	return `={{ $json.${name} }}`;
}

/** The marks in a text in their order, without immediate repetitions. */
function marksIn(text: string, inputs: Input[]): string[] {
	const found = text.match(new RegExp(inputs.map(({ mark }) => mark).join('|'), 'g')) ?? [];
	return found.filter((mark, index) => mark !== found[index - 1]);
}

/** How many records have one of the marks, besides the log of what was done. */
const countOf = (data: ServiceData, inputs: Input[]): number =>
	Object.entries(data)
		.filter(([name]) => name !== 'auditEvents')
		.flatMap(([, records]) => records as unknown)
		.filter((record) => marksIn(JSON.stringify(record) ?? '', inputs).length > 0).length;

describe.each(N8N_RELEASES)('50 items in n8n %s', (n8n) => {
	const services = new Map<Case, Service>();
	const inputs = new Map<Case, Input[]>();
	const before = new Map<Case, ServiceData>();
	let outcome: Outcome;

	/** Start → Records → Items → the operation */
	function stepsOf(each: Case) {
		const items = inputs.get(each)!.map(({ mark }): IDataObject => ({ mark }));
		const all = inputs.get(each)!.map(({ parameters }) => parameters);
		const parameters = fromItems(all, items) as INodeParameters;
		return [
			step(`Records of ${each.pair}`, 'set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ items }),
			}),
			splitOut(`Items of ${each.pair}`, 'items'),
			{
				...activepieces(each.pair, each.pair, parameters),
				onError: 'continueRegularOutput' as const,
			},
		];
	}

	const running = useN8n(n8n, async (ends) => {
		for (const each of CHANGES) {
			const service = await ends(startService({ data: dataFor(each) }));
			services.set(each, service);
			inputs.set(each, inputsOf(each, service.data));
			before.set(each, structuredClone(service.data));
		}
		const credentials = CHANGES.map((each) => credentialJson(each.pair, services.get(each)!));
		return [credentials, [workflow('order', [trigger()], CHANGES.map(stepsOf))]];
	});
	beforeAll(async () => {
		outcome = await running.execute('order');
	});

	test.each(CHANGES)('of $title: received and stored once each, in their order', (each) => {
		const service = services.get(each)!;
		const { data, webhooks, requests } = service;
		const given = inputs.get(each)!;
		const old = before.get(each)!;
		const marks = given.map(({ mark }) => mark);
		/** Changes side by side arrive in any order. */
		const ordered = (found: string[]) => (isInTurn(each) ? found : found.sort());
		const expectMarks = (text: string) =>
			expect(ordered(marksIn(text, given))).toEqual(ordered([...marks]));

		const returned = given.map(({ expected: json }, item) => ({ json, pairedItem: { item } }));
		expect(outcome.items(each.pair)).toMatchObject(returned);
		// The service may refuse the first of two paths.
		const made = requests.filter(({ method, status }) => method !== 'GET' && status < 300);
		expectMarks(made.map(({ url, body }) => url + JSON.stringify(body)).join());
		if (given[0].mark === given[0].id) {
			const changed = given.filter(({ id }) => each.isChanged(service, id, old));
			expect(changed).toEqual(given);
		} else {
			// A run keeps its input in several places; the number of records tells that each is stored once.
			const stored = new Set(marksIn(JSON.stringify([data, webhooks.runs]), given));
			expect(ordered([...stored])).toEqual(ordered([...marks]));
			expect(countOf(data, given)).toBe(ITEMS);
		}
	});
});
