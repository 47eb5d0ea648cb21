import type { IDataObject } from 'n8n-workflow';

import { getOption } from '../../descriptions/parameters';
import {
	knownFields,
	LIST_PROJECT_CONNECTIONS,
	simplifyConnection,
} from '../../resources/connection/connection';
import {
	LIST_GLOBAL_CONNECTIONS,
	simplifyGlobalConnection,
} from '../../resources/globalConnection';
import { fillProjectNames } from '../../resources/builders';
import { ActivepiecesError, commonReason } from '../../transport/error';
import { isStatus } from '../../transport/httpStatus';
import { textOf } from '../../transport/values';
import type { EventContext, TriggerItem, TriggerEvent } from '../event';
import { outputsOf, toProjectsSeen } from '../eventKinds/recordEvent';
import {
	watchedProjectId,
	fetchAdditional,
	fetchWatched,
	type Listing,
	type ListQuery,
} from '../eventKinds/watchedList';
import { CONNECTION_SCOPES } from '../fields';
import { OldestOutputs } from '../oldestOutputs';
import { toTime } from '../serviceTime';
import { isIssuesState, OpenIssues } from '../tracking/openIssues';
import { storedText } from '../tracking/storedText';

const BROKEN = { status: ['ERROR', 'MISSING'] };
const BROKEN_GLOBAL = { ...LIST_GLOBAL_CONNECTIONS, query: BROKEN };
const BROKEN_IN_PROJECT = {
	...LIST_PROJECT_CONNECTIONS,
	query: { ...LIST_PROJECT_CONNECTIONS.query, ...BROKEN },
};

/** Represents the global connections among the lists of projects; no project has this ID. */
const GLOBAL = { id: '', label: 'Global connections' };

/** Converts a connection of a project, or a global one. */
type Transform = (connection: IDataObject, project: string) => IDataObject | undefined;

interface Lists {
	transform: Transform;
	onProjectRead?: (project: string) => void;
}

const scopeOf = (context: EventContext) =>
	getOption(context, 'Scope', 'scope', CONNECTION_SCOPES, 'all');

/**
 * Whether there are no global connections: the edition or the plan has none, or the user is not an admin
 * of the platform (all recorded).
 */
const hasNoGlobal = (error: unknown): boolean =>
	error instanceof ActivepiecesError &&
	(error.isRouteMissing || isStatus(error.httpStatus, 'paymentRequired', 'forbidden'));

/** Reads the global connections; for a single watched project, those that it may use. */
async function fetchGlobal(
	context: EventContext,
	{ transform }: Lists,
	project: string | undefined,
): Promise<Listing> {
	const isUsable = ({ projectIds }: Record<string, unknown>) =>
		project === undefined || !Array.isArray(projectIds) || projectIds.includes(project);
	const listing = await fetchAdditional(context, GLOBAL, BROKEN_GLOBAL, {
		transform: (connection) =>
			isUsable(connection) ? transform(connection, GLOBAL.id) : undefined,
		limit: Infinity,
	});
	const isWithout = listing.unread?.some(({ reason }) => hasNoGlobal(reason)) ?? false;
	return isWithout && scopeOf(context) === 'all' ? { records: [], listed: [] } : listing;
}

/** Reads the connections of the watched project, or of all projects. */
async function fetchInProjects(
	context: EventContext,
	{ transform, onProjectRead }: Lists,
	chosen: string | undefined,
): Promise<Listing> {
	const query: ListQuery = {
		transform: (connection, project = chosen ?? '') =>
			connection.scope === 'PLATFORM' ? undefined : transform(connection, project),
		onProjectRead,
		limit: Infinity,
		hasOtherLists: true,
	};
	const { records, listed, unread } = await fetchWatched(
		context,
		chosen,
		() => BROKEN_IN_PROJECT,
		query,
	);
	if (chosen === undefined) return { records, listed, unread };
	return { records, listed: [chosen] };
}

/**
 * Lists the broken connections of the scope. A list that cannot be read does not stop the others.
 *
 * @throws {ActivepiecesError} when no list can be read
 */
async function fetchBroken(context: EventContext, lists: Lists) {
	const scope = scopeOf(context);
	const project = watchedProjectId(context);
	const listings = await Promise.all([
		...(scope === 'project' ? [] : [fetchGlobal(context, lists, project)]),
		...(scope === 'global' ? [] : [fetchInProjects(context, lists, project)]),
	]);
	const listed = listings.flatMap((each) => each.listed ?? []);
	const unread = listings.flatMap((each) => each.unread ?? []);
	if (unread.length > 0 && unread.length === listed.length) {
		throw commonReason(unread.map(({ reason }) => reason));
	}
	const found = listings.flatMap(({ records }) => records as TriggerItem[]);
	return { found, listed, unread };
}

const toItem = (connection: IDataObject, project: string): TriggerItem => ({
	id: storedText(textOf(connection.id)),
	time: toTime(connection.updated),
	// The service sets `updated` whenever it sets the status to ERROR (read in its source).
	version: storedText(textOf(connection.updated)),
	project: storedText(project),
});

const outputOf = ({ output }: EventContext, connection: IDataObject, project: string) =>
	output(
		knownFields(connection),
		project === GLOBAL.id ? simplifyGlobalConnection : simplifyConnection,
	);

export const connectionNeedsAttention: TriggerEvent = {
	name: 'Connection Needs Attention',
	action: 'On connection that needs attention',
	value: 'connectionNeedsAttention',
	description: 'When the status of a connection changes to Error or Missing',
	fields: ['scope', 'projectId', 'simplify', 'options.maxItems'],
	watched: ['scope', 'projectId'],
	isState: isIssuesState,
	async poll(context, state) {
		const tracker = new OpenIssues(state, context.serviceTime, context.isStale);
		const outputs = new OldestOutputs(context.maxItems);
		const { found, listed, unread } = await fetchBroken(context, {
			transform(connection, project) {
				const item = toItem(connection, project);
				if (tracker.isNew(item)) {
					item.json = outputOf(context, connection, project);
					outputs.add(item, project);
				}
				return item;
			},
			onProjectRead: (project) => outputs.projectIsRead(project),
		});
		const result = tracker.result(found, toProjectsSeen(listed, unread));
		await fillProjectNames(context.client, outputsOf(result.items));
		return { ...result, unread };
	},
	async example(context) {
		let newest: TriggerItem | undefined;
		await fetchBroken(context, {
			transform(connection, project) {
				const item = toItem(connection, project);
				if (newest === undefined || item.time > newest.time) {
					newest = { ...item, json: outputOf(context, connection, project) };
				}
				return undefined;
			},
		});
		await fillProjectNames(context.client, newest === undefined ? [] : outputsOf([newest]));
		return newest?.json;
	},
	noExample: {
		message: 'No connection needs attention',
		description:
			'All connections are active. Publish the n8n workflow (activate it in n8n 1). It starts when the status of a connection changes to Error or Missing.',
	},
};
