import {
	type Filter,
	filter,
	filtered,
	filtersField,
	idListFilter,
	listFilter,
	locatorFilter,
} from '../../descriptions/filters';
import { type Locator, locatorField, optionListField } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getLimit, getPageSize, pagingOptions, returnAllOrLimit } from '../../descriptions/listing';
import { connectionOptions } from '../connection/connection';
import { folderOrNoneLocator } from '../folder/folder';
import type { Operation } from '../operation';
import { fetchByProject, fetchNamesForList } from '../project/names';
import { projectLocator } from '../project/project';
import { flowExternalIdOptions, LIST_FLOWS, simplifyFlow, simplifyPublishedFlow } from './flow';

const flowsProject: Locator = {
	...projectLocator,
	description: 'The project to get the flows from',
	hint: 'Leave empty for the flows of all projects',
};

const filters: Filter[] = [
	// No release that the node supports lists agents.
	idListFilter({
		displayName: 'Agent External IDs',
		name: 'agentExternalIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. support-agent, sales-agent',
		description:
			'Return only flows that use any of these agents. Enter external IDs, separated by commas. To find them, turn off Simplify and look at version.agentIds in the output.',
	}),
	idListFilter(
		optionListField(
			connectionOptions,
			{ displayName: 'Connection Names or IDs', name: 'connectionExternalIds' },
			'Return only flows that use one of these connections, by their external IDs',
		),
	),
	idListFilter(
		optionListField(
			flowExternalIdOptions,
			{ displayName: 'Flow Names or IDs', name: 'externalIds' },
			'Return only these flows, by their external IDs',
		),
	),
	locatorFilter(folderOrNoneLocator),
	filter({
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice',
		description:
			'Return only flows whose name contains this text. Not case-sensitive. % and _ are wildcards.',
	}),
	listFilter({
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		options: [
			{ name: 'Disabled', value: 'DISABLED' },
			{ name: 'Enabled', value: 'ENABLED' },
		],
		default: [],
		description: 'Return only flows with one of these statuses',
	}),
	filter({
		displayName: 'Version State',
		name: 'versionState',
		type: 'options',
		options: [
			{ name: 'Draft', value: 'DRAFT', description: 'The latest version of every flow' },
			{
				name: 'Locked',
				value: 'LOCKED',
				description: 'The published version of published flows',
			},
		],
		default: 'DRAFT',
		description: 'Which version of each flow to return',
		hint: 'In Activepieces 0.73, Locked works only if Status is set to Enabled',
	}),
];

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flows',
	description: 'Get the flows of a project, or of all projects',
	hint: 'Returns one item per flow. The next nodes run once for each item.',
	toolDescription:
		'Returns the flows of an Activepieces project, or of all projects if none is given',
	endpoint: LIST_FLOWS,
	properties: [
		locatorField(flowsProject),
		...returnAllOrLimit,
		...outputFields,
		filtersField(filters),
		pagingOptions(),
	],
	simplify: simplifyFlow,
	async run(context) {
		const request = filtered(context, LIST_FLOWS, filters);
		const isPublishedAsked = request.query?.versionState === 'LOCKED';
		const output = getOutputMode(context, isPublishedAsked ? simplifyPublishedFlow : simplifyFlow);
		const [limit, pageSize] = [getLimit(context), getPageSize(context)];
		await fetchNamesForList(context, flowsProject, output);
		const records = await fetchByProject(context, flowsProject, {
			request,
			pageSize,
			limit,
			transform: output.transform,
		});
		return output.finish(records);
	},
};
