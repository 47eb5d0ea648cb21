import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { skipWaits } from '../engine/harness/built';
import { createEngine, type Engine } from '../engine/harness/engine';
import { enabledFlow, locatorOf, OPERATIONS, RECORDS } from '../engine/harness/operations';
import { type DataSizes, type Service, startService } from '../service';

const ITEMS = 20_000;

/** How a pair on a single record is tested. */
interface Load {
	/** The records, each of which is used in turn; by default those of its kind */
	of?: (service: Service) => Array<{ id: string }>;
	/** The parameter that selects the record, if it is not the only one that the operation needs */
	locator?: string;
	more?: INodeParameters;
	/** What is compared in the item, and its expected value; by default its ID */
	seen?: (record: IDataObject) => unknown;
	right?: (id: string) => unknown;
	/** Number of requests for an item; 1 by default */
	requests?: number;
	/** The records of the service besides a few of each kind: one for each item that deletes one */
	holds?: DataSizes;
	/** Checks the records of the service afterwards */
	left?: (service: Service) => void;
}

const recordsOf = (pair: string, { data }: Service) => {
	const teams = data.projects.filter(({ type }) => type === 'TEAM');
	return pair.startsWith('project.') ? teams : RECORDS[pair.split('.')[0]](data);
};

const seenName = ({ id, name }: IDataObject) => [id, name];
const seenStatus = ({ id, status }: IDataObject) => [id, status];
const renamed = (id: string) => `Renamed ${id}`;
const named = { seen: seenName, right: (id: string) => [id, renamed(id)] };
const withName = { displayName: '=Renamed {{ $json.id }}' };
/** This many are created in each of the personal projects. */
const created: Load = {
	of: ({ data }) => data.projects.filter(({ type }) => type === 'PERSONAL'),
	seen: ({ projectId, name }) => [projectId, name],
	right: (id) => [id, 'Created'],
};

/** Each record is deleted, and none is left. */
const deletion = (pair: string, holds: DataSizes, more: Load = {}): [string, Load] => {
	const left = (after: Service) => expect(recordsOf(pair, after)).toEqual([]);
	return [pair, { holds, seen: ({ deleted }) => deleted, right: () => true, left, ...more }];
};

/** A flow of its own for each flow. */
const IMPORTED = `=${JSON.stringify({
	displayName: 'Renamed {{ $json.id }}',
	trigger: { type: 'EMPTY', name: 'trigger', displayName: 'x', valid: false, settings: {} },
})}`;

