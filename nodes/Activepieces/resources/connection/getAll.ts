import { listOperation } from '../listOperation';
import { projectToList } from '../project/project';
import {
	connectionNameFilter,
	connectionStatusFilter,
	LIST_PROJECT_CONNECTIONS,
	pieceNameFilter,
	simplifyConnection,
} from './connection';

export const getAll = listOperation({
	description:
		'Get the connections of a project, or of all projects. Global connections are not included.',
	hint: 'Returns one item per connection of a project. Secrets of connections are never returned.',
	toolDescription:
		'Returns the connections of an Activepieces project, or of all projects if none is given, with the IDs of the flows that use them. Connections with status ERROR or MISSING need attention. Secrets are never returned',
	request: LIST_PROJECT_CONNECTIONS,
	project: projectToList('connections'),
	filters: [connectionNameFilter, pieceNameFilter, connectionStatusFilter],
	simplify: simplifyConnection,
	select: () => ({
		take: (connection) => (connection.scope === 'PLATFORM' ? undefined : connection),
	}),
	hasPageSize: true,
});
