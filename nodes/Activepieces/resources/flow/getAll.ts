import {
	choices,
	multiOptionsField,
	namedOptions,
	optionsField,
	textField,
} from '../../descriptions/fields';
import {
	type Filter,
	filter,
	idListFilter,
	listFilter,
	locatorFilter,
	nameFilter,
} from '../../descriptions/filters';
import { optionListField } from '../../descriptions/locator';
import { listOperation } from '../listOperation';
import { connectionOptions } from '../connection/connection';
import { folderOrNoneLocator } from '../folder/folder';
import { projectToList } from '../project/project';
import { flowExternalIdOptions, LIST_FLOWS, simplifyFlow, simplifyPublishedFlow } from './flow';

const filters: Filter[] = [
	// No release that the node supports lists agents.
	idListFilter(
		textField('Agent External IDs', 'agentExternalIds', {
			placeholder: 'e.g. support-agent, sales-agent',
			description:
				'Return only flows that use any of these agents. Enter external IDs, separated by commas. To find them, turn off Simplify and look at version.agentIds in the output.',
		}),
	),
	idListFilter(
		optionListField(
			connectionOptions,
			{ displayName: 'Connection Names or IDs', name: 'connectionExternalIds' },
			'Return only flows that use one of these connections, or one of another project with the same external ID. In an expression, use their external IDs (externalId) instead of IDs',
		),
	),
	idListFilter(
		optionListField(
			flowExternalIdOptions,
			{ displayName: 'Flow Names or IDs', name: 'externalIds' },
			'Return only these flows, and those of other projects with the same external ID. In an expression, use their external IDs (externalId, visible with Simplify off) instead of IDs',
		),
	),
	locatorFilter(folderOrNoneLocator),
	nameFilter('name', 'flows', 'e.g. invoice'),
	listFilter(
		multiOptionsField('Status', 'status', {
			options: namedOptions('DISABLED', 'ENABLED'),
			description: 'Return only flows with one of these statuses',
		}),
	),
	filter(
		optionsField('Version', 'versionState', {
			options: choices(
				['Latest', 'DRAFT', 'The latest version of every flow'],
				['Published', 'LOCKED', 'The published version, only of flows that have one'],
			),
			default: 'DRAFT',
			description: 'Which version of each flow to return',
			hint: 'In Activepieces 0.73, Published works only if Status is set to Enabled',
		}),
	),
];

export const getAll = listOperation({
	description: 'Get the flows of a project, or of all projects',
	toolDescription:
		'Returns the flows of an Activepieces project, or of all projects if none is given. The filters for connections and flows take external IDs, not IDs',
	request: LIST_FLOWS,
	project: projectToList('flows'),
	filters,
	simplify: simplifyFlow,
	select: ({ versionState }) =>
		versionState === 'LOCKED' ? { simplify: simplifyPublishedFlow } : {},
	hasPageSize: true,
});
