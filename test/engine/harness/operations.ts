import type { INodeParameters } from 'n8n-workflow';

import type { ServiceData } from '../../service';
import { byId } from './byId';
import {
	ALL_FLOWS,
	CONNECTIONS,
	FOLDER,
	INVITATION,
	METRICS,
	RENAME,
	TEMPLATE,
	TEMPLATES,
} from './parameters';

/**
 * Every resource and operation pair with the least it needs, for records that the service holds and that
 * a key may read and change on every release. What lists comes before what takes away.
 */
export const OPERATIONS: Record<string, (data: ServiceData) => INodeParameters> = {
	'flow.getAll': () => ALL_FLOWS,
	'flowTemplate.getAll': () => TEMPLATES,
	'flowTemplate.delete': ({ templates }) => ({
		...TEMPLATE,
		templateId: byId(templates.find(({ type }) => type === 'PLATFORM' || type === 'CUSTOM')?.id),
	}),
	'folder.get': ({ folders }) => ({ ...FOLDER, folderId: byId(folders[0].id) }),
	'folder.update': ({ folders }) => ({
		...RENAME,
		folderId: byId(folders[0].id),
		displayName: 'Renamed',
	}),
	'globalConnection.getAll': () => ({ ...CONNECTIONS, returnAll: true }),
	'queue.getMetrics': () => METRICS,
	'userInvitation.delete': ({ invitations }) => ({
		...INVITATION,
		invitationId: byId(invitations.find(({ type }) => type === 'PLATFORM')?.id),
	}),
};
