import type { INodeParameterResourceLocator, INodeParameters } from 'n8n-workflow';

import type { Release, ServiceData } from '../../service';
import { byId } from './byId';

const enabled = ({ flows }: ServiceData) => flows.filter(({ status }) => status === 'ENABLED');

/** Flows whose running version is their latest. */
export const enabledFlow = (data: ServiceData) =>
	enabled(data).find(({ publishedVersionId, version }) => publishedVersionId === version.id);

/** Flows whose running version has a newer draft. */
export const editedFlow = (data: ServiceData) =>
	enabled(data).find(({ publishedVersionId, version }) => publishedVersionId !== version.id);

/** Flows that were never published, and so have no runs. */
const drafts = ({ flows }: ServiceData) =>
	flows.filter(({ publishedVersionId }) => publishedVersionId === null);

export const draftFlow = (data: ServiceData) => drafts(data)[0];

/** A team project that nobody uses any more, added to the records of the service. */
function emptyProject(data: ServiceData): string {
	const id = 'EmptyProject'.padEnd(21, '0');
	if (!data.projects.some((project) => project.id === id)) {
		data.projects.push({ ...data.projects[0], id, displayName: 'Empty', externalId: null });
	}
	return id;
}

/** Runs with a log. */
export const failedRun = ({ flowRuns }: ServiceData) =>
	flowRuns.find(({ status, logsFileId }) => status === 'FAILED' && logsFileId !== null);

/** Runs that can be canceled. */
export const waitingRun = ({ flowRuns }: ServiceData) =>
	flowRuns.find(({ status }) => status === 'PAUSED');

const returnAll = () => ({ returnAll: true });

/** The parameters of each pair beside its resource and operation. Reads come before deletes. */
const FIELDS: Record<string, (data: ServiceData) => INodeParameters> = {
	'connection.getAll': returnAll,
	'connection.delete': ({ projectConnections }) => ({
		connectionId: byId(projectConnections.at(-1)?.id),
	}),
	'flow.getAll': returnAll,
	'flow.get': ({ flows }) => ({ flowId: byId(flows[0].id) }),
	'flow.export': ({ flows }) => ({ flowId: byId(flows[0].id) }),
	// Before the flow is disabled.
	'flow.run': (data) => ({ flowId: byId(enabledFlow(data)?.id), input: '={{ $json }}' }),
	'flow.setStatus': (data) => ({ flowId: byId(enabledFlow(data)?.id), status: 'DISABLED' }),
	'flow.publish': (data) => ({ flowId: byId(editedFlow(data)?.id) }),
	'flow.create': ({ projects }) => ({ projectId: byId(projects[0].id), displayName: 'Created' }),
	'flow.update': (data) => ({
		flowId: byId(draftFlow(data)?.id),
		updateFields: { displayName: 'Renamed' },
	}),
	'flow.import': ({ projects, flows }) => ({
		mode: 'create',
		projectId: byId(projects[0].id),
		content: JSON.stringify({ flow: { ...flows[0].version, displayName: 'Imported' } }),
	}),
	'flow.delete': (data) => ({ flowId: byId(drafts(data).at(-1)?.id) }),
	'flowRun.getAll': returnAll,
	'flowRun.get': (data) => ({ flowRunId: byId(failedRun(data)?.id) }),
	'flowRun.retry': (data) => ({ flowRunId: byId(failedRun(data)?.id) }),
	'flowRun.cancel': (data) => ({ flowRunId: byId(waitingRun(data)?.id) }),
	'flowTemplate.getAll': returnAll,
	'flowTemplate.delete': ({ templates }) => ({
		templateId: byId(templates.find(({ type }) => type === 'PLATFORM' || type === 'CUSTOM')?.id),
	}),
	'folder.get': ({ folders }) => ({ folderId: byId(folders[0].id) }),
	'folder.update': ({ folders }) => ({ folderId: byId(folders[0].id), displayName: 'Renamed' }),
	'folder.getAll': returnAll,
	'folder.create': ({ projects }) => ({ projectId: byId(projects[0].id), displayName: 'Created' }),
	'folder.delete': ({ folders }) => ({ folderId: byId(folders[1].id) }),
	'globalConnection.getAll': returnAll,
	'project.getAll': returnAll,
	'project.create': () => ({ displayName: 'Created', externalId: 'created' }),
	'project.update': ({ projects }) => ({
		projectId: byId(projects[0].id),
		updateFields: { displayName: 'Renamed' },
	}),
	'project.delete': (data) => ({ projectId: byId(emptyProject(data)) }),
	'queue.getMetrics': () => ({}),
	'userInvitation.getAll': returnAll,
	'userInvitation.delete': ({ invitations }) => ({
		invitationId: byId(invitations.find(({ type }) => type === 'PLATFORM')?.id),
	}),
};

/**
 * Every pair of resource and operation with minimal parameters, for records that a key may read and
 * change in every release. The service needs some flow runs.
 */
export const OPERATIONS: typeof FIELDS = Object.fromEntries(
	Object.entries(FIELDS).map(([pair, fields]) => {
		const [resource, operation] = pair.split('.');
		return [pair, (data: ServiceData) => ({ resource, operation, ...fields(data) })];
	}),
);

/** The pairs that a key may use in a release: 0.73 lets no key delete a connection (recorded). */
export const operationsFor = (release: Release) =>
	Object.entries(OPERATIONS).filter(([pair]) => pair !== 'connection.delete' || release !== '0.73');

/** The records of each resource that has some. */
export const RECORDS: Record<string, (data: ServiceData) => Array<{ id: string }>> = {
	connection: ({ projectConnections }) => projectConnections,
	flow: ({ flows }) => flows,
	flowRun: ({ flowRuns }) => flowRuns,
	flowTemplate: ({ templates }) => templates,
	folder: ({ folders }) => folders,
	project: ({ projects }) => projects,
	userInvitation: ({ invitations }) => invitations,
};

/** The parameter of a pair that selects a record, and its value; nothing for pairs without one. */
export const locatorOf = (pair: string, data: ServiceData) =>
	Object.entries(OPERATIONS[pair](data)).find(
		(entry): entry is [string, INodeParameterResourceLocator] =>
			typeof entry[1] === 'object' && entry[1] !== null && '__rl' in entry[1],
	);
