import type { IDataObject } from 'n8n-workflow';

import { splitList, toPositiveInteger } from '../../descriptions/parameters';
import { validationError } from '../../transport/errors/activepiecesError';
import { withAcceptedStatuses } from '../../resources/flowRun/acceptedStatuses';
import { LIST_RUNS } from '../../resources/flowRun/requests';
import { simplifyRun } from '../../resources/flowRun/simplify';
import { pageFetcher } from '../../transport/paging/lists';
import { textOf } from '../../transport/textOf';
import type { EventContext } from '../event';
import { DEFAULTS } from '../fields';
import { fetchByCreation } from '../eventKinds/fetchByCreation';
import {
	chosenFlow,
	chosenProject,
	inChosenProject,
	type Listing,
	fetchWatched,
} from '../eventKinds/watchedList';
import { recordEvent, type RecordQuery } from '../eventKinds/recordEvent';

const HOUR = 3_600_000;

function getStatuses({ getParameter }: EventContext): string[] {
	const statuses = splitList('Statuses', getParameter('statuses', []));
	if (statuses.length === 0) {
		throw validationError('No status is chosen', 'Choose at least one in Statuses.');
	}
	return statuses;
}

/**
 * The earliest start of a run that is looked at. Reckoned from the time up to which all runs are known, and
 * not from now: n8n may have been down, and Poll Times may be a week apart.
 *
 * @returns nothing when neither the service tells its time nor a run is known
 */
function createdAfter(
	{ getParameter, serviceTime }: EventContext,
	knownUntil: number,
): string | undefined {
	const value = getParameter('options.lookbackHours', DEFAULTS.lookbackHours);
	const hours = toPositiveInteger('Lookback', value);
	const { time = 0, isCertain = false } = serviceTime() ?? {};
	// A time that may be behind would only make the list longer.
	const since = isCertain && knownUntil > 0 ? Math.min(time, knownUntil) : knownUntil || time;
	return since === 0 ? undefined : new Date(Math.max(0, since - hours * HOUR)).toISOString();
}

/** The list of runs. The service orders and filters it by the start of a run, and a run fails later. */
async function fetchRuns(context: EventContext, query: RecordQuery): Promise<Listing> {
	const flow = await chosenFlow(context);
	return await withAcceptedStatuses(
		context.client,
		getStatuses(context),
		async (status) => await fetchRunsOf(context, query, status, flow),
	);
}

async function fetchRunsOf(
	context: EventContext,
	query: RecordQuery,
	status: string[],
	flow: IDataObject | undefined,
): Promise<Listing> {
	const project = flow === undefined ? chosenProject(context) : textOf(flow.projectId);
	const ofFlow = flow === undefined ? {} : { flowId: [textOf(flow.id)] };
	const request = { ...LIST_RUNS, query: { ...LIST_RUNS.query, status, ...ofFlow } };
	// Every other way begins with an answer that tells the time.
	if (project !== undefined && context.serviceTime() === undefined) {
		await pageFetcher(context.client, inChosenProject(request, project))({ limit: 1 });
	}
	const recentRuns = (id?: string) => {
		const after = createdAfter(context, query.knownUntil(id));
		return after === undefined
			? request
			: { ...request, query: { ...request.query, createdAfter: after } };
	};
	return await fetchWatched(context, project, recentRuns, {
		...query,
		read: async (own, collector, id) =>
			await fetchByCreation(context.client, own, collector, (until) =>
				query.canLeaveOff(until, id),
			),
	});
}

export const flowRunFailed = recordEvent({
	name: 'Flow Run Failed',
	value: 'flowRunFailed',
	description: 'When a flow run fails, including when it fails again after a retry',
	fields: [
		'projectId',
		'flowId',
		'statuses',
		'simplify',
		'options.lookbackHours',
		'options.maxItems',
	],
	watched: ['projectId', 'flowId', 'statuses'],
	list: fetchRuns,
	// A retry keeps ID and `created`, and gets a new finish.
	timeOf: ({ finishTime, updated, created }) => finishTime || updated || created,
	// A run that was ended from outside may have no finish (recorded for canceled ones), and `updated` moves
	// with every change. From 0.85 on a retry moves `startTime` (recorded).
	versionOf: ({ finishTime, startTime }) => (finishTime ? '' : `started ${textOf(startTime)}`),
	simplify: simplifyRun,
	exampleLimit: 1,
	noExample: {
		message: 'No run has failed within Lookback',
		description:
			'Choose more statuses or a longer Lookback, or activate the workflow: it starts with the next run that fails.',
	},
});
