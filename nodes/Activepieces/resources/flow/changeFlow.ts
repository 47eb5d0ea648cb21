import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { requestRecord } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import {
	CHANGE_FLOW,
	flowStateError,
	type FlowStatus,
	GET_FLOW,
	isChanging,
	isLatestPublished,
	labelOf,
	pendingStatus,
	STATUS_NAMES,
} from './flow';
import { pollWhile } from '../pollWhile';

const WORKER_HINT =
	'Activepieces workers start and stop the triggers of flows. Check that a worker is running.';

const fetchFlow = async (client: ApiClient, target: RequestTarget): Promise<IDataObject> =>
	await requestRecord(client, { ...GET_FLOW, ...target });

/**
 * Fetches a flow whose status is not about to change, because another change would be refused or lost
 * meanwhile (recorded).
 *
 * @throws {ActivepiecesError} when a change stays in progress
 */
export async function fetchSettledFlow(
	client: ApiClient,
	target: RequestTarget,
): Promise<IDataObject> {
	const fetchAgain = async () => await fetchFlow(client, target);
	const flow = await pollWhile(client, await fetchAgain(), isChanging, fetchAgain);
	if (!isChanging(flow)) return flow;
	throw flowStateError(
		flow,
		(label) => `${label} is still being ${STATUS_NAMES[pendingStatus(flow) ?? 'ENABLED']}`,
		`Run the node again later. ${WORKER_HINT}`,
	);
}

/** The requested change and the status that it leads to. */
export interface FlowChange {
	body: IDataObject;
	status: FlowStatus;
	/** Added to the error when the status did not change although the latest version was published */
	ifPublished?: string;
}

/** The error for a change that the service accepted but did not make, or has not made yet. */
function changeError(flow: IDataObject, { status, ifPublished }: FlowChange): ActivepiecesError {
	const name = STATUS_NAMES[status];
	const label = labelOf(flow);
	const before = ifPublished !== undefined && isLatestPublished(flow) ? `${ifPublished} ` : '';
	return new ActivepiecesError(
		pendingStatus(flow) === undefined
			? {
					message: `Activepieces could not ${status === 'ENABLED' ? 'enable' : 'disable'} the ${label}`,
					description: `${before}This Activepieces release does not report why the status did not change. Check the trigger of the flow and its connection in Activepieces.`,
				}
			: {
					message: `The ${label} is not ${name} after ${limits.pendingChange.maxElapsedMs / 1000} seconds`,
					description: `${before}${WORKER_HINT} Activepieces may still apply the change. Check the flow in Activepieces before you run the node again.`,
				},
		{ saysOutcome: true },
	);
}

/**
 * Sends a change. It reads the flow again when the service may have made the change without a response,
 * since a proxy may not wait that long.
 *
 * @returns the flow from the response, or its current state
 */
async function requestChange(
	client: ApiClient,
	request: ApiRequest,
	{ status, ifPublished }: FlowChange,
): Promise<IDataObject> {
	return await requestRecord(client, request).catch(async (error: unknown) => {
		if (!(error instanceof ActivepiecesError) || !client.ledger.mayHaveChanged) throw error;
		const { id, subject } = request;
		const flow = await fetchFlow(client, { id, subject }).catch(() => undefined);
		const isPublished = ifPublished !== undefined && flow !== undefined && isLatestPublished(flow);
		if (flow?.status === status && (isPublished || ifPublished === undefined)) return flow;
		throw isPublished ? error.withDescription(`${ifPublished} ${error.description}`) : error;
	});
}

/**
 * Changes the status of a flow, and returns the flow once it has that status. From 0.80 on, the service
 * responds when the change is complete. Up to 0.79 it responds at once with the old status, and only the
 * end of the operation shows that a change was not made (recorded).
 *
 * The flow must not have that status already: up to 0.79 such a change never ends, and in 0.73 it blocks
 * every later one.
 *
 * @throws {ActivepiecesError} when the change was refused, or was not made in time
 */
export async function changeFlow(
	client: ApiClient,
	target: RequestTarget,
	change: FlowChange,
): Promise<IDataObject> {
	const request: ApiRequest = {
		...CHANGE_FLOW,
		...target,
		subject: { ...target.subject, delayedBy: WORKER_HINT },
		body: change.body,
	};
	const sent = await requestChange(client, request, change);
	const isPending = (flow: IDataObject) =>
		flow.status !== change.status && pendingStatus(flow) !== undefined;
	const fetchAgain = async () => await fetchFlow(client, target);
	const flow = await pollWhile(client, sent, isPending, fetchAgain);
	if (flow.status !== change.status) throw changeError(flow, change);
	return flow;
}
