import type { INodeParameters } from 'n8n-workflow';

import { byId } from './byId';

/** Parameters as workflows save them, for tests in which it does not matter which record it is. */
export const ALL_FLOWS: INodeParameters = {
	resource: 'flow',
	operation: 'getAll',
	returnAll: true,
};
export const FLOWS: INodeParameters = {
	resource: 'flow',
	operation: 'getAll',
	projectId: byId('proj'),
};
export const CONNECTIONS: INodeParameters = { resource: 'globalConnection', operation: 'getAll' };
export const TEMPLATES: INodeParameters = {
	resource: 'flowTemplate',
	operation: 'getAll',
	returnAll: true,
};
export const METRICS: INodeParameters = { resource: 'queue', operation: 'getMetrics' };
/** One request each: with Simplify the projects are read as well, for the name of the folder's. */
export const FOLDER: INodeParameters = {
	resource: 'folder',
	operation: 'get',
	folderId: byId('abc'),
	simplify: false,
};
export const RENAME: INodeParameters = {
	resource: 'folder',
	operation: 'update',
	folderId: byId('abc'),
	displayName: 'Sales',
	simplify: false,
};
export const TEMPLATE: INodeParameters = {
	resource: 'flowTemplate',
	operation: 'delete',
	templateId: byId('abc'),
};
export const INVITATION: INodeParameters = {
	resource: 'userInvitation',
	operation: 'delete',
	invitationId: byId('abc'),
};
