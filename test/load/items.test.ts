import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { skipWaits } from '../engine/harness/built';
import { createEngine, type Engine } from '../engine/harness/engine';
import { enabledFlow, OPERATIONS } from '../engine/harness/operations';
import { type DataSizes, type Service, startService } from '../service';

const ITEMS = 20_000;

/** A pair on a single record. */
interface Load {
	pair: string;
	locator: string;
	ids: (service: Service) => string[];
	/** The parameters besides the id */
	more?: INodeParameters;
	/** What is looked at in the item that comes out, and what it has to be */
	seen: (record: IDataObject) => unknown;
	right: (id: string) => unknown;
	/** Requests that an item takes; 1 when left out */
	requests?: number;
	/** What the service holds besides a few records of each kind: a record for each item that takes one away */
	holds?: DataSizes;
	/** Holds what the service has afterwards */
	left?: (service: Service) => void;
}

/** As many ids as there are input items, in turns. */
const inTurns = (rows: Array<{ id: string }>) =>
	Array.from({ length: ITEMS }, (_, index) => rows[index % rows.length].id);

const renamed = (id: string) => `Renamed ${id}`;

/** A flow of its own for each flow. */
const IMPORTED = `=${JSON.stringify({
	displayName: 'Imported {{ $json.id }}',
	trigger: { type: 'EMPTY', name: 'trigger', displayName: 'x', valid: false, settings: {} },
})}`;

const loads: Load[] = [
	{
		pair: 'flow.get',
		locator: 'flowId',
		ids: ({ data }) => inTurns(data.flows),
		seen: ({ id }) => id,
		right: (id) => id,
	},
	{
		pair: 'flow.export',
		locator: 'flowId',
		ids: ({ data }) => inTurns(data.flows),
		seen: ({ externalId }) => externalId,
		right: (id) => service.data.flows.find((flow) => flow.id === id)?.externalId,
	},
	{
		// Each is changed once, and left alone from then on.
		pair: 'flow.setStatus',
		locator: 'flowId',
		ids: ({ data }) => inTurns(data.flows),
		requests: 2,
		seen: ({ id, status }) => [id, status],
		right: (id) => [id, 'DISABLED'],
		left: ({ data }) => expect(data.flows.every(({ status }) => status === 'DISABLED')).toBe(true),
	},
	{
		pair: 'flow.publish',
		locator: 'flowId',
		ids: ({ data }) => inTurns(data.flows),
		requests: 2,
		seen: ({ id, status }) => [id, status],
		right: (id) => [id, 'ENABLED'],
		left: ({ data }) =>
			expect(
				data.flows.every(({ publishedVersionId, version }) => publishedVersionId === version.id),
			).toBe(true),
	},
	{
		pair: 'flow.create',
		locator: 'projectId',
		ids: ({ data }) => inTurns(data.projects.filter(({ type }) => type === 'PERSONAL')),
		seen: ({ projectId, name }) => [projectId, name],
		right: (id) => [id, 'Created'],
		left: ({ data }) =>
			expect(data.flows.filter(({ version }) => version.displayName === 'Created').length).toBe(
				ITEMS,
			),
	},
	{
		// Each is changed once, and left alone from then on.
		pair: 'flow.import',
		locator: 'flowId',
		ids: ({ data }) => inTurns(data.flows),
		more: { mode: 'replace', content: IMPORTED },
		requests: 3,
		seen: ({ id, name }) => [id, name],
		right: (id) => [id, `Imported ${id}`],
	},
	{
		// Each is changed once, and left alone from then on.
		pair: 'flow.update',
		locator: 'flowId',
		ids: ({ data }) => inTurns(data.flows),
		more: { updateFields: { displayName: '=Renamed {{ $json.id }}' } },
		requests: 2,
		seen: ({ id, name }) => [id, name],
		right: (id) => [id, renamed(id)],
	},
	{
		pair: 'flow.delete',
		locator: 'flowId',
		holds: { flows: ITEMS },
		ids: ({ data }) => data.flows.map(({ id }) => id),
		seen: ({ deleted }) => deleted,
		right: () => true,
		left: ({ data }) => expect(data.flows).toEqual([]),
	},
	{
		pair: 'connection.delete',
		locator: 'connectionId',
		holds: { connectionsPerProject: ITEMS / 2, connections: 0 },
		ids: ({ data }) => data.projectConnections.map(({ id }) => id),
		// The lists of connections and flows are read once.
		requests: 1.01,
		seen: ({ deleted }) => deleted,
		right: () => true,
		left: ({ data }) => expect(data.projectConnections).toEqual([]),
	},
	{
		// Each is canceled once, and left alone from then on.
		pair: 'flowRun.cancel',
		locator: 'flowRunId',
		ids: ({ data }) =>
			inTurns(data.flowRuns.filter(({ status }) => status === 'PAUSED' || status === 'QUEUED')),
		requests: 3,
		seen: ({ id, status }) => [id, status],
		right: (id) => [id, 'CANCELED'],
	},
	{
		pair: 'flowRun.get',
		locator: 'flowRunId',
		ids: ({ data }) => inTurns(data.flowRuns),
		seen: ({ id }) => id,
		right: (id) => id,
	},
	{
		pair: 'flowRun.retry',
		locator: 'flowRunId',
		ids: ({ data }) => inTurns(data.flowRuns),
		more: { options: { anyStatus: true } },
		requests: 2,
		seen: ({ id, retriedRunId, status }) => [id, retriedRunId, status],
		right: (id) => [id, id, 'QUEUED'],
	},
	{
		pair: 'folder.create',
		locator: 'projectId',
		ids: ({ data }) => inTurns(data.projects.filter(({ type }) => type === 'PERSONAL')),
		more: { ifExists: 'use' },
		requests: 2,
		seen: ({ projectId, name }) => [projectId, name],
		right: (id) => [id, 'Created'],
		left: ({ data }) =>
			expect(data.folders.filter(({ displayName }) => displayName === 'Created')).toHaveLength(2),
	},
	{
		pair: 'folder.delete',
		locator: 'folderId',
		holds: { foldersPerProject: ITEMS / 2, flows: 0 },
		ids: ({ data }) => data.folders.map(({ id }) => id),
		seen: ({ deleted }) => deleted,
		right: () => true,
		left: ({ data }) => expect(data.folders).toEqual([]),
	},
	{
		pair: 'folder.get',
		locator: 'folderId',
		ids: ({ data }) => inTurns(data.folders),
		seen: ({ id }) => id,
		right: (id) => id,
	},
	{
		pair: 'folder.update',
		locator: 'folderId',
		ids: ({ data }) => inTurns(data.folders),
		more: { displayName: '=Renamed {{ $json.id }}' },
		seen: ({ name }) => name,
		right: renamed,
		left: ({ data }) =>
			expect(data.folders.map(({ displayName }) => displayName)).toEqual(
				data.folders.map(({ id }) => renamed(id)),
			),
	},
	{
		pair: 'project.update',
		locator: 'projectId',
		ids: ({ data }) => inTurns(data.projects.filter(({ type }) => type === 'TEAM')),
		more: { updateFields: { displayName: '=Renamed {{ $json.id }}' } },
		seen: ({ id, name }) => [id, name],
		right: (id) => [id, renamed(id)],
	},
	{
		pair: 'project.delete',
		locator: 'projectId',
		holds: { projects: ITEMS, foldersPerProject: 0, flows: 0 },
		requests: 2,
		ids: ({ data }) => data.projects.filter(({ type }) => type === 'TEAM').map(({ id }) => id),
		seen: ({ deleted }) => deleted,
		right: () => true,
		// The one that was to go by itself is still there.
		left: ({ data }) =>
			expect(data.projects.filter(({ type }) => type === 'TEAM')).toMatchObject([
				{ displayName: 'Empty' },
			]),
	},
	{
		pair: 'flowTemplate.delete',
		locator: 'templateId',
		holds: { templates: ITEMS },
		ids: ({ data }) => data.templates.map(({ id }) => id),
		seen: ({ deleted }) => deleted,
		right: () => true,
		left: ({ data }) => expect(data.templates).toEqual([]),
	},
	{
		pair: 'userInvitation.delete',
		locator: 'invitationId',
		holds: { invitations: ITEMS },
		ids: ({ data }) => data.invitations.map(({ id }) => id),
		seen: ({ deleted }) => deleted,
		right: () => true,
		left: ({ data }) => expect(data.invitations).toEqual([]),
	},
	{
		pair: 'flow.run',
		locator: 'flowId',
		ids: ({ data }) => inTurns(data.flows.filter((flow) => flow === enabledFlow(data))),
		seen: ({ accepted, flowId }) => [accepted, flowId],
		right: (id) => [true, id],
		left: ({ webhooks }) => expect(webhooks.runs).toHaveLength(ITEMS),
	},
];

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine();
	skipWaits();
});

