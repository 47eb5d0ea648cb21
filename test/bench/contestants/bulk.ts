import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../../engine/harness/byId';
import { FOLDER, INVITATION, RENAME, TEMPLATE } from '../../engine/harness/parameters';

/** One request for each id. */
export interface Bulk {
	method: 'GET' | 'POST' | 'DELETE';
	/** The id is appended */
	path: string;
	bodyOf?: (id: string) => object;
	/** The node's parameters; the id comes out of the input item, as `id` */
	parameters: INodeParameters;
	/** The pair, as people read it */
	title: string;
	/** What the ids are of */
	things: string;
}

const ID = byId('={{ $json.id }}');

/** Every operation on a single record. */
const ALL = {
	get: {
		method: 'GET',
		path: '/v1/folders/',
		parameters: { ...FOLDER, folderId: ID },
		title: 'Folder → Get',
		things: 'folders',
	},
	update: {
		method: 'POST',
		path: '/v1/folders/',
		// One name for all folders would be refused.
		bodyOf: (id: string) => ({ displayName: id }),
		parameters: { ...RENAME, folderId: ID, displayName: '={{ $json.id }}' },
		title: 'Folder → Update',
		things: 'folders',
	},
	delete: {
		method: 'DELETE',
		path: '/v1/user-invitations/',
		parameters: { ...INVITATION, invitationId: ID },
		title: 'User Invitation → Delete',
		things: 'invitations',
	},
	deleteTemplate: {
		method: 'DELETE',
		path: '/v1/templates/',
		parameters: { ...TEMPLATE, templateId: ID },
		title: 'Flow Template → Delete',
		things: 'templates',
	},
} satisfies Record<string, Bulk>;

export type BulkKind = keyof typeof ALL;

export const BULK: Record<BulkKind, Bulk> = ALL;
