import type { ServiceData } from '../service';
import type { FlowRunStatus } from '../service/flowRunRecords';
import { find, ofAllProjects, type ResourceFacts } from './facts';

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
			status: 'For example `SUCCEEDED`, `FAILED`, `RUNNING`, `QUEUED` or `PAUSED`',
			failedStep:
				'`name`, `displayName` and the first 300 characters of `message`; null unless the run failed at a step',
			started: 'Time of the start',
			finished: 'Time of the end; null while the run continues',
		},
	},
	operations: {
		getAll: { docs: {} },
		get: {
			records: failed,
			expected: (id) => ({ id, status: 'FAILED' }),
			docs: {},
		},
		getSteps: {
			records: failed,
			expected: (id, { flowRuns }) =>
				Object.keys(find(flowRuns, id).steps).map((name) => ({ runId: id, name })),
			load: false,
			live: { schema: 'FlowRunStep' },
			docs: {
				output: {
					title: 'Flow run step',
					fields: {
						name: 'Name of the step, for example `step_1`',
						displayName: 'Name in the editor of Activepieces',
						status: '`SUCCEEDED`, `FAILED`, `PAUSED`, `RUNNING` or `STOPPED`',
						error: 'Error of a step that failed, without its stack trace',
						input: 'Input. Values that Activepieces did not return are null',
						output:
							'Output. Null for values that Activepieces did not return; of a loop without its iterations',
						type: 'For example `CODE`, `PIECE`, `ROUTER` or `LOOP_ON_ITEMS`',
						iteration: 'Iteration of the loop, from 1; of nested loops for example `2.1`',
						durationMs: 'Milliseconds; null for the trigger',
						flowName: 'Name of the flow, in the version that ran',
						runId: 'ID of the run',
						incomplete: 'What Activepieces did not return',
					},
				},
			},
		},
		getCounts: {
			records: ({ projects }) => projects,
			locator: 'projectId',
			expected: (projectId) => ({ projectId }),
			alsoWith: ofAllProjects,
			lackedBy: ['0.79'],
			live: { schema: 'FlowRunCounts' },
			docs: {
				needs: 'From 0.85 on',
				output: {
					title: 'Flow run counts',
					others: 'Each status is a field with the number of its runs',
					fields: {
						total: 'Number of all runs',
						projectId: 'ID of the project; null for several projects',
					},
				},
			},
		},
		retry: {
			records: failed,
			expected: (id) => ({ id, retriedRunId: id, status: 'QUEUED' }),
			isChanged: ({ data }, id) => find(data.flowRuns, id).status !== 'FAILED',
			faults: [{ looksAfterwards: true }],
			load: { parameters: () => ({ options: { anyStatus: true } }), requests: 2 },
			docs: {
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
				calls:
					'`GET /v1/flow-runs/{id}` before, and after until it is canceled. Each request names one run',
				secondTime: 'Returns the canceled run',
				output: {
					title: 'Canceled flow run',
					fields: {
						status: '`CANCELED`',
						started: 'Time of the start; null for a run that never started',
					},
				},
			},
		},
	},
};
