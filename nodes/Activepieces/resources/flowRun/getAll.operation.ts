import {
	type Filter,
	filter,
	filtered,
	filtersField,
	idListFilter,
	listFilter,
	timeFilter,
} from '../../descriptions/filters';
import { type Locator, locatorField, optionListField } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getLimit, getPageSize, pagingOptions, returnAllOrLimit } from '../../descriptions/listing';
import { flowOptions } from '../flow/flow';
import type { Operation } from '../operation';
import { fetchByProject } from '../project/names';
import { projectLocator } from '../project/project';
import { LIST_RUNS, runStatuses, simplifyRun } from './flowRun';

const runsProject: Locator = {
	...projectLocator,
	description: 'The project to get the flow runs from',
	hint: 'Leave empty for the runs of all projects',
};

const filters: Filter[] = [
	timeFilter({
		displayName: 'Created After',
		name: 'createdAfter',
		type: 'dateTime',
		default: '',
		description:
			"Return only runs created at this time or later. A time without a zone is in the workflow's time zone.",
	}),
	timeFilter({
		displayName: 'Created Before',
		name: 'createdBefore',
		type: 'dateTime',
		default: '',
		description:
			"Return only runs created at this time or earlier. A time without a zone is in the workflow's time zone.",
	}),
	filter({
		displayName: 'Failed Step Name',
		name: 'failedStepName',
		type: 'string',
		default: '',
		placeholder: 'e.g. step_1',
		description: 'Return only runs that failed at the step with this name (failedStep.name)',
	}),
	idListFilter(
		optionListField(
			flowOptions,
			{ displayName: 'Flow Names or IDs', name: 'flowIds' },
			'Return only runs of these flows',
		),
		'flowId',
	),
	listFilter(
		{
			displayName: 'Status',
			name: 'runStatus',
			type: 'multiOptions',
			options: runStatuses,
			default: [],
			description: 'Return only runs with one of these statuses',
		},
		'status',
	),
	listFilter({
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		default: '',
		placeholder: 'e.g. nightly, eu',
		description:
			'Return only runs that have any of these tags. Separate tags with commas. To see the tags of runs, turn off Simplify.',
	}),
];

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flow runs',
	description: 'Get the runs of a project, or of all projects, newest first',
	hint: 'Returns one item per run, newest first. Test runs and archived runs are left out.',
	toolDescription:
		'Returns the Activepieces flow runs of a project, or of all projects if none is given, newest first. Test runs and archived runs are not included',
	endpoint: LIST_RUNS,
	properties: [
		locatorField(runsProject),
		...returnAllOrLimit,
		...outputFields,
		filtersField(filters),
		pagingOptions(),
	],
	simplify: simplifyRun,
	async run(context) {
		const output = getOutputMode(context, simplifyRun);
		const records = await fetchByProject(context, runsProject, {
			request: filtered(context, LIST_RUNS, filters),
			pageSize: getPageSize(context),
			limit: getLimit(context),
			transform: output.transform,
			isNewestFirst: true,
		});
		return output.finish(records);
	},
};
