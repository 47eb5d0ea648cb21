import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';

/** The fields of a connection that a person reads. Missing fields are null. */
export function simplifyGlobalConnection(connection: IDataObject): IDataObject {
	const owner = isRecord(connection.owner) ? connection.owner : {};
	return {
		id: connection.id ?? null,
		externalId: connection.externalId ?? null,
		name: connection.displayName ?? null,
		pieceName: connection.pieceName ?? null,
		type: connection.type ?? null,
		status: connection.status ?? null,
		projectIds: connection.projectIds ?? [],
		flowCount: Array.isArray(connection.flowIds) ? connection.flowIds.length : null,
		ownerEmail: owner.email ?? null,
		updated: connection.updated ?? null,
	};
}
