import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest } from '../../transport/client/request';
import { orNull, recordOf } from '../../transport/values';

export const LIST_GLOBAL_CONNECTIONS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/global-connections', feature: 'global connections' },
	subject: { noun: 'global connections' },
};

export const simplifyGlobalConnection = (connection: IDataObject): IDataObject => ({
	name: connection.displayName ?? null,
	...orNull(connection, 'status', 'type', 'pieceName'),
	flowCount: Array.isArray(connection.flowIds) ? connection.flowIds.length : null,
	ownerEmail: recordOf(connection.owner).email ?? null,
	...orNull(connection, 'updated', 'externalId'),
	projectIds: connection.projectIds ?? [],
	id: connection.id ?? null,
});
