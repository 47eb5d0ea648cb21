import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Service } from '../../service';
import { byId, ids, sortedIds } from '../harness/byId';
import { OPERATIONS } from '../harness/operations';

export type Method = 'GET' | 'DELETE' | 'POST';

/** One column of the matrix: an operation, and the request of it that fails. */
export interface Column {
	name: string;
	/** Has every fault; the others share their code with one of these */
	isFull?: true;
	/** Whether the failed request reads a list */
	isList?: boolean;
	method: Method;
	/** Path of the failed request, in release 0.85 */
	path: RegExp;
	/** Number of requests to that path that succeed first; by default none */
	after?: number;
	parameters: (service: Service) => INodeParameters;
	/** The result of the operation without a fault */
	right: (service: Service) => unknown;
	/** The part of the records that `right` compares */
	seen: (records: IDataObject[]) => unknown;
	/** Whether it checks if the change was made when there was no response */
	looksAfterwards?: true;
	/** What it may say about an unexpected body: responses of its own are marked */
	saysOfOthers?: RegExp;
	/** What it adds when the change may have been made */
	inDoubt?: RegExp;
	/**
	 * Whether it always reads back what was done, so that this takes no further request, and undoes what was
	 * not completed
	 */
	readsBack?: true;
	/** Whether the service has made the change, for operations that make one */
	isChanged?: (service: Service) => boolean;
}

/** Small, with three pages for each list. */
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

const paging: INodeParameters = { returnAll: true, options: { pageSize: 5 } };
/** Index of the flow and the runs that the pairs change. */
const EDITED = 4;
const FAILED = 1;
const PAUSED = 12;
/** The new name of a folder and a flow. */
const RENAMED = 'Renamed';

const flows = { right: ({ data }: Service) => sortedIds(data.flows), seen: sortedIds };

const DELETED = { right: () => [{ deleted: true }], seen: (records: IDataObject[]) => records };

/** One record of a list is deleted, which had this many. */
const deletes = (list: 'flows' | 'folders' | 'invitations' | 'templates', before: number) => ({
	...DELETED,
	isChanged: ({ data }: Service) => data[list].length < before,
});

/** A record gets a unique name. */
const named = (right: string) => ({
	right: () => [right],
	seen: (records: IDataObject[]) => records.map(({ name }) => name),
	isChanged: ({ data: { flows, folders, projects } }: Service) =>
		[...folders, ...projects, ...flows.map(({ version }) => version)].some(
			({ displayName }) => displayName === right,
		),
});

/** A flow is created before the import names it. */
const imported = {
	...named('Imported'),
	isChanged: ({ data }: Service) => data.flows.length > SIZES.flows,
};

const idsAndStatuses = (records: IDataObject[]) => records.map(({ id, status }) => [id, status]);

/** The column of a pair with minimal parameters, whose request is written as `GET /v1/flows/{id}`. */
function column(
	name: string,
	pair: string,
	request: string,
	rest: Pick<Column, 'right'> & Partial<Column>,
): Column {
	const [method, path] = request.split(' ');
	return {
		name,
		isList: method === 'GET' && !path.endsWith('{id}'),
		method: method as Method,
		path: new RegExp(`^${path.replace('{id}', '\\w+')}$`),
		parameters: ({ data }) => OPERATIONS[pair](data),
		seen: ids,
		...rest,
	};
}

/** A list of one project in several pages, of which the first or a later one fails. */
function pages(...[name, pair, request, rest]: Parameters<typeof column>): Column[] {
	const parameters = ({ data }: Service): INodeParameters => ({
		...OPERATIONS[pair](data),
		...paging,
		projectId: byId(data.projects[0].id),
	});
	return [
		column(`${name}, first page`, pair, request, { parameters, ...rest, isFull: undefined }),
		column(`${name}, later page`, pair, request, { parameters, after: 1, ...rest }),
	];
}

