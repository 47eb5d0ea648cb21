import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Service } from '../../service';
import { byId } from '../harness/byId';
import { ALL_FLOWS, CONNECTIONS, FLOWS } from '../harness/parameters';
import { draftFlow, OPERATIONS } from '../harness/operations';

export type Method = 'GET' | 'DELETE' | 'POST';

/** One column of the matrix: an operation, and which of its requests goes wrong. */
export interface Column {
	name: string;
	/** Meets every fault; the others share their code with one of these */
	isFull?: true;
	method: Method;
	/** Of the request that goes wrong, as release 0.85 has it */
	path: RegExp;
	/** How many requests to that path pass first */
	after: number;
	parameters: (service: Service) => INodeParameters;
	/** What the operation gives when all is well */
	right: (service: Service) => unknown;
	/** The part of the records that `right` speaks of */
	seen: (records: IDataObject[]) => unknown;
	/** Looks whether the change was made when its answer does not come */
	looksAfterwards?: true;
	/** What it may say to a body that is not the one asked for: its own answers are marked */
	saysOfOthers?: RegExp;
	/** Reads back what was done in any case, so that this takes no further request, and undoes what it did not complete */
	readsBack?: true;
	/** Whether the service has made the change, for operations that make one */
	isChanged?: (service: Service) => boolean;
}

const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id);
const sortedIds = (records: Array<{ id?: unknown }>) => ids(records).sort();
const paging: INodeParameters = { returnAll: true, options: { pageSize: 5 } };
/** Where the data has the flow and the runs that the pairs change. */
const EDITED = 4;
const FAILED = 1;
const PAUSED = 12;
/** What the pairs rename a folder and a flow to. */
const RENAMED = 'Renamed';

const pairOf =
	(pair: string) =>
	({ data }: Service) =>
		OPERATIONS[pair](data);

const flows = {
	method: 'GET',
	right: ({ data }: Service) => sortedIds(data.flows),
	seen: sortedIds,
} as const;

const connections = {
	method: 'GET',
	path: /^\/v1\/global-connections$/,
	parameters: () => ({ ...CONNECTIONS, ...paging }),
	right: ({ data }: Service) => ids(data.connections),
	seen: ids,
} as const;

const projectConnections = {
	method: 'GET',
	path: /^\/v1\/app-connections$/,
	parameters: ({ data }: Service) => ({
		...OPERATIONS['connection.getAll'](data),
		...paging,
		projectId: byId(data.projects[0].id),
	}),
	right: ({ data }: Service) => ids(data.projectConnections),
	seen: ids,
} as const;

const runs = {
	method: 'GET',
	path: /^\/v1\/flow-runs$/,
	parameters: ({ data }: Service) => ({
		...OPERATIONS['flowRun.getAll'](data),
		...paging,
		projectId: byId(data.projects[0].id),
	}),
	right: ({ data }: Service) => ids(data.flowRuns),
	seen: ids,
} as const;

const flowsOfProject = ({ data }: Service): INodeParameters => ({
	...FLOWS,
	...paging,
	projectId: byId(data.projects[0].id),
});

