import { choices, optionsField } from '../../descriptions/fields';
import { type Filter, filter } from '../../descriptions/filters';
import { listOperation } from '../listOperation';
import {
	connectionNameFilter,
	connectionStatusFilter,
	pieceNameFilter,
} from '../connection/connection';
import { LIST_GLOBAL_CONNECTIONS, simplifyGlobalConnection } from './globalConnection';

const filters: Filter[] = [
	connectionNameFilter,
	pieceNameFilter,
	filter(
		optionsField('Scope', 'scope', {
			options: choices(
				['Platform', 'PLATFORM', 'Connections that belong to the platform'],
				['Project', 'PROJECT', 'Connections that belong to a project'],
			),
			default: 'PLATFORM',
			description: 'Return only connections with this scope',
			hint: 'Has no effect in Activepieces 0.86 and earlier',
		}),
	),
	connectionStatusFilter,
];

export const getAll = listOperation({
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
