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
import { ChangedValues, isValuesState } from '../changedValues';
import type { EventContext, TriggerEvent } from '../event';
import { CONNECTION_SCOPES } from '../fields';
import {
	type ListQuery,
	type ListsRead,
	readAdditional,
	readProjects,
	watchedProjectId,
} from '../lists';
import { OldestItems, resultOf } from '../oldestItems';
import { storedText, toTime } from '../storedValues';

const BROKEN = { status: ['ERROR', 'MISSING'] };
const BROKEN_GLOBAL = { ...LIST_GLOBAL_CONNECTIONS, query: BROKEN };
const BROKEN_IN_PROJECT = {
	...LIST_PROJECT_CONNECTIONS,
	query: { ...LIST_PROJECT_CONNECTIONS.query, ...BROKEN },
};

/** The list of the global connections, beside those of projects */
const GLOBAL = '';

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
async function readGlobal(
	context: EventContext,
	query: ListQuery,
	project: string | undefined,
): Promise<ListsRead> {
	const isUsable = ({ projectIds }: Record<string, unknown>) =>
		project === undefined || !Array.isArray(projectIds) || projectIds.includes(project);
	const take: ListQuery['take'] = (connection, list) =>
		isUsable(connection) && query.take(connection, list);
	const ofScope = { ...query, take };
	const lists = await readAdditional(context, BROKEN_GLOBAL, ofScope, 'Global connections');
	const isWithout = lists.unread.some(({ reason }) => hasNoGlobal(reason));
	return isWithout && scopeOf(context) === 'all' ? { listed: [], unread: [] } : lists;
}

/** Reads the connections of the watched project, or of all projects. */
async function readInProjects(
	context: EventContext,
	query: ListQuery,
	project: string | undefined,
): Promise<ListsRead> {
	const take: ListQuery['take'] = (connection, list) =>
		connection.scope !== 'PLATFORM' && query.take(connection, list);
	const ofScope = { ...query, take };
	return await readProjects(context, project, () => BROKEN_IN_PROJECT, ofScope, true);
}

/**
 * Reads the broken connections of the scope. A list that cannot be read does not stop the others.
 *
 * @throws {ActivepiecesError} when no list can be read
 */
async function readBroken(
	context: EventContext,
	query: Omit<ListQuery, 'limit'>,
): Promise<ListsRead> {
	const scope = scopeOf(context);
	const project = watchedProjectId(context);
	const all = { ...query, limit: Infinity };
	const parts = await Promise.all([
		...(scope === 'project' ? [] : [readGlobal(context, all, project)]),
		...(scope === 'global' ? [] : [readInProjects(context, all, project)]),
	]);
	const listed = parts.flatMap((each) => each.listed);
	const unread = parts.flatMap((each) => each.unread);
	if (unread.length > 0 && unread.length === listed.length) {
		throw commonReason(unread.map(({ reason }) => reason));
	}
	return { listed, unread };
}

const outputOf = ({ output }: EventContext, connection: IDataObject, list: string) =>
	output(knownFields(connection), list === GLOBAL ? simplifyGlobalConnection : simplifyConnection);

export const connectionNeedsAttention: TriggerEvent = {
	name: 'Connection Needs Attention',
	action: 'On connection that needs attention',
	value: 'connectionNeedsAttention',
	description: 'When the status of a connection changes to Error or Missing',
	fields: ['scope', 'projectId', 'simplify', 'options.maxItems'],
	watched: ['scope', 'projectId'],
	isState: isValuesState,
	async poll(context, state) {
		const tracker = new ChangedValues(state, context.now, true);
		const found = new OldestItems(context.maxItems);
		const lists = await readBroken(context, {
			take(connection, list) {
				const id = storedText(textOf(connection.id));
				const time = toTime(connection.updated);
				// The service sets `updated` whenever it sets the status to ERROR (read in its source). A connection that
				// stays broken is no event, but after a restart it may have recovered meanwhile.
				const value = storedText(textOf(connection.updated)) || 'broken';
				if (tracker.isChanged({ id, value, list, time, isLike: !context.isStale })) {
					found.add({ id, value, list, time, json: outputOf(context, connection, list) });
				}
				return false;
			},
			onRead: (list) => found.listIsRead(list),
		});
		return await resultOf(context, found, lists, (items) => tracker.nextState(items, lists));
	},
	async example(context) {
		let newest: { time: number; json: IDataObject } | undefined;
		await readBroken(context, {
			take(connection, list) {
				const time = toTime(connection.updated);
				if (newest === undefined || time > newest.time) {
					newest = { time, json: outputOf(context, connection, list) };
				}
				return false;
			},
		});
		if (newest !== undefined) await fillProjectNames(context.client, [newest.json]);
		return newest?.json;
	},
	noExample: {
		message: 'No connection needs attention',
		description:
			'All connections are active. Publish the n8n workflow (activate it in n8n 1). It starts when the status of a connection changes to Error or Missing.',
	},
};
