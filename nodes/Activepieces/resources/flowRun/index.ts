import type { IDataObject } from 'n8n-workflow';

import { filterValues, named, optional, output } from '../../descriptions/field';
import { choicesOf, createdFilters, optionIds, text, texts } from '../../descriptions/kinds';
import type { ApiRequest } from '../../transport/client/request';
import { inBytes } from '../../transport/texts';
import { isRecord, orNull, recordOf, textOf } from '../../transport/values';
import { flowOptions, stepsOf, triggerOf } from '../flow/flow';
import { itemsOperation, listOperation, operation, type Resource } from '../operation';
import { projectsToCount, projectToList } from '../project/project';
import { cancel } from './cancel';
import {
	anyRunLocator,
	fetchRun,
	flowRunLocator,
	GET_RUN,
	LIST_RUNS,
	logWithoutFileUrls,
	RUN_STATUSES,
	simplifyRun,
	stepError,
	stepsOfLog,
	textOrNull,
	waitingRunLocator,
} from './flowRun';
import { retry } from './retry';

const get = operation({
	name: 'Get',
	value: 'get',
	description: 'Get a flow run with the message of its failed step',
	hint: 'Turn off Simplify to get the input and output of every step',
	toolDescription:
		'Returns one run of an Activepieces flow by its ID, with the message of its failed step',
	endpoint: GET_RUN,
	fields: { run: named(anyRunLocator) },
	simplify: simplifyRun,
	async record({ run: target }, { client }) {
		const run = await fetchRun(client, target);
		return 'steps' in run ? { ...run, steps: logWithoutFileUrls(run.steps) as IDataObject } : run;
	},
});

const filters = {
	...createdFilters('runs'),
	failedStepName: text('Failed Step Name', 'failedStepName', {
		placeholder: 'e.g. step_1',
		description:
			'Return only runs that failed at the step with this name (failedStep.name), also those that succeeded after a retry',
	}),
	flowId: optionIds(
		flowOptions,
		{ displayName: 'Flow Names or IDs', name: 'flowIds' },
		'Return only runs of these flows',
	),
	status: choicesOf('Status', 'runStatus', {
		options: RUN_STATUSES,
		description: 'Return only runs with one of these statuses',
	}),
	tags: texts('Tags', 'tags', {
		placeholder: 'e.g. nightly, eu',
		description:
			'Return only runs that have any of these tags. Separate tags with commas. To see the tags of runs, turn off Simplify.',
	}),
};

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

const COUNT_RUNS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/flow-runs/count-by-status',
		// Releases without this path read its last part as the ID of a run (recorded).
		rules: [
			{
				status: 'badRequest',
				says: /^params\/id /,
				message: 'In this Activepieces release, flow runs cannot be counted',
				description: 'This requires Activepieces 0.85 or later. Use Get Many instead.',
			},
		],
	},
	subject: { noun: 'flow runs' },
};

const { createdAfter, createdBefore } = createdFilters('runs', 'Count');

const getCounts = itemsOperation({
	name: 'Get Counts',
	value: 'getCounts',
	action: 'Count flow runs',
	description:
		'Get the number of flow runs in a project or in all projects, by status. Requires Activepieces 0.85 or later.',
	hint: 'Test runs and archived runs are not counted',
	toolDescription:
		'Returns the number of flow runs in an Activepieces project, or in all projects if none is given: total, and the number with each status. Test runs and archived runs are not counted',
	endpoint: COUNT_RUNS.endpoint,
	fields: {
		projects: projectsToCount('flow runs', 'runs'),
		createdAfter: optional(createdAfter, 'any time'),
		createdBefore: optional(createdBefore, 'any time'),
	},
	async items({ projects, ...query }, { client }) {
		const lists = await projects.ofEach(
			{ ...COUNT_RUNS, query },
			async (request) => await client.fetchUnpagedList(request),
		);
		// The service names only statuses that occur (recorded).
		const counts = Object.fromEntries(RUN_STATUSES.map((each) => [each, 0]));
		for (const { status, count } of lists.flat()) {
			const key = textOf(status);
			counts[key] = (counts[key] ?? 0) + Number(count);
		}
		const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
		return [{ total, ...counts, projectId: projects.projectId }];
	},
});

