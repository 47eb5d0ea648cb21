import type { IDataObject } from 'n8n-workflow';

import { optionsField } from '../../descriptions/fields';
import { type Filter, filter } from '../../descriptions/filters';
import type { ApiRequest } from '../../transport/client/request';
import { recordOf } from '../../transport/values';
import { listOperation, namedOptions, orNull } from '../builders';
import {
	connectionNameFilter,
	connectionStatusFilter,
	pieceNameFilter,
} from '../connection/connection';
import type { Resource } from '../operation';

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

const filters: Filter[] = [
	connectionNameFilter,
	pieceNameFilter,
	filter(
		optionsField('Scope', 'scope', {
			options: namedOptions('PLATFORM', 'PROJECT'),
			default: 'PLATFORM',
			description: 'Return only connections with this scope',
			hint: 'Has no effect in Activepieces 0.85 and earlier',
		}),
	),
	connectionStatusFilter,
];

const getAll = listOperation({
	description:
		'Get the connections that the platform shares with its projects. Requires a plan with global connections.',
	hint: 'Returns one item per connection. Requires a Cloud or Enterprise plan with global connections.',
	toolDescription:
		'Returns the connections that the Activepieces platform shares with its projects. Connections with status ERROR or MISSING need attention',
	request: LIST_GLOBAL_CONNECTIONS,
	filters,
	simplify: simplifyGlobalConnection,
	hasPageSize: true,
});

export const globalConnection: Resource = {
	name: 'Global Connection',
	value: 'globalConnection',
	operations: [getAll],
};
