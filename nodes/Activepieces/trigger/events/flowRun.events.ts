/** Runs that fail or succeed: each end of a run is an event. */
import { LIST_RUNS, simplifyRun } from '../../resources/flowRun/flowRun';
import { validationError } from '../../transport/errors/error';
import { textOf } from '../../transport/values';
import { lookbacks } from '../fields';
import { recordEvent } from '../listEvent';
import { fetchWatchedFlow, projectLists, readLists } from '../lists';

interface RunEvent extends Omit<
	Parameters<typeof recordEvent>[0],
	'readRecords' | 'timeOf' | 'outputOf'
> {
	value: keyof typeof lookbacks;
	/** The wanted runs; by default those of the field */
	statuses?: string[];
}

const HOUR_MS = 60 * 60 * 1000;

/** An event for each end of a run, returned exactly once. */
const runEvent = ({ statuses, ...event }: RunEvent) =>
	recordEvent({
		...event,
		// The service sorts and filters runs by their start, and a run ends later.
		lookback: (context) => lookbacks[event.value].read(context) * HOUR_MS,
		async readRecords(context, query) {
			const flow = await fetchWatchedFlow(context);
			const ofFlow = flow === undefined ? {} : { flowId: [textOf(flow.id)] };
			const wanted = statuses ?? context.value('statuses');
			if (wanted.length === 0) {
				throw validationError('No status is chosen', 'Choose at least one in Statuses.');
			}
			const request = { ...LIST_RUNS, query: { status: wanted, ...ofFlow } };
			return await readLists(context, await projectLists(context, request, flow), query);
		},
		// A retry keeps ID and `created`. The run gets a new finish time when it ends again; up to 0.79 it keeps the old
		// one until then (recorded).
		timeOf: ({ finishTime, updated, created }) => finishTime || updated || created,
		// A run that was ended from outside may have no finish time (recorded for canceled ones), and `updated`
		// changes with every change. From 0.85 on a retry changes `startTime` (recorded).
		identify: ({ id, finishTime, startTime }) =>
			finishTime
				? { id: textOf(id), timeVaries: false }
				: { id: `${textOf(id)} ${textOf(startTime)}`, timeVaries: true },
		outputOf: (context, run) => context.output(run, simplifyRun),
	});

export const flowRunFailed = runEvent({
	name: 'Flow Run Failed',
	value: 'flowRunFailed',
	description: 'When a flow run fails, including when it fails again after a retry',
	watchedFields: ['projectId', 'flowId', 'statuses'],
	noExample: {
		message: 'There are no failed runs yet',
		description:
			'Choose more statuses, or publish the n8n workflow (activate it in n8n 1). It starts at the next failed run.',
	},
});

export const flowRunSucceeded = runEvent({
	name: 'Flow Run Succeeded',
	value: 'flowRunSucceeded',
	description: 'When a flow run succeeds, including after a retry',
	watchedFields: ['projectId', 'flowId'],
	statuses: ['SUCCEEDED'],
	noExample: {
		message: 'There are no successful runs yet',
		description:
			'Publish the n8n workflow (activate it in n8n 1). It starts at the next successful run.',
	},
});
