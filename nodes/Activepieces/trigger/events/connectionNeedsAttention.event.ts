/** Connections that begin to be broken. */
import type { IDataObject } from 'n8n-workflow';

import {
	LIST_PROJECT_CONNECTIONS,
	simplifyConnection,
} from '../../resources/connection/connection';
import {
	LIST_GLOBAL_CONNECTIONS,
	simplifyGlobalConnection,
} from '../../resources/globalConnection';
import { ActivepiecesError } from '../../transport/errors/error';
import { isStatus } from '../../transport/http/response';
import { textOf } from '../../transport/values';
import { valueEvent } from '../listEvent';
import { projectLists, readLists } from '../lists';

const BROKEN = { status: ['ERROR', 'MISSING'] };
const BROKEN_GLOBAL = { ...LIST_GLOBAL_CONNECTIONS, query: BROKEN };
const BROKEN_IN_PROJECT = {
	...LIST_PROJECT_CONNECTIONS,
	query: { ...LIST_PROJECT_CONNECTIONS.query, ...BROKEN },
};

/** The list of the global connections, beside those of projects */
const GLOBAL = '';

/**
 * Whether there are no global connections: the edition or the plan has none, or the user is not an admin
 * of the platform (all recorded).
 */
const hasNoGlobal = (error: unknown): boolean =>
	error instanceof ActivepiecesError &&
	(error.isRouteMissing ||
		(error.isRefusal && isStatus(error.httpStatus, 'paymentRequired', 'forbidden')));

export const connectionNeedsAttention = valueEvent({
	name: 'Connection Needs Attention',
	action: 'On connection that needs attention',
	value: 'connectionNeedsAttention',
	description: 'When the status of a connection changes to Error or Missing',
	watchedFields: ['scope', 'projectId'],
	async readRecords(context, query) {
		const scope = context.value('scope');
		const project = context.value('projectId');
		const global = {
			listId: GLOBAL,
			request: BROKEN_GLOBAL,
			labelIfUnread: 'Global connections',
			isAbsent: scope === 'all' ? hasNoGlobal : undefined,
			// A watched project can use only some of them.
			isWatched: ({ projectIds }: Record<string, unknown>) =>
				project === undefined || !Array.isArray(projectIds) || projectIds.includes(project),
		};
		const ofProjects = scope === 'global' ? [] : await projectLists(context, BROKEN_IN_PROJECT);
		const isWatched = (connection: IDataObject) => connection.scope !== 'PLATFORM';
		const lists = [
			...(scope === 'project' ? [] : [global]),
			...ofProjects.map((each) => ({ ...each, isWatched })),
		];
		return await readLists(context, lists, query);
	},
	// The service sets `updated` whenever it sets the status to ERROR (read in its source). A connection that
	// stays broken is no event, but after a restart it may have recovered meanwhile.
	valueOf: ({ updated }) => textOf(updated) || 'broken',
	isCondition: true,
	changedAt: ({ updated }) => updated,
	outputOf: (context, connection, listId) =>
		context.output(connection, listId === GLOBAL ? simplifyGlobalConnection : simplifyConnection),
	noExample: {
		message: 'No connection needs attention',
		description:
			'All connections are active. Publish the n8n workflow (activate it in n8n 1). It starts when the status of a connection changes to Error or Missing.',
	},
});