export const columns: Column[] = [
	{
		name: 'Queue: Get Metrics',
		method: 'GET',
		path: /^\/v1\/worker-machines\/queue-metrics$/,
		after: 0,
		parameters: pairOf('queue.getMetrics'),
		right: ({ data }) => data.queue.active,
		seen: ([{ stats }]) => (stats as IDataObject).active,
	},
	{
		name: 'Folder: Get',
		isFull: true,
		method: 'GET',
		path: /^\/v1\/folders\/\w+$/,
		after: 0,
		parameters: pairOf('folder.get'),
		right: ({ data }) => [data.folders[0].id],
		seen: ids,
	},
	{
		name: 'Folder: Update',
		isFull: true,
		method: 'POST',
		path: /^\/v1\/folders\/\w+$/,
		after: 0,
		parameters: pairOf('folder.update'),
		right: () => [RENAMED],
		seen: (records) => records.map(({ name }) => name),
		isChanged: ({ data }) => data.folders[0].displayName === RENAMED,
	},
	{
		name: 'Connections of a project, first page',
		...projectConnections,
		after: 0,
	},
	{
		name: 'Connections of a project, later page',
		...projectConnections,
		after: 1,
	},
	{
		name: 'Connection: Delete',
		method: 'DELETE',
		path: /^\/v1\/app-connections\/\w+$/,
		after: 0,
		parameters: pairOf('connection.delete'),
		right: () => [{ deleted: true }],
		seen: (records) => records,
		isChanged: ({ data }) => data.projectConnections.length < SIZES.connectionsPerProject,
	},
	{
		name: 'Connection: Delete, flows of the project',
		method: 'GET',
		path: /^\/v1\/flows$/,
		after: 0,
		parameters: pairOf('connection.delete'),
		right: () => [{ deleted: true }],
		seen: (records) => records,
	},
	{
		name: 'Global Connections, first page',
		...connections,
		after: 0,
	},
	{
		name: 'Global Connections, later page',
		...connections,
		after: 1,
	},
	{
		name: 'Flows, first page',
		...flows,
		path: /^\/v1\/flows$/,
		after: 0,
		parameters: flowsOfProject,
	},
	{
		name: 'Flows, later page',
		isFull: true,
		...flows,
		path: /^\/v1\/flows$/,
		after: 1,
		parameters: flowsOfProject,
	},
	{
		name: 'Flows, list of projects',
		isFull: true,
		...flows,
		path: /^\/v1\/projects$/,
		after: 0,
		parameters: () => ({ ...ALL_FLOWS, ...paging }),
	},
	{
		name: 'Flow: Get',
		method: 'GET',
		path: /^\/v1\/flows\/\w+$/,
		after: 0,
		parameters: pairOf('flow.get'),
		right: ({ data }) => [data.flows[0].id],
		seen: ids,
	},
	{
		name: 'Flow: Export',
		method: 'GET',
		path: /^\/v1\/flows\/\w+$/,
		after: 0,
		parameters: pairOf('flow.export'),
		right: ({ data }) => [data.flows[0].externalId],
		seen: (records) => records.map(({ externalId }) => externalId),
	},
	{
		name: 'Flow: Enable or Disable',
		isFull: true,
		method: 'POST',
		path: /^\/v1\/flows\/\w+$/,
		after: 0,
		parameters: pairOf('flow.setStatus'),
		looksAfterwards: true,
		right: ({ data }) => [[data.flows[0].id, 'DISABLED']],
		seen: (records) => records.map(({ id, status }) => [id, status]),
		isChanged: ({ data }) => data.flows[0].status === 'DISABLED',
	},
	{
		name: 'Flow: Publish',
		method: 'POST',
		path: /^\/v1\/flows\/\w+$/,
		after: 0,
		parameters: pairOf('flow.publish'),
		looksAfterwards: true,
		right: ({ data }) => [[data.flows[EDITED].id, 'ENABLED']],
		seen: (records) => records.map(({ id, status }) => [id, status]),
		isChanged: ({ data }) => {
			const { publishedVersionId, version } = data.flows[EDITED];
			return publishedVersionId === version.id;
		},
	},
	{
		name: 'Flow: Create',
		method: 'POST',
		path: /^\/v1\/flows$/,
		after: 0,
		parameters: pairOf('flow.create'),
		right: () => ['Created'],
		seen: (records) => records.map(({ name }) => name),
		isChanged: ({ data }) => data.flows.length > SIZES.flows,
	},
	{
		name: 'Flow: Update',
		method: 'POST',
		path: /^\/v1\/flows\/\w+$/,
		after: 0,
		parameters: pairOf('flow.update'),
		right: () => [RENAMED],
		seen: (records) => records.map(({ name }) => name),
		isChanged: ({ data }) => draftFlow(data).version.displayName === RENAMED,
	},
	{
		name: 'Flow: Import, its new flow',
		method: 'POST',
		path: /^\/v1\/flows$/,
		after: 0,
		parameters: pairOf('flow.import'),
		right: () => ['Imported'],
		seen: (records) => records.map(({ name }) => name),
		isChanged: ({ data }) => data.flows.length > SIZES.flows,
	},
	{
		name: 'Flow: Import',
		isFull: true,
		method: 'POST',
		path: /^\/v1\/flows\/\w+$/,
		after: 0,
		parameters: pairOf('flow.import'),
		looksAfterwards: true,
		readsBack: true,
		right: () => ['Imported'],
		seen: (records) => records.map(({ name }) => name),
		isChanged: ({ data }) => data.flows.length > SIZES.flows,
	},
	{
		name: 'Flow: Import, reading it back',
		method: 'GET',
		path: /^\/v1\/flows\/\w+$/,
		after: 0,
		parameters: pairOf('flow.import'),
		right: () => ['Imported'],
		seen: (records) => records.map(({ name }) => name),
	},
	{
		name: 'Flow: Delete',
		isFull: true,
		method: 'DELETE',
		path: /^\/v1\/flows\/\w+$/,
		after: 0,
		parameters: pairOf('flow.delete'),
		right: () => [{ deleted: true }],
		seen: (records) => records,
		isChanged: ({ data }) => data.flows.length < SIZES.flows,
	},
	{
		name: 'Flow: Run',
		method: 'POST',
		path: /^\/v1\/webhooks\/\w+$/,
		after: 0,
		parameters: pairOf('flow.run'),
		right: ({ data }) => [[true, data.flows[0].id]],
		seen: (records) => records.map(({ accepted, flowId }) => [accepted, flowId]),
		saysOfOthers: /in front of Activepieces responded to the call of the flow/,
		isChanged: ({ webhooks }) => webhooks.runs.length > 0,
	},
	{
		name: 'Flow Runs, first page',
		...runs,
		after: 0,
	},
	{
		name: 'Flow Runs, later page',
		...runs,
		after: 1,
	},
	{
		name: 'Flow Run: Get',
		method: 'GET',
		path: /^\/v1\/flow-runs\/\w+$/,
		after: 0,
		parameters: pairOf('flowRun.get'),
		right: ({ data }) => [data.flowRuns[FAILED].id],
		seen: ids,
	},
	{
		name: 'Flow Run: Retry',
		method: 'POST',
		path: /^\/v1\/flow-runs\/\w+\/retry$/,
		after: 0,
		parameters: pairOf('flowRun.retry'),
		right: ({ data }) => [data.flowRuns[FAILED].id],
		seen: (records) => records.map(({ retriedRunId }) => retriedRunId),
		isChanged: ({ data }) => data.flowRuns[FAILED].status === 'QUEUED',
	},
	{
		name: 'Flow Run: Cancel',
		isFull: true,
		method: 'POST',
		path: /^\/v1\/flow-runs\/cancel$/,
		after: 0,
		parameters: pairOf('flowRun.cancel'),
		looksAfterwards: true,
		readsBack: true,
		right: ({ data }) => [[data.flowRuns[PAUSED].id, 'CANCELED']],
		seen: (records) => records.map(({ id, status }) => [id, status]),
		isChanged: ({ data }) => data.flowRuns[PAUSED].status === 'CANCELED',
	},
	{
		name: 'Folders',
		method: 'GET',
		path: /^\/v1\/folders$/,
		after: 0,
		parameters: (service) => ({
			...pairOf('folder.getAll')(service),
			projectId: byId(service.data.projects[0].id),
		}),
		right: ({ data }) => sortedIds(data.folders),
		seen: sortedIds,
	},
	{
		name: 'Folder: Create',
		method: 'POST',
		path: /^\/v1\/folders$/,
		after: 0,
		parameters: pairOf('folder.create'),
		right: () => ['Created'],
		seen: (records) => records.map(({ name }) => name),
		isChanged: ({ data }) => data.folders.length > SIZES.foldersPerProject,
	},
	{
		name: 'Folder: Delete',
		isFull: true,
		method: 'DELETE',
		path: /^\/v1\/folders\/\w+$/,
		after: 0,
		parameters: pairOf('folder.delete'),
		right: () => [{ deleted: true }],
		seen: (records) => records,
		isChanged: ({ data }) => data.folders.length < SIZES.foldersPerProject,
	},
	{
		name: 'Projects',
		method: 'GET',
		path: /^\/v1\/projects$/,
		after: 0,
		parameters: pairOf('project.getAll'),
		right: ({ data }) => sortedIds(data.projects),
		seen: sortedIds,
	},
	{
		name: 'Project: Create',
		method: 'POST',
		path: /^\/v1\/projects$/,
		after: 0,
		parameters: pairOf('project.create'),
		right: () => ['Created'],
		seen: (records) => records.map(({ name }) => name),
		isChanged: ({ data }) => data.projects.some(({ displayName }) => displayName === 'Created'),
	},
	{
		name: 'Project: Update',
		method: 'POST',
		path: /^\/v1\/projects\/\w+$/,
		after: 0,
		parameters: pairOf('project.update'),
		right: () => ['Renamed'],
		seen: (records) => records.map(({ name }) => name),
		isChanged: ({ data }) => data.projects[0].displayName === 'Renamed',
	},
	{
		name: 'Project: Delete',
		method: 'DELETE',
		path: /^\/v1\/projects\/\w+$/,
		after: 0,
		parameters: pairOf('project.delete'),
		right: () => [{ deleted: true }],
		seen: (records) => records,
		isChanged: ({ data }) => data.projects.every(({ displayName }) => displayName !== 'Empty'),
	},
	{
		name: 'Invitations',
		method: 'GET',
		path: /^\/v1\/user-invitations$/,
		after: 1,
		parameters: pairOf('userInvitation.getAll'),
		right: ({ data }) => sortedIds(data.invitations),
		seen: sortedIds,
	},
	{
		name: 'Templates',
		method: 'GET',
		path: /^\/v1\/templates$/,
		after: 0,
		parameters: pairOf('flowTemplate.getAll'),
		right: ({ data }) => ids(data.templates.filter(({ type }) => type === 'CUSTOM')),
		seen: ids,
	},
	{
		name: 'Template: Delete',
		method: 'DELETE',
		path: /^\/v1\/templates\/\w+$/,
		after: 0,
		parameters: pairOf('flowTemplate.delete'),
		right: () => [{ deleted: true }],
		seen: (records) => records,
		isChanged: ({ data }) => data.templates.length < SIZES.templates,
	},
	{
		name: 'Invitation: Delete',
		method: 'DELETE',
		path: /^\/v1\/user-invitations\/\w+$/,
		after: 0,
		parameters: pairOf('userInvitation.delete'),
		right: () => [{ deleted: true }],
		seen: (records) => records,
		isChanged: ({ data }) => data.invitations.length < SIZES.invitations,
	},
];

/** Small, and three pages of each paged list. */
export const SIZES = {
	projects: 1,
	foldersPerProject: 2,
	flows: 12,
	flowRuns: 13,
	connections: 12,
	connectionsPerProject: 12,
	templates: 3,
	invitations: 3,
	steps: 1,
};