/** Keyed by pair. A record is changed once, and never again. */
const loads: Array<[pair: string, load: Load]> = [
	['flow.get', {}],
	['flowRun.get', {}],
	['folder.get', {}],
	[
		'flow.export',
		{
			seen: ({ externalId }) => externalId,
			right: (id) => service.data.flows.find((flow) => flow.id === id)?.externalId,
		},
	],
	[
		'flow.setStatus',
		{
			requests: 2,
			seen: seenStatus,
			right: (id) => [id, 'DISABLED'],
			left: ({ data }) => {
				for (const { status } of data.flows) expect(status).toBe('DISABLED');
			},
		},
	],
	[
		'flow.publish',
		{
			requests: 2,
			seen: seenStatus,
			right: (id) => [id, 'ENABLED'],
			left: ({ data }) => {
				for (const flow of data.flows) expect(flow.publishedVersionId).toBe(flow.version.id);
			},
		},
	],
	[
		'flow.create',
		{
			...created,
			left({ data }) {
				const made = data.flows.filter(({ version }) => version.displayName === 'Created');
				expect(made.length).toBe(ITEMS);
			},
		},
	],
	[
		'flow.import',
		{ ...named, locator: 'flowId', more: { mode: 'replace', content: IMPORTED }, requests: 3 },
	],
	['flow.update', { ...named, more: { updateFields: withName }, requests: 2 }],
	[
		'flow.run',
		{
			of: ({ data }) => data.flows.filter((flow) => flow === enabledFlow(data)),
			seen: ({ accepted, flowId }) => [accepted, flowId],
			right: (id) => [true, id],
			left: ({ webhooks }) => expect(webhooks.runs).toHaveLength(ITEMS),
		},
	],
	[
		'flowRun.cancel',
		{
			of: ({ data }) => data.flowRuns.filter(({ status }) => /^(PAUSED|QUEUED)$/.test(status)),
			requests: 3,
			seen: seenStatus,
			right: (id) => [id, 'CANCELED'],
		},
	],
	[
		'flowRun.retry',
		{
			more: { options: { anyStatus: true } },
			requests: 2,
			seen: ({ id, retriedRunId, status }) => [id, retriedRunId, status],
			right: (id) => [id, id, 'QUEUED'],
		},
	],
	[
		'folder.create',
		{
			...created,
			more: { ifExists: 'use' },
			requests: 2,
			left: ({ data }) =>
				expect(data.folders.filter(({ displayName }) => displayName === 'Created')).toHaveLength(2),
		},
	],
	[
		'folder.update',
		{
			...named,
			more: withName,
			left: ({ data }) => {
				for (const { id, displayName } of data.folders) expect(displayName).toBe(renamed(id));
			},
		},
	],
	['project.update', { ...named, more: { updateFields: withName } }],
	deletion('flow.delete', { flows: ITEMS }),
	// The lists of connections and flows are read once.
	deletion(
		'connection.delete',
		{ connectionsPerProject: ITEMS / 2, connections: 0 },
		{ requests: 1.01 },
	),
	deletion('folder.delete', { foldersPerProject: ITEMS / 2, flows: 0 }),
	deletion('flowTemplate.delete', { templates: ITEMS }),
	deletion('userInvitation.delete', { invitations: ITEMS }),
	deletion(
		'project.delete',
		{ projects: ITEMS, foldersPerProject: 0, flows: 0 },
		{
			requests: 2,
			// The record for a single delete still exists.
			left: (after) =>
				expect(recordsOf('project.delete', after)).toMatchObject([{ displayName: 'Empty' }]),
		},
	),
];

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
const start = async (holds: Load['holds']) => {
	service = await startService({
		data: { projects: 2, foldersPerProject: 100, flows: 60, flowRuns: 200, ...holds },
	});
};

test('every pair on a single record is in this list', async () => {
	await start({});
	const onOneRecord = Object.keys(OPERATIONS).filter((pair) => locatorOf(pair, service.data));
	expect(loads.map(([pair]) => pair).sort()).toEqual(onOneRecord.sort());
});

test.each(loads)(
	'20,000 input items of %s: each gets its own result, and ten requests are in flight at most',
	async (pair, { of, more, seen = ({ id }) => id, right = (id) => id, requests = 1, ...load }) => {
		await start(load.holds);
		const records = of?.(service) ?? recordsOf(pair, service);
		const all = Array.from({ length: ITEMS }, (_, index) => records[index % records.length].id);
		if (load.holds !== undefined) expect(records).toHaveLength(ITEMS);

		const { items, error } = await engine.run({
			credential: { baseUrl: service.baseUrl, apiKey: service.apiKey },
			parameters: {
				...OPERATIONS[pair](service.data),
				[load.locator ?? String(locatorOf(pair, service.data)?.[0])]: byId('={{ $json.id }}'),
				...more,
			},
			items: all.map((id) => ({ id })),
		});

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => seen(json))).toEqual(all.map(right));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(all.map((_, item) => ({ item })));
		load.left?.(service);
		expect(service.inFlight.peak).toBeLessThanOrEqual(10);
		// Each of the ten connections may have another one that is being closed.
		expect(service.connections.peak).toBeLessThanOrEqual(20);
		// Some requests may go to the first of two paths before the run knows that it has moved, and the
		// projects are read once for their names.
		expect(service.requests.length).toBeLessThanOrEqual(requests * ITEMS + 10);
	},
);
