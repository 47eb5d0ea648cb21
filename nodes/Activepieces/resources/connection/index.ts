import { listOperation } from '../builders';
import type { Resource } from '../operation';
import { projectLocator } from '../project/project';
import {
	connectionLocator,
	connectionNameFilter,
	connectionStatusFilter,
	knownFields,
	LIST_PROJECT_CONNECTIONS,
	pieceNameFilter,
	simplifyConnection,
} from './connection';
import { remove } from './delete.operation';

const getAll = listOperation({
	action: 'Get many connections',
	description:
		'Get the connections of a project, or of all projects. Global connections are not included.',
	hint: 'Returns one item per connection of a project. Secrets of connections are never returned.',
	toolDescription:
		'Returns the connections of an Activepieces project, or of all projects if none is given, with the IDs of the flows that use them. Connections with status ERROR or MISSING need attention. Secrets are never returned',
	request: LIST_PROJECT_CONNECTIONS,
	project: {
		...projectLocator,
		description: 'The project to get the connections from',
		hint: 'Leave empty for the connections of all projects',
	},
	filters: [connectionNameFilter, pieceNameFilter, connectionStatusFilter],
	simplify: simplifyConnection,
	take: (connection) => (connection.scope === 'PLATFORM' ? undefined : knownFields(connection)),
	hasPageSize: true,
});

export const connection: Resource = {
	name: 'Connection',
	value: 'connection',
	locators: [connectionLocator],
	operations: [getAll, remove],
};
