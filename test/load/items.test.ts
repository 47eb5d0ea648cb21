import { byId } from '../engine/harness/byId';
import { skipWaits } from '../engine/harness/built';
import { createEngine, type Engine } from '../engine/harness/engine';
import { caseOf, cases } from '../operations';
import type { Load } from '../operations/facts';
import { type Service, startService } from '../service';

const ITEMS = 20_000;
const ID = '{{ $json.id }}';

/** Operations on a single record. */
const loads = cases.flatMap(({ pair, locator, facts: { load } }): Array<[string, Load]> =>
	locator === undefined || load === false ? [] : [[pair, load ?? {}]],
);

/** Makes an expression of each text that contains the ID of the item. */
const withExpressions = <T>(parameters: T): T =>
	JSON.parse(JSON.stringify(parameters), (_, value: unknown) =>
		typeof value === 'string' && value.includes(ID) && !value.startsWith('=') ? `=${value}` : value,
	) as T;

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

test.each(loads)(
	'20,000 input items of %s: each gets its own result, and ten requests are in flight at most',
	async (pair, { holds, requests = 1, ...load }) => {
		const sizes = { projects: 2, foldersPerProject: 100, flows: 60, flowRuns: 200, ...holds };
		service = await startService({ data: sizes });
		const { data } = service;
		const operation = caseOf(pair);
		const records = load.records?.(data) ?? operation.records(data);
		if (holds !== undefined) expect(records).toHaveLength(ITEMS);
		const ids = records.map(({ id }) => id);
		const all = Array.from({ length: ITEMS }, (_, index) => ids[index % ids.length]);
		const locator = String(load.locator ?? operation.locator);
		const parameters = { ...operation.parameters(data, ID), ...load.parameters?.(ID, data) };
		const expected = new Map(
			ids.map((id) => [id, [load.expected?.(id, data) ?? operation.expected(data, id)].flat()]),
		);
		const before = { ...data, flows: [...data.flows] };

		const { items, error } = await engine.run({
			credential: { baseUrl: service.baseUrl, apiKey: service.apiKey },
			parameters: withExpressions({ ...parameters, [locator]: byId(ID) }),
			items: all.map((id) => ({ id })),
		});

		expect(error).toBeUndefined();
		const wanted = all.flatMap((id, item) =>
			expected.get(id)!.map((json) => ({ json, pairedItem: { item } })),
		);
		// Compared as text, because jest takes longer for 20,000 objects than the node for their requests.
		const given = items.map(({ json, pairedItem }, index) => ({
			json: Object.fromEntries(
				Object.keys(wanted[index]?.json ?? json).map((name) => [name, json[name]]),
			),
			pairedItem,
		}));
		expect(JSON.stringify(given)).toBe(JSON.stringify(wanted));
		if (load.left !== undefined) load.left(service, ITEMS);
		else for (const id of ids) expect(operation.isChanged(service, id, before)).not.toBe(false);
		expect(service.inFlight.peak).toBeLessThanOrEqual(10);
		// Each of the ten connections may have another one that is being closed.
		expect(service.connections.peak).toBeLessThanOrEqual(20);
		// Some requests may go to the first of two paths before the run knows that it has moved, and the
		// projects are read once for their names.
		expect(service.requests.length).toBeLessThanOrEqual(requests * ITEMS + 10);
	},
);
