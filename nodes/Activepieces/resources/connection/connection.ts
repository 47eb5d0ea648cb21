import type { IDataObject } from 'n8n-workflow';

import { choicesOf, nameFilter, recordName, text } from '../../descriptions/kinds';
import {
	inBrackets,
	lowerCase,
	nameOf,
	type Locator,
	type OptionList,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { ApiRequest } from '../../transport/client/request';
import type { ResponseRule } from '../../transport/errors/rule';
import { orNull, recordOf, textOf } from '../../transport/values';
import { projectNameOf } from '../project/project';

/** Lists the connections of a project, and those of the platform that it may use (recorded). */
export const LIST_CONNECTIONS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/app-connections', order: 'oldestFirst' },
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

const connectionNameFilter = nameFilter('displayName', 'connections', 'e.g. Slack');

const pieceNameFilter = text('Piece Name', 'pieceName', {
	placeholder: 'e.g. @activepieces/piece-slack',
	description:
		'Return only connections of the piece with this exact name, as in the pieceName field of the output',
});

const connectionStatusFilter = choicesOf('Status', 'connectionStatus', {
	options: ['ACTIVE', 'ERROR', 'MISSING'],
	description:
		'Return only connections with one of these statuses. Those with status Error or Missing need attention.',
});

/** Shared by the lists of connections, so that their values stay when the other resource is chosen. */
export const connectionFilters = {
	displayName: connectionNameFilter,
	pieceName: pieceNameFilter,
	status: connectionStatusFilter,
};

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
const placeOf = ({ scope }: IDataObject, projectName: string): string =>
	scope === 'PLATFORM' ? 'global' : projectName;

/** Connections by their external ID, which flows refer to (recorded). */
export const connectionOptions: OptionList = {
	noun: 'connection',
	loadMethod: 'getConnections',
	byName: nameOf,
	byExternalId: ({ externalId }) => [externalId],
	sources: {
		request: LIST_CONNECTIONS,
		label: (connection, project) =>
			nameOf(connection) +
			inBrackets(shortPieceName(connection.pieceName), placeOf(connection, project.name)),
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
	// Releases that ignore the scope list those of the platform as well.
	byName: ({ scope, displayName }) => (scope === 'PLATFORM' ? undefined : displayName),
	byExternalId: ({ scope, externalId }) => (scope === 'PLATFORM' ? [] : [externalId]),
	searchMethod: 'searchConnections',
	sources: {
		request: LIST_PROJECT_CONNECTIONS,
		label: (connection, project) => connectionLabel(connection, project.name),
		isOfChosenProject: true,
	},
};

/** The name of a connection among the fields that an Update can change. */
export const newConnectionName = recordName('Name', 'connection', { description: 'The new name' });

/** For global connections, whose requests name several projects */
export const UNKNOWN_PROJECTS: ResponseRule = {
	unknown: 'Project',
	message: 'One of the projects was not found',
	description:
		'Check Projects. One of them may have been deleted, or may belong to another Activepieces platform. If the connection was shared with a project that has been deleted, set its projects anew: use Update with Project Change set to Replace.',
};
