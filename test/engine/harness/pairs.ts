import type { INodeParameters } from 'n8n-workflow';

import type { ServiceData } from '../../service';
import { byId } from './byId';

/**
 * Every resource and operation pair with the least it needs, for records that the service holds and that
 * a key may read and change on every release. What lists comes before what takes away.
 */
export const PAIRS: Record<string, (data: ServiceData) => INodeParameters> = {
	'flow.getAll': () => ({ resource: 'flow', operation: 'getAll', returnAll: true }),
	'flowTemplate.getAll': () => ({
		resource: 'flowTemplate',
		operation: 'getAll',
		returnAll: true,
	}),
	'flowTemplate.delete': ({ templates }) => ({
		resource: 'flowTemplate',
		operation: 'delete',
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
	'globalConnection.getAll': () => ({
		resource: 'globalConnection',
		operation: 'getAll',
		returnAll: true,
	}),
	'queue.getMetrics': () => ({ resource: 'queue', operation: 'getMetrics' }),
	'userInvitation.delete': ({ invitations }) => ({
		resource: 'userInvitation',
		operation: 'delete',
		invitationId: byId(invitations.find(({ type }) => type === 'PLATFORM')?.id),
	}),
};
