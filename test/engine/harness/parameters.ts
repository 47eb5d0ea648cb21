import type { INodeParameters } from 'n8n-workflow';

import { byId } from './byId';

const of = (resource: string, operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource,
	operation,
	...more,
});

/** Parameters as workflows save them, for tests in which it does not matter which record it is. */
export const ALL_FLOWS = of('flow', 'getAll', { returnAll: true });
export const FLOWS = of('flow', 'getAll', { projectId: byId('proj') });
export const CONNECTIONS = of('globalConnection', 'getAll');
export const TEMPLATES = of('flowTemplate', 'getAll', { returnAll: true });
export const METRICS = of('queue', 'getMetrics');
/** One request each: with Simplify the projects are read as well, for the name of the folder's. */
const RAW = { folderId: byId('abc'), simplify: false };
export const FOLDER = of('folder', 'get', RAW);
export const RENAME = of('folder', 'update', { ...RAW, displayName: 'Sales' });
export const TEMPLATE = of('flowTemplate', 'delete', { templateId: byId('abc') });
export const INVITATION = of('userInvitation', 'delete', { invitationId: byId('abc') });

/** Of the ID that the item has. */
export const ID = byId('={{ $json.id }}');
export const GET: INodeParameters = { ...FOLDER, folderId: ID };
export const DELETE: INodeParameters = { ...INVITATION, invitationId: ID };

/** So many items with IDs of no record. */
export const strangers = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `nobody-${index}` }));
