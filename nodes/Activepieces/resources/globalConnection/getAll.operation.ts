import { type Filter, filter, filtered, filtersField } from '../../descriptions/filters';
import { getOutputMode, outputFields } from '../../descriptions/output';
import {
	getLimit,
	getPageSize,
	pagingOptions,
	returnAllOrLimit,
} from '../../descriptions/returnAllOrLimit';
import { fetchList } from '../../transport/paging/lists';
import { createRecordCollector } from '../../transport/paging/recordCollector';
import {
	connectionNameFilter,
	connectionStatusFilter,
	pieceNameFilter,
} from '../connection/filters';
import { knownFields } from '../connection/knownFields';
import type { Operation } from '../operation';
import { LIST_GLOBAL_CONNECTIONS } from './requests';
import { simplifyGlobalConnection } from './simplify';

const filters: Filter[] = [
	connectionNameFilter,
	pieceNameFilter,
	filter({
		displayName: 'Scope',
		name: 'scope',
		type: 'options',
		options: [
			{ name: 'Platform', value: 'PLATFORM' },
			{ name: 'Project', value: 'PROJECT' },
		],
		default: 'PLATFORM',
		description: 'Return only connections with this scope',
		hint: 'Has no effect in Activepieces 0.85 and earlier',
	}),
	connectionStatusFilter,
];

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many global connections',
	description:
		'Get the connections that the platform shares with its projects. Requires a plan with global connections.',
	hint: 'Returns one item per connection. Requires a Cloud or Enterprise plan with global connections.',
	toolDescription:
		'Returns the connections that the Activepieces platform shares with its projects. Connections with status ERROR or MISSING need attention',
	endpoint: LIST_GLOBAL_CONNECTIONS,
	properties: [...returnAllOrLimit, ...outputFields, filtersField(filters), pagingOptions()],
	simplify: simplifyGlobalConnection,
	async run(context) {
		const output = getOutputMode(context, simplifyGlobalConnection);
		const collector = createRecordCollector(getLimit(context), (connection) =>
			output.transform(knownFields(connection)),
		);
		const request = filtered(context, LIST_GLOBAL_CONNECTIONS, filters);
		await fetchList(context.client, request, getPageSize(context), collector);
		return output.finish(collector.records);
	},
};
