import type { IDataObject } from 'n8n-workflow';

import { optionalId } from '../../descriptions/field';
import { choicesOf, labelOfValue, nameFilter, recordName, text } from '../../descriptions/kinds';
import {
	inBrackets,
	type Locator,
	lowerCase,
	nameOf,
	type OptionList,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest, ResponseRule } from '../../transport/client/request';
import { isListRefused, KEY_REFUSED, refusal } from '../../transport/errors/error';
import { type ApiResponse, isRecordUnknown } from '../../transport/http/response';
import { orNull, plainText, recordOf, shortName, textOf, unended } from '../../transport/values';
import { projectLocator, projectNameOf } from '../project/project';

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

const shortPieceName = (name: unknown): string =>
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
	noun: 'connections',
	loadMethod: 'getConnections',
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
	},
};

/** In each project, a connection may have the same external ID. */
export const connectionProject = optionalId({
	...projectLocator,
	description: 'The project in which a name or an external ID is looked for',
	hint: 'Has no effect on an ID. Leave empty to search in all projects.',
});

/** Those that are installed, as an array without pages (read in the service's source). */
const LIST_PIECES: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/pieces' },
	subject: { noun: 'pieces' },
};

export const pieceLocator: Locator = {
	name: 'pieceName',
	displayName: 'Piece',
	noun: 'piece',
	description: 'The piece that the connection is for',
	required: true,
	entry: { displayName: 'By Name', name: 'name', placeholder: 'e.g. @activepieces/piece-slack' },
	searchMethod: 'searchPieces',
	sources: () => [
		{
			key: 'all',
			request: LIST_PIECES,
			isUnpaged: true,
			value: ({ name }) => name,
			label: (piece: IDataObject) => nameOf(piece) + inBrackets(shortPieceName(piece.name)),
		},
	],
};

/** The message about a piece that is not installed, and its description. */
const pieceMissing = (name: string): string =>
	`The piece "${shortName(name)}" is not installed on this Activepieces server`;

const CHECK_PIECE =
	'Choose a piece from the list in Piece, or enter its whole name, such as @activepieces/piece-slack. If it is right, install the piece in Activepieces.';

/** The name of a connection among the fields that an Update can change. */
export const newConnectionName = recordName('Name', 'connection', { description: 'The new name' });

/**
 * Checks that a piece is installed, where the service does not: it stores a connection of type None with any name, if
 * the request has a version (recorded). Where pieces cannot be listed, it is stored.
 *
 * @throws {ActivepiecesError} when the list does not have it
 */
export async function assertPiece(client: ApiClient, name: string): Promise<void> {
	const names = await client.once('names of pieces', async () => {
		const data = await client.fetchUnpagedList(LIST_PIECES).catch((error: unknown) => {
			if (isListRefused(error)) return undefined;
			throw error;
		});
		return data && new Set(data.map((piece) => piece.name));
	});
	if (names?.has(name) === false) throw refusal(pieceMissing(name), CHECK_PIECE);
}

/** What the worker says: a sentence, or nothing. */
const reasonOf = ({ params }: ApiResponse): string => {
	const text = unended(plainText(textOf(params.error), 200));
	return text && `Activepieces says: ${text}. `;
};

/** The type that a piece needs, in the text with which the worker refuses another one (recorded). */
const typeNeeded = (text: unknown): string | undefined =>
	/piece auth type: (\w+) !== /.exec(textOf(text))?.[1];

/** For connections, whose values a worker checks with their piece (recorded) */
export const CONNECTION_VALUE_RULES: ResponseRule[] = [
	{
		status: 'notFound',
		says: /^piece_metadata_not_found/,
		message: (_words, { request: { body } }) => pieceMissing(textOf(recordOf(body).pieceName)),
		description: CHECK_PIECE,
	},
	{
		status: 'badRequest',
		code: 'INVALID_APP_CONNECTION',
		when: ({ response: { params } }) => typeNeeded(params.error) !== undefined,
		message: 'The piece does not accept a connection of this type',
		description: (_words, { response: { params } }) =>
			`It needs ${labelOfValue(typeNeeded(params.error) ?? '')}: change Type. A connection of a type that Type does not have can only be created in Activepieces.`,
	},
	{
		status: 'badRequest',
		code: 'INVALID_APP_CONNECTION',
		message: 'Activepieces did not accept the values of the connection',
		description: (_words, { response }) =>
			`${reasonOf(response)}Check Type and the fields below it.`,
	},
	{
		code: 'ENGINE_OPERATION_FAILURE',
		message: 'Activepieces could not check the values of the connection',
		description: (_words, { response }) =>
			`${reasonOf(response)}Check that the worker can reach the service of the piece. Then check Type and the fields below it.`,
	},
];

/** For global connections, whose requests name several projects */
export const UNKNOWN_PROJECTS: ResponseRule = {
	unknown: 'Project',
	message: 'One of the projects was not found',
	description:
		'Choose the projects from the list. One of them may have been deleted, or may belong to another Activepieces platform. If the connection was shared with a project that has been deleted, set its projects anew: use Update with Project Change set to Replace.',
};

/**
 * How releases up to 0.73 refuse a key for any connection: the text is that of the service's framework
 * (recorded).
 */
export const isConnectionKeyRefused = (response: ApiResponse): boolean =>
	response.code === undefined && isRecordUnknown(response);

export const CONNECTION_WITHOUT_KEYS: ResponseRule = {
	when: ({ response }) => isConnectionKeyRefused(response),
	...KEY_REFUSED,
};
