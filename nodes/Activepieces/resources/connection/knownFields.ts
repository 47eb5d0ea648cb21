import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';

/** All that a release was seen to give of a connection (recorded at 0.73 to 0.86) */
const FIELDS = [
	'id',
	'created',
	'updated',
	'externalId',
	'displayName',
	'type',
	'pieceName',
	'pieceVersion',
	'projectIds',
	'platformId',
	'scope',
	'status',
	'ownerId',
	'owner',
	'metadata',
	'flowIds',
	'preSelectForNewProjects',
	'usingSecretManager',
];

const OWNER_FIELDS = [
	'id',
	'created',
	'updated',
	'email',
	'firstName',
	'lastName',
	'status',
	'externalId',
	'platformId',
	'platformRole',
	'lastActiveDate',
	'imageUrl',
];

const pick = (record: IDataObject, names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));

/**
 * A connection without anything that is not known of it. No release gives the secret of one; this keeps it out
 * of items and of n8n's database should a server give it, by whatever name.
 */
export function knownFields(connection: IDataObject): IDataObject {
	const known = pick(connection, FIELDS);
	return isRecord(known.owner) ? { ...known, owner: pick(known.owner, OWNER_FIELDS) } : known;
}
