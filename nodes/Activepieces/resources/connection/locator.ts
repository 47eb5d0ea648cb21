import { inBrackets, lowerCase, nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import { fetchProjectSources } from '../project/sources';
import { pieceOf } from './options';
import { LIST_PROJECT_CONNECTIONS } from './requests';

/** Connections of projects. Entries show what needs attention, because that is what people look for. */
export const connectionLocator: Locator = {
	name: 'connectionId',
	displayName: 'Connection',
	noun: 'connection',
	description: 'The connection to operate on. The list shows the connections of all projects.',
	required: true,
	searchMethod: 'searchConnections',
	sources: async (client) =>
		await fetchProjectSources(client, LIST_PROJECT_CONNECTIONS, (connection, project) => {
			const status = connection.status === 'ACTIVE' ? '' : lowerCase(connection.status);
			return nameOf(connection) + inBrackets(pieceOf(connection), project.name, status);
		}),
};

/** Shared by the operations on a connection. */
export const connectionField = locatorField(connectionLocator);
