import type { IDataObject } from 'n8n-workflow';

import { multiOptionsField, namedOptions } from '../../descriptions/fields';
import { listFilter, nameFilter, textFilter } from '../../descriptions/filters';
import {
	inBrackets,
	type Locator,
	lowerCase,
	nameOf,
	type OptionList,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { ApiRequest } from '../../transport/client/request';
import type { Project } from '../../transport/lists/projects';
import { orNull, recordOf, textOf } from '../../transport/values';
import { projectNameOf } from '../project/projectNames';

/** Lists the connections of a project, and those of the platform that it may use (recorded). */
export const LIST_CONNECTIONS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/app-connections' },
	subject: { noun: 'connections' },
};

/**
 * Lists the connections of a project only. Without the scope, a global connection also counts the flows
 * of other projects that share it.
 */
export const LIST_PROJECT_CONNECTIONS: ApiRequest = {
	...LIST_CONNECTIONS,
	query: { scope: 'PROJECT' },
};

/** A connection of a project has one project ID; only connections of the platform have several. */
export const projectIdOf = ({ projectIds }: IDataObject): unknown =>
	Array.isArray(projectIds) ? projectIds[0] : undefined;

/**
 * The fields of a connection that a person acts on: what it is, which flows need it, who can fix it.
 * Missing fields are null.
 */
export const simplifyConnection: Simplify = (connection, source) => {
	const projectId = projectIdOf(connection) as string | undefined;
	return {
		name: connection.displayName ?? null,
		...orNull(connection, 'status', 'pieceName'),
		projectName: projectNameOf({ projectId }, source),
		// Missing in responses to changes, as is the owner (recorded).
		flowIds: Array.isArray(connection.flowIds) ? connection.flowIds : null,
		ownerEmail: recordOf(connection.owner).email ?? null,
		...orNull(connection, 'updated', 'externalId'),
		projectId: projectId ?? null,
		id: connection.id ?? null,
	};
};

/** Shared by the lists of connections, so that its value stays when the other resource is chosen. */
export const connectionNameFilter = nameFilter('displayName', 'connections', 'e.g. Slack');

export const pieceNameFilter = textFilter('Piece Name', 'pieceName', {
	placeholder: 'e.g. @activepieces/piece-slack',
	description:
		'Return only connections of the piece with this exact name, as in the pieceName field of the output',
});

export const connectionStatusFilter = listFilter(
	multiOptionsField('Status', 'connectionStatus', {
		options: namedOptions('ACTIVE', 'ERROR', 'MISSING'),
		description:
			'Return only connections with one of these statuses. Those with status Error or Missing need attention.',
	}),
	'status',
);

export const shortPieceName = (name: unknown): string =>
	textOf(name).replace(/^@activepieces\/piece-/, '');

/** A connection in a list, with its piece, its status if it needs attention, and its project. */
export function connectionLabel(connection: IDataObject, projectName = ''): string {
	const status = connection.status === 'ACTIVE' ? '' : lowerCase(connection.status);
	return nameOf(connection) + inBrackets(shortPieceName(connection.pieceName), status, projectName);
}

/**
 * Where a connection belongs. A global connection is listed with every project that may use it, and shown
 * once.
 */
const placeOf = ({ scope }: IDataObject, project: Project): string =>
	scope === 'PLATFORM' ? 'global' : project.name;

/** Connections by their external ID, which flows refer to (recorded). */
export const connectionOptions: OptionList = {
	noun: 'connections',
	loadMethod: 'getConnections',
	sources: {
		request: LIST_CONNECTIONS,
		label: (connection, project) =>
			nameOf(connection) +
			inBrackets(shortPieceName(connection.pieceName), placeOf(connection, project)),
		value: ({ externalId }) => externalId,
		isOfChosenProject: true,
	},
};

export const connectionLocator: Locator = {
	name: 'connectionId',
	displayName: 'Connection',
	noun: 'connection',
	description: 'The connection to change. The list shows the connections of all projects.',
	required: true,
	searchMethod: 'searchConnections',
	sources: {
		request: LIST_PROJECT_CONNECTIONS,
		label: (connection, project) => connectionLabel(connection, project.name),
	},
};
