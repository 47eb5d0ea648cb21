import type { INodeParameters } from 'n8n-workflow';

import { byId } from './byId';

/** The parameters of a pair of resource and operation, such as `flow.getAll`. */
export function parametersOf(pair: string, more: INodeParameters = {}): INodeParameters {
	const [resource, operation] = pair.split('.');
	return { resource, operation, ...more };
}

/** Adds a value to parameters, in the collections that the path names. */
export function put(
	parameters: INodeParameters,
	[name, ...more]: string[],
	value: unknown,
): INodeParameters {
	const inner = (parameters[name] ?? {}) as INodeParameters;
	return { ...parameters, [name]: (more.length === 0 ? value : put(inner, more, value)) as string };
}

const LOCATORS: Record<string, string> = {
	connection: 'connectionId',
	flow: 'flowId',
	flowRun: 'flowRunId',
	flowTemplate: 'templateId',
	folder: 'folderId',
	project: 'projectId',
	projectMember: 'memberId',
	user: 'userId',
	userInvitation: 'invitationId',
	variable: 'variableId',
};

/** The parameters of a pair for the record with an ID, or an expression that gives the ID. */
export const ofRecord = (pair: string, id: unknown, more: INodeParameters = {}): INodeParameters =>
	parametersOf(pair, { [LOCATORS[pair.split('.')[0]]]: byId(id), ...more });

/** Parameters as workflows save them, for tests in which any record will do. */
export const ALL_FLOWS = parametersOf('flow.getAll', { returnAll: true });
export const FLOWS = parametersOf('flow.getAll', { projectId: byId('proj') });
export const CONNECTIONS = parametersOf('globalConnection.getAll');
export const TEMPLATES = parametersOf('flowTemplate.getAll', { returnAll: true });
export const METRICS = parametersOf('queue.getMetrics');
/** One request each, with the record as the service returns it. */
const RAW = { folderId: byId('abc'), simplify: false };
export const FOLDER = parametersOf('folder.get', RAW);
export const RENAME = parametersOf('folder.update', { ...RAW, displayName: 'Sales' });
export const TEMPLATE = parametersOf('flowTemplate.delete', { templateId: byId('abc') });
export const INVITATION = parametersOf('userInvitation.delete', { invitationId: byId('abc') });

export const ID = byId('={{ $json.id }}');
export const GET: INodeParameters = { ...FOLDER, folderId: ID };
export const DELETE: INodeParameters = { ...INVITATION, invitationId: ID };

/** n8n runs the node again, with all its items, when an item failed. */
export const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Items with IDs of no record. */
export const strangers = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `nobody-${index}` }));
