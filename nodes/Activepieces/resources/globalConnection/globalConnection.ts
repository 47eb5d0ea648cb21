import type { IDataObject } from 'n8n-workflow';

import type { Locator, RequestTarget } from '../../descriptions/locator';
import type { ApiRequest, Endpoint } from '../../transport/client/request';
import { shortName } from '../../transport/text';
import { toId } from '../../transport/id';
import { orNull, recordOf } from '../../transport/values';
import { connectionLabel } from '../connection/connection';
import { UNKNOWN_PROJECTS } from '../connection/connectionRules';
import { refusal } from '../refusals';

export const LIST_GLOBAL_CONNECTIONS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/global-connections', feature: 'global connections' },
	subject: { noun: 'global connections' },
};

export const UPDATE_GLOBAL_CONNECTION: Endpoint = {
	method: 'POST',
	path: '/v1/global-connections/{id}',
	feature: 'global connections',
	rules: [UNKNOWN_PROJECTS],
};

/** Changes name and projects of a global connection. The projects that are sent replace the others. */
export const updateRequest = (
	id: unknown,
	body: { displayName: string; projectIds?: string[] },
): ApiRequest => ({
	endpoint: UPDATE_GLOBAL_CONNECTION,
	id,
	subject: { noun: 'global connection', field: 'Global Connection' },
	body,
});

export const simplifyGlobalConnection = (connection: IDataObject): IDataObject => ({
	name: connection.displayName ?? null,
	...orNull(connection, 'status', 'type', 'pieceName'),
	flowCount: Array.isArray(connection.flowIds) ? connection.flowIds.length : null,
	ownerEmail: recordOf(connection.owner).email ?? null,
	...orNull(connection, 'updated', 'externalId'),
	projectIds: connection.projectIds ?? [],
	id: connection.id ?? null,
});

export const globalConnectionLocator: Locator = {
	name: 'globalConnectionId',
	displayName: 'Global Connection',
	noun: 'global connection',
	description: 'The global connection to change',
	required: true,
	searchMethod: 'searchGlobalConnections',
	sources: () => [
		{
			key: 'all',
			request: LIST_GLOBAL_CONNECTIONS,
			label: (connection: IDataObject) => connectionLabel(connection),
		},
	],
};

/**
 * The connection must be in the list of global ones: for one of a project the service confirms a delete
 * that it does not carry out (recorded).
 */
export const unknownGlobalConnection = ({ id }: RequestTarget) =>
	refusal(
		`Global connection "${shortName(toId(id) ?? '')}" was not found`,
		'Check Global Connection. The connection may have been deleted, or may belong to a project: use the resource Connection for it.',
		{ isRecordUnknown: true },
	);
