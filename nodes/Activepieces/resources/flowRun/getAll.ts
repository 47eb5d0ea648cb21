import type { IDataObject } from 'n8n-workflow';

import { multiOptionsField } from '../../descriptions/fields';
import {
	createdFilters,
	type Filter,
	idListFilter,
	listFilter,
	textFilter,
	textsFilter,
} from '../../descriptions/filters';
import { locatorField, optionListField } from '../../descriptions/locator';
import { listOperation, recordOperation } from '../builders';
import { flowOptions } from '../flow/flow';
import type { Resource } from '../operation';
import { projectToList } from '../project/project';
import { cancel } from './cancel';
import {
	anyRunLocator,
	fetchAnyRun,
	flowRunLocator,
	GET_RUN,
	LIST_RUNS,
	runStatuses,
	simplifyRun,
	waitingRunLocator,
} from './flowRun';
import { getSteps, logWithoutFileUrls } from './getSteps';
import { retry } from './retry';

const filters: Filter[] = [
	...createdFilters('runs'),
	textFilter('Failed Step Name', 'failedStepName', {
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
		multiOptionsField('Status', 'runStatus', {
			options: runStatuses,
			description: 'Return only runs with one of these statuses',
		}),
		'status',
	),
	textsFilter('Tags', 'tags', {
		placeholder: 'e.g. nightly, eu',
		description:
			'Return only runs that have any of these tags. Separate tags with commas. To see the tags of runs, turn off Simplify.',
	}),
];

const getAll = listOperation({
	description: 'Get the runs of a project, or of all projects, newest first',
	hint: 'Returns one item per run, newest first. Test runs and archived runs are left out.',
	toolDescription:
		'Returns the Activepieces flow runs of a project, or of all projects if none is given, newest first. Test runs and archived runs are not included',
	request: LIST_RUNS,
	project: projectToList('flow runs', 'runs'),
	filters,
	simplify: simplifyRun,
	hasPageSize: true,
	isNewestFirst: true,
});

const get = recordOperation({
	name: 'Get',
	value: 'get',
	description: 'Get a flow run with the message of its failed step',
	hint: 'Turn off Simplify to get the input and output of every step',
	toolDescription:
		'Returns one run of an Activepieces flow by its ID, with the message of its failed step',
	endpoint: GET_RUN,
	properties: [locatorField(anyRunLocator)],
	simplify: simplifyRun,
	async record(context) {
		const run = await fetchAnyRun(context);
		return 'steps' in run ? { ...run, steps: logWithoutFileUrls(run.steps) as IDataObject } : run;
	},
});

export const flowRun: Resource = {
	name: 'Flow Run',
	value: 'flowRun',
	locators: [flowRunLocator, anyRunLocator, waitingRunLocator],
	operations: [getAll, get, getSteps, retry, cancel],
};