/** How a release replaces a value that is too large; before 0.85 it says no size. */
const CUT = /^\(truncated(?:, original size (.+))?\)$/;

/**
 * The fields of a step. What Activepieces did not return is null, and `incomplete` says what is missing:
 * inputs of more than 2 kB, which it cuts, and outputs of more than 32 kB, which it stores in a file (from
 * 0.85 on, recorded).
 */
function simplifyStep(step: IDataObject, names?: ReadonlyMap<unknown, string>): IDataObject {
	const { input, output: result } = step;
	const missing: string[] = [];
	const valueOf = (label: string, value: unknown): unknown => {
		const [cut, size] = (typeof value === 'string' && CUT.exec(value)) || [];
		if (cut === undefined) return value ?? null;
		missing.push(
			`${label} is too large${size === undefined ? '' : ` (${size.replace('KB', 'kB')})`}`,
		);
		return null;
	};
	const inputs = isRecord(input)
		? Object.fromEntries(
				Object.entries(input).map(([name, value]) => [name, valueOf(`input.${name}`, value)]),
			)
		: valueOf('input', input);
	const isInFile = step.outputType === 'slice';
	if (isInFile) {
		const { size } = recordOf(result);
		missing.push(`output is too large${typeof size === 'number' ? ` (${inBytes(size)})` : ''}`);
	}
	return {
		name: step.name ?? null,
		displayName: names?.get(step.name) ?? null,
		status: step.status ?? null,
		error: stepError(step.errorMessage),
		input: inputs as IDataObject,
		output: (isInFile ? null : valueOf('output', result)) as IDataObject,
		...orNull(step, 'type', 'iteration'),
		durationMs: typeof step.duration === 'number' ? Math.round(step.duration) : null,
		...orNull(step, 'flowName', 'runId'),
		incomplete:
			missing.length === 0 ? null : `Activepieces did not return all: ${missing.join(', ')}`,
	};
}

/** The display names of the steps in the version that ran. */
const stepNamesOf = ({ flowVersion }: IDataObject): ReadonlyMap<unknown, string> =>
	new Map(
		stepsOf(triggerOf({ version: flowVersion })).map(({ name, displayName }) => [
			name,
			textOf(displayName),
		]),
	);

const statusFilter = choicesOf('Status', 'stepStatus', {
	options: ['FAILED', 'PAUSED', 'RUNNING', 'STOPPED', 'SUCCEEDED'],
	description: 'Return only steps with one of these statuses',
});

const getSteps = itemsOperation({
	name: 'Get Steps',
	value: 'getSteps',
	action: 'Get flow run steps',
	description: 'Get the steps of a flow run with their input and output',
	hint: 'Returns one item per step that ran. To see what failed, filter by the status Failed.',
	toolDescription:
		'Returns the steps that ran in an Activepieces flow run, in their order, with input, output and error. Returns nothing if the run has not started, still runs or ended before its first step, or if its log was deleted',
	endpoint: GET_RUN,
	fields: {
		run: named({
			...anyRunLocator,
			description:
				"The run to get the steps of. The list shows the runs by project, newest first. Times are in the workflow's time zone.",
		}),
		outputBy: output,
		filters: filterValues({ statuses: statusFilter }),
	},
	simplify: (step) => simplifyStep(step),
	async items({ run: target, outputBy, filters: { statuses } }, { client, showHint }) {
		const run = await fetchRun(client, target);
		const flowName = textOrNull(recordOf(run.flowVersion).displayName);
		const all = stepsOfLog(logWithoutFileUrls(run.steps), { flowName, runId: run.id });
		const steps = all.filter(({ status }) => statuses?.includes(textOf(status)) ?? true);
		if (all.length === 0) {
			showHint(
				'Activepieces has no steps of this run: it has not started, still runs, or ended before its first step, or its log was deleted',
			);
		}
		const names = stepNamesOf(run);
		const { transform, finish } = outputBy((step) => simplifyStep(step, names));
		return finish(steps.map(transform));
	},
});

export const flowRun: Resource = {
	name: 'Flow Run',
	value: 'flowRun',
	locators: [flowRunLocator, anyRunLocator, waitingRunLocator],
	operations: [getAll, get, getSteps, getCounts, retry, cancel],
};
