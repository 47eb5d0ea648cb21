import type { ServiceData } from '../service';
import type { FlowRunStatus } from '../service/flowRunRecords';
import { find, type ResourceFacts } from './facts';

const withStatus = ({ flowRuns }: ServiceData, wanted: FlowRunStatus) =>
	flowRuns.filter(({ status }) => status === wanted);

/** Runs with a log. */
const failed = (data: ServiceData) =>
	withStatus(data, 'FAILED').filter(({ logsFileId }) => logsFileId !== null);

export const failedRun = (data: ServiceData) => failed(data)[0];

export const flowRun: ResourceFacts = {
	records: ({ flowRuns }) => flowRuns,
	output: {
		title: 'Flow run',
		events: 'Flow Run Failed, Flow Run Succeeded',
		fields: {
			id: 'ID of the run',
			status: 'For example `SUCCEEDED`, `FAILED`, `RUNNING`, `QUEUED` or `PAUSED`',
			flowName: 'Name of the flow in the version that ran',
			flowId: 'ID of the flow',
			projectId: 'ID of the project',
			failedStep:
				'`name`, `displayName` and the first 300 characters of `message` of the step that failed; null if none did. Lists have `message` from 0.79 on, *Get* always has it',
			started: 'Time of the start',
			finished: 'Time of the end; null while the run continues',
			url: 'Link to the run',
		},
	},
	operations: {
		getAll: {
			docs: {
				result: 'One item per run, newest first, without test runs and archived runs',
				calls: '`GET /v1/projects` to list all projects',
			},
		},
		get: {
			records: failed,
			expected: (id) => ({ id, status: 'FAILED' }),
			docs: { result: 'The run, with the message of its failed step' },
		},
		getSteps: {
			records: failed,
			expected: (id, { flowRuns }) =>
				Object.keys(find(flowRuns, id).steps).map((name) => ({ runId: id, name })),
			load: false,
			live: { schema: 'FlowRunStep' },
			docs: {
				result: 'One item per step that ran, with its input, output and error',
				calls: '`GET /v1/flows/{id}` on 0.73, for the names of the steps',
				output: {
					title: 'Flow run step',
					fields: {
						name: 'Name of the step, for example `step_1`',
						displayName: 'Name that the editor of Activepieces shows',
						status: '`SUCCEEDED`, `FAILED`, `PAUSED`, `RUNNING` or `STOPPED`',
						error: 'Error of a step that failed',
						input: 'Input. Values that Activepieces did not keep are null',
						output:
							'Output; of a loop without its iterations, whose steps are items of their own. Null if Activepieces did not keep it',
						type: 'For example `CODE`, `PIECE`, `ROUTER` or `LOOP_ON_ITEMS`',
						iteration: 'Iteration of the loop, from 1; of nested loops as text, for example `2.1`',
						durationMs: 'Milliseconds that the step took; null for the trigger',
						runId: 'ID of the run',
						incomplete:
							'What Activepieces did not keep: from 0.85 on, input values above 2 kB and outputs above 32 kB',
					},
				},
			},
		},
		retry: {
			records: failed,
			expected: (id) => ({ id, retriedRunId: id, status: 'QUEUED' }),
			isChanged: ({ data }, id) => find(data.flowRuns, id).status !== 'FAILED',
			load: { parameters: () => ({ options: { anyStatus: true } }), requests: 2 },
			docs: {
				result: 'The IDs of the queued run and of the failed run',
				calls: '`GET /v1/flow-runs/{id}` first',
				secondTime: {
					'From Failed Step':
						'Refuses the run if it has not failed. If it failed again, retries it again',
					'On Latest Version': '**Starts another new run**, because the old run stays failed',
				},
				output: {
					title: 'Retried flow run',
					fields: {
						id: 'ID of the run that is queued: a new one with *On Latest Version*, otherwise the same one',
						retriedRunId: 'ID of the run that failed',
						status: 'Status of the queued run',
						flowName: 'Name of the flow in the version that failed',
						flowId: 'ID of the flow',
						projectId: 'ID of the project',
					},
				},
			},
		},
		cancel: {
			records: (data) => withStatus(data, 'PAUSED'),
			expected: (id) => ({ id, status: 'CANCELED' }),
			isChanged: ({ data }, id) => find(data.flowRuns, id).status === 'CANCELED',
			faults: [{ isFull: true, looksAfterwards: true, readsBack: true }],
			load: { requests: 3 },
			docs: {
				result: 'The canceled run. Only runs that are paused or queued can be canceled',
				calls:
					'`GET /v1/flow-runs/{id}` first, and afterwards until the run is canceled. Each request names exactly one run',
				secondTime: 'Returns the run as it is, because it is already canceled',
				output: {
					title: 'Canceled flow run',
					fields: {
						id: 'ID of the run',
						status: '`CANCELED`',
						flowName: 'Name of the flow in the version of the run',
						flowId: 'ID of the flow',
						projectId: 'ID of the project',
						started: 'Time of the start; null for a run that never started',
						url: 'Link to the run',
					},
				},
			},
		},
	},
};