// A service for each pair: what one of them makes, slows down or takes away, no other one meets.
let service: Service;
afterEach(async () => {
	await service.close();
});
const start = async (holds: Load['holds']) => {
	service = await startService({
		data: { projects: 2, foldersPerProject: 100, flows: 60, flowRuns: 200, ...holds },
	});
};

test('every pair on a single record is among these', async () => {
	await start({});
	const onOneRecord = Object.entries(OPERATIONS)
		.filter(([, parametersOf]) =>
			Object.values(parametersOf(service.data)).some(
				(value) => typeof value === 'object' && value !== null && '__rl' in value,
			),
		)
		.map(([pair]) => pair);
	expect(loads.map(({ pair }) => pair).sort()).toEqual(onOneRecord.sort());
});

test.each(loads)(
	'20,000 input items of $pair: each gets its own result, and ten requests are in flight at most',
	async ({ pair, locator, holds, ids, more, requests = 1, seen, right, left }) => {
		await start(holds);
		const all = ids(service);
		expect(all).toHaveLength(ITEMS);

		const { items, error } = await engine.run({
			credential: { baseUrl: service.baseUrl, apiKey: service.apiKey },
			parameters: {
				...OPERATIONS[pair](service.data),
				[locator]: byId('={{ $json.id }}'),
				...more,
			},
			items: all.map((id) => ({ id })),
		});

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => seen(json))).toEqual(all.map(right));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(all.map((_, item) => ({ item })));
		left?.(service);
		expect(service.inFlight.peak).toBeLessThanOrEqual(10);
		// Each of the ten may have one that is being closed.
		expect(service.connections.peak).toBeLessThanOrEqual(20);
		// Some may ask for the first of two paths before the run knows that it has moved, and the projects are
		// read once for their names.
		expect(service.requests.length).toBeLessThanOrEqual(requests * ITEMS + 10);
	},
);
