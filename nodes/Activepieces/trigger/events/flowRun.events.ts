import { splitList, toWholeNumber } from '../../descriptions/parameters';
import type { Fields } from '../../execution/item';
import { LIST_RUNS, simplifyRun, withAcceptedStatuses } from '../../resources/flowRun/flowRun';
import { validationError } from '../../transport/errors/error';
import type { ApiRequest } from '../../transport/client/request';
import { textOf } from '../../transport/values';
import type { TriggerEvent } from '../event';
import { LOOKBACK_HOURS } from '../fields';
import { fetchWatchedFlow, projectLists, readLists } from '../lists';
import { recordEvent } from '../recordEvent';

const HOUR = 3_600_000;

interface RunEvent extends Omit<TriggerEvent, 'poll' | 'example'> {
	/** The run as a message names it, and what to change if there is none */
	run: string;
	ifNone: string;
	/** The wanted runs; by default those of the field */
	statuses?: string[];
}

/** An event for each end of a run, returned exactly once. */
function runEvent({ statuses, run, ifNone, ...event }: RunEvent): TriggerEvent {
	const lookbackHours = (fields: Fields): number =>
		toWholeNumber(
			'Lookback (Hours)',
			fields.get('options.lookbackHours', LOOKBACK_HOURS[event.value]),
		);
	return recordEvent({
		...event,
		noExample(fields) {
			const hours = lookbackHours(fields);
			return {
				message: `No ${run} run was found within the last ${hours === 1 ? 'hour' : `${hours} hours`}`,
				description: `${ifNone} Lookback (Hours), or publish the n8n workflow (activate it in n8n 1). It starts at the next ${run} run.`,
			};
		},
		// The service sorts and filters runs by their start, and a run ends later.
		async readRecords(context, query, known) {
			const { client, getParameter } = context;
			const lookback = lookbackHours(context) * HOUR;
			const flow = await fetchWatchedFlow(context);
			const ofFlow = flow === undefined ? {} : { flowId: [textOf(flow.id)] };
			const project = flow && textOf(flow.projectId);
			const wanted = statuses ?? splitList('Statuses', getParameter('statuses', []));
			if (wanted.length === 0) {
				throw validationError('No status is chosen', 'Choose at least one in Statuses.');
			}
			return await withAcceptedStatuses(client, wanted, async (status) => {
				const requestFor = (list: string): ApiRequest => {
					// Since the last poll instead of now: n8n may have been down, and Poll Times may be a week apart.
					const createdAfter = new Date(Math.max(0, known.since(list) - lookback)).toISOString();
					return { ...LIST_RUNS, query: { ...LIST_RUNS.query, status, ...ofFlow, createdAfter } };
				};
				const lists = await projectLists(context, requestFor, project);
				return await readLists(context, lists, query);
			});
		},
		// A retry keeps ID and `created`, and gets a new finish time.
		timeOf: ({ finishTime, updated, created }) => finishTime || updated || created,
		// A run that was ended from outside may have no finish time (recorded for canceled ones), and `updated`
		// changes with every change. From 0.85 on a retry changes `startTime` (recorded).
		versionOf: ({ finishTime, startTime }) => (finishTime ? '' : ` ${textOf(startTime)}`),
		simplify: simplifyRun,
	});
}

export const flowRunFailed = runEvent({
	name: 'Flow Run Failed',
	value: 'flowRunFailed',
	description: 'When a flow run fails, including when it fails again after a retry',
	fields: ['projectId', 'flowId', 'statuses'],
	run: 'failed',
	ifNone: 'Choose more statuses, increase',
});

export const flowRunSucceeded = runEvent({
	name: 'Flow Run Succeeded',
	value: 'flowRunSucceeded',
	description: 'When a flow run succeeds, including after a retry',
	fields: ['projectId', 'flowId'],
	statuses: ['SUCCEEDED'],
	run: 'successful',
	ifNone: 'Increase',
});
