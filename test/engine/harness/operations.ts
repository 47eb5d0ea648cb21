import type { INodeParameters } from 'n8n-workflow';

import type { Release, ServiceData } from '../../service';
import { byId } from './byId';
import { ALL_FLOWS, CONNECTIONS, INVITATION, METRICS, TEMPLATE, TEMPLATES } from './parameters';

/** Runs the version that is its latest. */
export const enabledFlow = ({ flows }: ServiceData) =>
	flows.find(
		({ status, publishedVersionId, version }) =>
			status === 'ENABLED' && publishedVersionId === version.id,
	);

/** Runs a version, and has a newer draft. */
export const editedFlow = ({ flows }: ServiceData) =>
	flows.find(
		({ status, publishedVersionId, version }) =>
			status === 'ENABLED' && publishedVersionId !== version.id,
	);

/** Were never published, and so have no runs. */
const drafts = ({ flows }: ServiceData) =>
	flows.filter(({ publishedVersionId }) => publishedVersionId === null);

export const draftFlow = (data: ServiceData) => drafts(data)[0];

/** A team project that others use no more: it is added to what the service holds, which has none. */
function emptyProject(data: ServiceData): string {
	const id = 'EmptyProject'.padEnd(21, '0');
	if (!data.projects.some((project) => project.id === id)) {
		data.projects.push({ ...data.projects[0], id, displayName: 'Empty', externalId: null });
	}
	return id;
}

/** Has a log that tells what happened. */
export const failedRun = ({ flowRuns }: ServiceData) =>
	flowRuns.find(({ status, logsFileId }) => status === 'FAILED' && logsFileId !== null);

/** Can be canceled. */
export const waitingRun = ({ flowRuns }: ServiceData) =>
	flowRuns.find(({ status }) => status === 'PAUSED');

/**
 * Every resource and operation pair with the least it needs, for records that the service holds and that
 * a key may read and change on every release; it has to hold some flow runs. What lists comes before what takes away.
 */
export const OPERATIONS: Record<string, (data: ServiceData) => INodeParameters> = {
	'connection.getAll': () => ({ resource: 'connection', operation: 'getAll', returnAll: true }),
	'connection.delete': ({ projectConnections }) => ({
		resource: 'connection',
		operation: 'delete',
		connectionId: byId(projectConnections.at(-1)?.id),
	}),
	'flow.getAll': () => ALL_FLOWS,
	'flow.get': ({ flows }) => ({ resource: 'flow', operation: 'get', flowId: byId(flows[0].id) }),
	'flow.export': ({ flows }) => ({
		resource: 'flow',
		operation: 'export',
		flowId: byId(flows[0].id),
	}),
	// Before the flow is disabled.
	'flow.run': (data) => ({
		resource: 'flow',
		operation: 'run',
		flowId: byId(enabledFlow(data)?.id),
		input: '={{ $json }}',
	}),
	'flow.setStatus': (data) => ({
		resource: 'flow',
		operation: 'setStatus',
		flowId: byId(enabledFlow(data)?.id),
		status: 'DISABLED',
	}),
	'flow.publish': (data) => ({
		resource: 'flow',
		operation: 'publish',
		flowId: byId(editedFlow(data)?.id),
	}),
	'flow.create': ({ projects }) => ({
		resource: 'flow',
		operation: 'create',
		projectId: byId(projects[0].id),
		displayName: 'Created',
	}),
	'flow.update': (data) => ({
		resource: 'flow',
		operation: 'update',
		flowId: byId(draftFlow(data)?.id),
		updateFields: { displayName: 'Renamed' },
	}),
	'flow.import': ({ projects, flows }) => ({
		resource: 'flow',
		operation: 'import',
		mode: 'create',
		projectId: byId(projects[0].id),
		content: JSON.stringify({ flow: { ...flows[0].version, displayName: 'Imported' } }),
	}),
	'flow.delete': (data) => ({
		resource: 'flow',
		operation: 'delete',
		flowId: byId(drafts(data).at(-1)?.id),
	}),
	'flowRun.getAll': () => ({ resource: 'flowRun', operation: 'getAll', returnAll: true }),
	'flowRun.get': (data) => ({
		resource: 'flowRun',
		operation: 'get',
		flowRunId: byId(failedRun(data)?.id),
	}),
	'flowRun.retry': (data) => ({
		resource: 'flowRun',
		operation: 'retry',
		flowRunId: byId(failedRun(data)?.id),
	}),
	'flowRun.cancel': (data) => ({
		resource: 'flowRun',
		operation: 'cancel',
		flowRunId: byId(waitingRun(data)?.id),
	}),
	'flowTemplate.getAll': () => TEMPLATES,
	'flowTemplate.delete': ({ templates }) => ({
		...TEMPLATE,
		templateId: byId(templates.find(({ type }) => type === 'PLATFORM' || type === 'CUSTOM')?.id),
	}),
	'folder.get': ({ folders }) => ({
		resource: 'folder',
		operation: 'get',
		folderId: byId(folders[0].id),
	}),
	'folder.update': ({ folders }) => ({
		resource: 'folder',
		operation: 'update',
		folderId: byId(folders[0].id),
		displayName: 'Renamed',
	}),
	'folder.getAll': () => ({ resource: 'folder', operation: 'getAll', returnAll: true }),
	'folder.create': ({ projects }) => ({
		resource: 'folder',
		operation: 'create',
		projectId: byId(projects[0].id),
		displayName: 'Created',
	}),
	'folder.delete': ({ folders }) => ({
		resource: 'folder',
		operation: 'delete',
		folderId: byId(folders[1].id),
	}),
	'globalConnection.getAll': () => ({ ...CONNECTIONS, returnAll: true }),
	'project.getAll': () => ({ resource: 'project', operation: 'getAll', returnAll: true }),
	'project.create': () => ({
		resource: 'project',
		operation: 'create',
		displayName: 'Created',
		externalId: 'created',
	}),
	'project.update': ({ projects }) => ({
		resource: 'project',
		operation: 'update',
		projectId: byId(projects[0].id),
		updateFields: { displayName: 'Renamed' },
	}),
	'project.delete': (data) => ({
		resource: 'project',
		operation: 'delete',
		projectId: byId(emptyProject(data)),
	}),
	'queue.getMetrics': () => METRICS,
	'userInvitation.getAll': () => ({
		resource: 'userInvitation',
		operation: 'getAll',
		returnAll: true,
	}),
	'userInvitation.delete': ({ invitations }) => ({
		...INVITATION,
		invitationId: byId(invitations.find(({ type }) => type === 'PLATFORM')?.id),
	}),
};

/** Of these, the ones that a key may use on a release: 0.73 lets none delete a connection (recorded). */
export const operationsFor = (release: Release) =>
	Object.entries(OPERATIONS).filter(([pair]) => pair !== 'connection.delete' || release !== '0.73');
