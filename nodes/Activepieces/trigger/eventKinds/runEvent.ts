import type { IDataObject } from 'n8n-workflow';

import { toWholeNumber } from '../../descriptions/parameters';
import { LIST_RUNS, simplifyRun, withAcceptedStatuses } from '../../resources/flowRun/flowRun';
import { ActivepiecesError } from '../../transport/error';
import { pageFetcher } from '../../transport/lists';
import { textOf } from '../../transport/values';
import type { EventContext, TriggerEvent, UnreadPart } from '../event';
import { defaultOf } from '../fields';
import { fetchByCreation } from './fetchByCreation';
import { recordEvent, type RecordQuery } from './recordEvent';
import {
	fetchWatchedFlow,
	watchedProjectId,
	fetchWatched,
	inWatchedProject,
	type Listing,
} from './watchedList';

const HOUR = 3_600_000;

/** A run of a flow that ended in a certain way. */
export interface RunEvent extends Pick<
	TriggerEvent,
	'name' | 'value' | 'description' | 'fields' | 'watched' | 'defaults' | 'noExample'
> {
	/** The statuses of the wanted runs */
	getStatuses(context: EventContext): string[];
}

/**
 * The earliest start of the runs to read. It is based on the time up to which all runs are known instead
 * of the current time: n8n may have been down, and Poll Times may be a week apart.
 *
 * @returns undefined when neither the time of the service nor a run is known
 */
function createdAfter(
	{ getParameter, serviceTime }: EventContext,
	knownUntil: number,
	event: RunEvent,
): string | undefined {
	const value = getParameter('options.lookbackHours', defaultOf(event, 'lookbackHours'));
	const hours = toWholeNumber('Lookback (Hours)', value);
	const { time = 0, isCertain = false } = serviceTime() ?? {};
	// A time that may be too early only makes the list longer.
	const since = isCertain && knownUntil > 0 ? Math.min(time, knownUntil) : knownUntil || time;
	return since === 0 ? undefined : new Date(Math.max(0, since - hours * HOUR)).toISOString();
}

/** Reads the list of runs. The service sorts and filters it by the start of a run, and a run ends later. */
async function fetchRuns(
	context: EventContext,
	query: RecordQuery,
	event: RunEvent,
): Promise<Listing> {
	const flow = await fetchWatchedFlow(context);
	return await withAcceptedStatuses(
		context.client,
		event.getStatuses(context),
		async (status) => await fetchRunsOf(context, query, event, { status, flow }),
	);
}

async function fetchRunsOf(
	context: EventContext,
	query: RecordQuery,
	event: RunEvent,
	{ status, flow }: { status: string[]; flow?: IDataObject },
): Promise<Listing> {
	const project = flow === undefined ? watchedProjectId(context) : textOf(flow.projectId);
	const ofFlow = flow === undefined ? {} : { flowId: [textOf(flow.id)] };
	const request = { ...LIST_RUNS, query: { ...LIST_RUNS.query, status, ...ofFlow } };
	// In all other cases an earlier response contains the time.
	if (project !== undefined && context.serviceTime() === undefined) {
		await pageFetcher(context.client, inWatchedProject(request, project))({ limit: 1 });
	}
	const recentRuns = (id?: string) => {
		const after = createdAfter(context, query.knownUntil(id), event);
		return after === undefined
			? request
			: { ...request, query: { ...request.query, createdAfter: after } };
	};
	const incomplete: IncompleteMoment[] = [];
	const listing = await fetchWatched(context, project, recentRuns, {
		...query,
		read: async (own, collector, id) =>
			await fetchByCreation(context.client, own, collector, {
				canStop: (until) => query.canStop(until, id),
				onIncomplete: (time, reason) =>
					incomplete.push(incompleteMoment(time, reason, id ?? project)),
			}),
	});
	// Projects that cannot be read have no runs.
	const unread = new Set(listing.unread?.map(({ id }) => id));
	return { ...listing, incomplete: incomplete.filter((each) => !unread.has(each.project)) };
}

/** The runs of a moment of which the service does not return all, as messages name them. */
interface IncompleteMoment extends UnreadPart {
	/** ID of their project */
	project: string;
}

function incompleteMoment(time: number, { message }: Error, project = ''): IncompleteMoment {
	const at = new Date(time).toISOString();
	return {
		id: `${project} ${at}`,
		project,
		isProject: false,
		label: `Some flow runs that were created at ${at}`,
		reason: new ActivepiecesError({
			message,
			description:
				'Activepieces 0.79 and earlier return all flow runs created in the same millisecond only if they fit into one response. Check these runs in Activepieces.',
		}),
	};
}

/** An event for each end of a run, returned exactly once. */
export function runEvent(event: RunEvent): TriggerEvent {
	return recordEvent({
		...event,
		fetchRecords: async (context, query) => await fetchRuns(context, query, event),
		// A retry keeps ID and `created`, and gets a new finish time.
		timeOf: ({ finishTime, updated, created }) => finishTime || updated || created,
		// A run that was ended from outside may have no finish time (recorded for canceled ones), and `updated`
		// changes with every change. From 0.85 on a retry changes `startTime` (recorded).
		versionOf: ({ finishTime, startTime }) => (finishTime ? '' : `started ${textOf(startTime)}`),
		simplify: simplifyRun,
		exampleLimit: 1,
	});
}