export const columns: Column[] = [
	column('Queue: Get Metrics', 'queue.getMetrics', 'GET /v1/worker-machines/queue-metrics', {
		right: ({ data }) => data.queue.active,
		seen: ([{ stats }]) => (stats as IDataObject).active,
	}),
	column('Folder: Get', 'folder.get', 'GET /v1/folders/{id}', {
		isFull: true,
		right: ({ data }) => [data.folders[0].id],
	}),
	column('Folder: Update', 'folder.update', 'POST /v1/folders/{id}', {
		isFull: true,
		inDoubt: /may have applied the change/,
		...named(RENAMED),
	}),
	...pages('Connections of a project', 'connection.getAll', 'GET /v1/app-connections', {
		right: ({ data }) => ids(data.projectConnections),
	}),
	column('Connection: Delete', 'connection.delete', 'DELETE /v1/app-connections/{id}', {
		...DELETED,
		isChanged: ({ data }) => data.projectConnections.length < SIZES.connectionsPerProject,
	}),
	column('Connection: Delete, flows of the project', 'connection.delete', 'GET /v1/flows', {
		...DELETED,
	}),
	...pages('Global Connections', 'globalConnection.getAll', 'GET /v1/global-connections', {
		right: ({ data }) => ids(data.connections),
	}),
	...pages('Flows', 'flow.getAll', 'GET /v1/flows', { isFull: true, ...flows }),
	column('Flows, list of projects', 'flow.getAll', 'GET /v1/projects', {
		isFull: true,
		...flows,
		parameters: ({ data }) => ({ ...OPERATIONS['flow.getAll'](data), ...paging }),
	}),
	column('Flow: Get', 'flow.get', 'GET /v1/flows/{id}', {
		right: ({ data }) => [data.flows[0].id],
	}),
	column('Flow: Export', 'flow.export', 'GET /v1/flows/{id}', {
		right: ({ data }) => [data.flows[0].externalId],
		seen: (records) => records.map(({ externalId }) => externalId),
	}),
	column('Flow: Enable or Disable', 'flow.setStatus', 'POST /v1/flows/{id}', {
		isFull: true,
		looksAfterwards: true,
		right: ({ data }) => [[data.flows[0].id, 'DISABLED']],
		seen: idsAndStatuses,
		isChanged: ({ data }) => data.flows[0].status === 'DISABLED',
	}),
	column('Flow: Publish', 'flow.publish', 'POST /v1/flows/{id}', {
		looksAfterwards: true,
		right: ({ data }) => [[data.flows[EDITED].id, 'ENABLED']],
		seen: idsAndStatuses,
		isChanged: ({ data }) => {
			const { publishedVersionId, version } = data.flows[EDITED];
			return publishedVersionId === version.id;
		},
	}),
	column('Flow: Create', 'flow.create', 'POST /v1/flows', named('Created')),
	column('Flow: Update', 'flow.update', 'POST /v1/flows/{id}', named(RENAMED)),
	column('Flow: Import, its new flow', 'flow.import', 'POST /v1/flows', imported),
	column('Flow: Import', 'flow.import', 'POST /v1/flows/{id}', {
		isFull: true,
		looksAfterwards: true,
		readsBack: true,
		...imported,
	}),
	column('Flow: Import, reading it back', 'flow.import', 'GET /v1/flows/{id}', {
		...imported,
		isChanged: undefined,
	}),
	column('Flow: Delete', 'flow.delete', 'DELETE /v1/flows/{id}', {
		isFull: true,
		...deletes('flows', SIZES.flows),
	}),
	column('Flow: Run', 'flow.run', 'POST /v1/webhooks/{id}', {
		right: ({ data }) => [[true, data.flows[0].id]],
		seen: (records) => records.map(({ accepted, flowId }) => [accepted, flowId]),
		saysOfOthers: /in front of Activepieces responded instead of the flow/,
		isChanged: ({ webhooks }) => webhooks.runs.length > 0,
	}),
	...pages('Flow Runs', 'flowRun.getAll', 'GET /v1/flow-runs', {
		right: ({ data }) => ids(data.flowRuns),
	}),
	column('Flow Run: Get', 'flowRun.get', 'GET /v1/flow-runs/{id}', {
		right: ({ data }) => [data.flowRuns[FAILED].id],
	}),
	column('Flow Run: Retry', 'flowRun.retry', 'POST /v1/flow-runs/{id}/retry', {
		right: ({ data }) => [data.flowRuns[FAILED].id],
		seen: (records) => records.map(({ retriedRunId }) => retriedRunId),
		isChanged: ({ data }) => data.flowRuns[FAILED].status === 'QUEUED',
	}),
	column('Flow Run: Cancel', 'flowRun.cancel', 'POST /v1/flow-runs/cancel', {
		isFull: true,
		looksAfterwards: true,
		readsBack: true,
		right: ({ data }) => [[data.flowRuns[PAUSED].id, 'CANCELED']],
		seen: idsAndStatuses,
		isChanged: ({ data }) => data.flowRuns[PAUSED].status === 'CANCELED',
	}),
	column('Folders', 'folder.getAll', 'GET /v1/folders', {
		parameters: ({ data }) => ({
			...OPERATIONS['folder.getAll'](data),
			projectId: byId(data.projects[0].id),
		}),
		right: ({ data }) => sortedIds(data.folders),
		seen: sortedIds,
	}),
	column('Folder: Create', 'folder.create', 'POST /v1/folders', named('Created')),
	column('Folder: Delete', 'folder.delete', 'DELETE /v1/folders/{id}', {
		isFull: true,
		...deletes('folders', SIZES.foldersPerProject),
	}),
	column('Projects', 'project.getAll', 'GET /v1/projects', {
		right: ({ data }) => sortedIds(data.projects),
		seen: sortedIds,
	}),
	column('Project: Create', 'project.create', 'POST /v1/projects', named('Created')),
	column('Project: Update', 'project.update', 'POST /v1/projects/{id}', named(RENAMED)),
	column('Project: Delete', 'project.delete', 'DELETE /v1/projects/{id}', {
		...DELETED,
		isChanged: ({ data }) => data.projects.every(({ displayName }) => displayName !== 'Empty'),
	}),
	column('Invitations', 'userInvitation.getAll', 'GET /v1/user-invitations', {
		after: 1,
		right: ({ data }) => sortedIds(data.invitations),
		seen: sortedIds,
	}),
	column('Templates', 'flowTemplate.getAll', 'GET /v1/templates', {
		right: ({ data }) => ids(data.templates.filter(({ type }) => type === 'CUSTOM')),
	}),
	column('Template: Delete', 'flowTemplate.delete', 'DELETE /v1/templates/{id}', {
		...deletes('templates', SIZES.templates),
	}),
	column('Invitation: Delete', 'userInvitation.delete', 'DELETE /v1/user-invitations/{id}', {
		...deletes('invitations', SIZES.invitations),
	}),
];
