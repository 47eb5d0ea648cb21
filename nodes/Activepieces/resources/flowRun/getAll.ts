import { multiOptionsField } from '../../descriptions/fields';
import {
	createdFilters,
	type Filter,
	idListFilter,
	listFilter,
	textFilter,
	textsFilter,
} from '../../descriptions/filters';
import { optionListField } from '../../descriptions/locator';
import { listOperation } from '../listOperation';
import { flowOptions } from '../flow/flow';
import { projectToList } from '../project/project';
import { LIST_RUNS, simplifyRun } from './flowRun';
import { runStatuses } from './runStatus';

const filters: Filter[] = [
	...createdFilters('runs'),
	textFilter('Failed Step Name', 'failedStepName', {
		placeholder: 'e.g. step_1',
		description:
			'Return only runs that failed at the step with this name (failedStep.name), also those that succeeded after a retry',
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

export const getAll = listOperation({
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
