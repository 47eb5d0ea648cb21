import { type Filter, filtered, filtersField } from '../../descriptions/filters';
import { type Locator, locatorField } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getLimit, getPageSize, pagingOptions, returnAllOrLimit } from '../../descriptions/listing';
import type { Operation } from '../operation';
import { fetchByProject, fetchNamesForList } from '../project/names';
import { projectLocator } from '../project/project';
import {
	connectionNameFilter,
	connectionStatusFilter,
	knownFields,
	LIST_PROJECT_CONNECTIONS,
	pieceNameFilter,
	simplifyConnection,
} from './connection';

const connectionsProject: Locator = {
	...projectLocator,
	description: 'The project to get the connections from',
	hint: 'Leave empty for the connections of all projects',
};

const filters: Filter[] = [connectionNameFilter, pieceNameFilter, connectionStatusFilter];

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many connections',
	description:
		'Get the connections of a project, or of all projects. Global connections are not included.',
	hint: 'Returns one item per connection of a project. Secrets of connections are never returned.',
	toolDescription:
		'Returns the connections of an Activepieces project, or of all projects if none is given, with the IDs of the flows that use them. Connections with status ERROR or MISSING need attention. Secrets are never returned',
	endpoint: LIST_PROJECT_CONNECTIONS,
	properties: [
		locatorField(connectionsProject),
		...returnAllOrLimit,
		...outputFields,
		filtersField(filters),
		pagingOptions(),
	],
	simplify: simplifyConnection,
	async run(context) {
		const output = getOutputMode(context, simplifyConnection);
		const request = filtered(context, LIST_PROJECT_CONNECTIONS, filters);
		const [limit, pageSize] = [getLimit(context), getPageSize(context)];
		await fetchNamesForList(context, connectionsProject, output);
		const records = await fetchByProject(context, connectionsProject, {
			request,
			pageSize,
			limit,
			transform: (connection) =>
				connection.scope === 'PLATFORM' ? undefined : output.transform(knownFields(connection)),
		});
		return output.finish(records);
	},
};
