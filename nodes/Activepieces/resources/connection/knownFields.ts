import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';

/** Every field of a connection that releases return (recorded at 0.73 to 0.86) */
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
 * Removes unknown fields from a connection. No release returns the secret of a connection. If a server
 * did, under whatever name, this keeps it out of items and out of n8n's database.
 */
export function knownFields(connection: IDataObject): IDataObject {
	const known = pick(connection, FIELDS);
	return isRecord(known.owner) ? { ...known, owner: pick(known.owner, OWNER_FIELDS) } : known;
}
