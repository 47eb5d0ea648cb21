import type { INodeParameters } from 'n8n-workflow';

import { byId } from './byId';

/** The parameters of a resource and operation pair, as `flow.getAll`. */
export function parametersOf(pair: string, more: INodeParameters = {}): INodeParameters {
	const [resource, operation] = pair.split('.');
	return { resource, operation, ...more };
}

/** Parameters as workflows save them, for tests in which it does not matter which record it is. */
export const ALL_FLOWS = parametersOf('flow.getAll', { returnAll: true });
export const FLOWS = parametersOf('flow.getAll', { projectId: byId('proj') });
export const CONNECTIONS: INodeParameters = { resource: 'globalConnection', operation: 'getAll' };
export const TEMPLATES = parametersOf('flowTemplate.getAll', { returnAll: true });
export const METRICS: INodeParameters = { resource: 'queue', operation: 'getMetrics' };
/** One request each: with Simplify the projects are read as well, for the name of the folder's. */
export const FOLDER = parametersOf('folder.get', { folderId: byId('abc'), simplify: false });
export const RENAME = parametersOf('folder.update', {
	folderId: byId('abc'),
	displayName: 'Sales',
	simplify: false,
});
export const TEMPLATE = parametersOf('flowTemplate.delete', { templateId: byId('abc') });
export const INVITATION = parametersOf('userInvitation.delete', { invitationId: byId('abc') });
