import {
	type Filter,
	filter,
	filtered,
	filtersField,
	idFilter,
	idListFilter,
	listFilter,
} from '../../descriptions/filters';
import { type Locator, locatorField } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import {
	getLimit,
	getPageSize,
	pagingOptions,
	returnAllOrLimit,
} from '../../descriptions/returnAllOrLimit';
import type { Operation } from '../operation';
import { fetchByProject } from '../project/fetchByProject';
import { projectLocator } from '../project/locator';
import { fetchNamesForList } from '../project/projectNames';
import { LIST_FLOWS } from './requests';
import { simplifyFlow, simplifyPublishedFlow } from './simplify';

const flowsProject: Locator = {
	...projectLocator,
	description: 'The project whose flows to get',
	hint: 'Leave empty for the flows of all projects',
};

/** The filters for lists of ids differ only in what the ids are of. */
const listed = (ids: string) =>
	`Comma-separated ${ids}; a flow with any of them is returned. Some releases take up to 20.`;

const filters: Filter[] = [
	idListFilter({
		displayName: 'Agent External IDs',
		name: 'agentExternalIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. support-agent, sales-agent',
		description: listed('external IDs of agents that the flow uses'),
	}),
	idListFilter({
		displayName: 'Connection External IDs',
		name: 'connectionExternalIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. slack-main, gmail-team',
		description: listed('external IDs of connections that the flow uses'),
	}),
	idListFilter({
		displayName: 'External IDs',
		name: 'externalIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice-sync, crm-import',
		description: listed('external IDs of the flows'),
	}),
	idFilter({
		displayName: 'Folder ID',
		name: 'folderId',
		type: 'string',
		default: '',
		placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ',
		description:
			'ID of the folder that the flows are in (folderId of a flow), or NULL for flows in no folder',
	}),
	filter({
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice',
		description: 'Part of the name, in any letter case. % and _ are wildcards.',
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
		description: 'Only flows with one of the chosen statuses',
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
		hint: 'On Activepieces 0.73, Locked works only together with Status Enabled',
	}),
];

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flows',
	description: 'Get the flows of a project, or of all projects',
	hint: 'Gives one item per flow. The nodes that follow run for each of them.',
	endpoint: LIST_FLOWS,
	properties: [
		locatorField(flowsProject),
		...returnAllOrLimit,
		...outputFields,
		filtersField(filters),
		pagingOptions(),
	],
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
