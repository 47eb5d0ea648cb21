import { skipWaits } from '../engine/harness/built';
import { byId } from '../engine/harness/byId';
import { createEngine, type Engine } from '../engine/harness/engine';
import { caseOf, cases } from '../operations';
import type { Load } from '../operations/facts';
import { startService, type Service } from '../service';

const ID = '{{ $json.id }}';

/** Operations on a single record. */
const loads = new Map(
	cases.flatMap(({ pair, locator, facts: { load } }): Array<[string, Load]> =>
		locator === undefined || load === false ? [] : [[pair, load ?? {}]],
	),
);

/** Of each kind of operation with ten requests at once, one: the last reads lists before, once. */
export const AT_ONCE = ['folder.get', 'folder.delete', 'flow.run', 'connection.delete'];

/** With one request after the other: for each item, and for 50. */
export const IN_TURN = ['flow.update', 'tableRecord.create'];

/** All others, with the number of their items */
export const OTHERS = [...loads]
	.filter(([pair]) => ![...AT_ONCE, ...IN_TURN].includes(pair))
	.map(([pair, { items = 1_000 }]): [number, string] => [items, pair]);

/** So many that what grows faster than the items, or is kept for each of them, shows. */
export const many = (pair: string): [number, string] => [20_000, pair];

/** Makes an expression of each text that contains the ID of the item. */
const withExpressions = <T>(parameters: T): T =>
	JSON.parse(JSON.stringify(parameters), (_, value: unknown) =>
		typeof value === 'string' && value.includes(ID) && !value.startsWith('=') ? `=${value}` : value,
	) as T;

/** Each item gets its own result, and ten requests are in flight at most. */
export function testItems(rows: Array<[count: number, pair: string]>): void {
	let engine: Engine;
	beforeAll(async () => {
		engine = await createEngine();
		skipWaits();
	});

	// A service for each pair, so that its records, delays and deletes do not affect other pairs.
	let service: Service;
	afterEach(async () => {
		await service.close();
	});

	test.each(rows)('%i input items of %s', async (count, pair) => {
		const { holds, requests = 1, ...load } = loads.get(pair)!;
		const sizes = {
			projects: 2,
			foldersPerProject: 100,
			flows: 60,
			flowRuns: 200,
			...holds?.(count),
		};
		service = await startService({ data: sizes });
		const { data } = service;
		const operation = caseOf(pair);
		const own = load.records ?? ((all) => operation.records(all));
		// In the order in which the stand-in finds them: a search of all for each takes longer than the node.
		const isReversed = operation.isDelete && load.records === undefined;
		const records = isReversed ? [...own(data)].reverse() : own(data);
		if (holds !== undefined) expect(records).toHaveLength(count);
		const ids = records.map(({ id }) => id);
		const all = Array.from({ length: count }, (_, index) => ids[index % ids.length]);
		const locator = String(load.locator ?? operation.locator);
		const parameters = { ...operation.parameters(data, ID), ...load.parameters?.(ID, data) };
		const expected = new Map(
			ids.map((id) => [id, [load.expected?.(id, data) ?? operation.expected(data, id)].flat()]),
		);
		const before = { ...data, flows: [...data.flows] };

		const { items, error } = await engine.run({
			credential: { baseUrl: service.baseUrl, apiKey: service.apiKey },
			parameters: withExpressions({
				...parameters,
				// The ID of a table record is text.
				[locator]: typeof parameters[locator] === 'string' ? ID : byId(ID),
			}),
			items: all.map((id) => ({ id })),
		});

		expect(error).toBeUndefined();
		const wanted = all.flatMap((id, item) =>
			expected.get(id)!.map((json) => ({ json, pairedItem: { item } })),
		);
		// Compared as text, because jest takes longer for thousands of objects than the node for their requests.
		const given = items.map(({ json, pairedItem }, index) => ({
			json: Object.fromEntries(
				Object.keys(wanted[index]?.json ?? json).map((name) => [name, json[name]]),
			),
			pairedItem,
		}));
		expect(JSON.stringify(given)).toBe(JSON.stringify(wanted));
		if (load.left !== undefined) load.left(service, count);
		else for (const id of ids) expect(operation.isChanged(service, id, before)).not.toBe(false);
		expect(service.inFlight.peak).toBeLessThanOrEqual(10);
		// Each of the ten connections may have another one that is being closed.
		expect(service.connections.peak).toBeLessThanOrEqual(20);
		// Some requests may go to the first of two paths before the run knows that it has moved, and the
		// projects are read once for their names.
		expect(service.requests.length).toBeLessThanOrEqual(requests * count + 10);
	});
}
