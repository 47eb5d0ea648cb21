import type { IDataObject } from 'n8n-workflow';

import { named } from '../../descriptions/field';
import { choice } from '../../descriptions/kinds';
import { lowerCase } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest, Endpoint, RequestTarget } from '../../transport/client/request';
import { ActivepiecesError, outcomeError, refusal } from '../../transport/errors/error';
import { isStatus, type ApiResponse } from '../../transport/http/response';
import { operation } from '../operation';
import {
	CHANGE_FLOW,
	CHANGE_RULES,
	deletingTexts,
	fetchFlow,
	flowLocator,
	hasEmptyTrigger,
	isChanging,
	isDeleting,
	isLatestPublished,
	labelOf,
	pendingStatus,
	simplifyFlow,
	wasPublished,
	type FlowStatus,
} from './flow';

/** Also deletes the runs of the flow (recorded). */
export const DELETE_FLOW: Endpoint = {
	method: 'DELETE',
	path: '/v1/flows/{id}',
	rules: CHANGE_RULES,
};

const WORKER_HINT =
	'Activepieces workers start and stop the triggers of flows. Check that a worker is running.';

/**
 * Fetches a flow whose status is not about to change, because another change would be refused or lost
 * meanwhile (recorded).
 *
 * @throws {ActivepiecesError} when the change does not end, or the flow is being deleted
 */
export async function fetchSettledFlow(client: ApiClient, target: RequestTarget) {
	const fetchAgain = async () => await fetchFlow(client, target);
	const flow = await client.pollWhile(await fetchAgain(), isChanging, fetchAgain);
	if (isDeleting(flow)) throw refusal(...deletingTexts(flow));
	if (!isChanging(flow)) return flow;
	throw refusal(
		`${labelOf(flow)} is still being ${lowerCase(pendingStatus(flow))}`,
		`Run the node again later. ${WORKER_HINT}`,
	);
}

interface FlowChange {
	type: 'CHANGE_STATUS' | 'LOCK_AND_PUBLISH';
	status: FlowStatus;
}

/** Whether the latest version was published, which may be so although the status did not change. */
const isPublishedBy = ({ type }: FlowChange, flow: IDataObject): boolean =>
	type === 'LOCK_AND_PUBLISH' && isLatestPublished(flow);

/** Begins the description of an error after which the latest version is published, but the flow not enabled. */
export const PUBLISHED = 'Its latest version is published. ';

function changeError({ waitedFor }: ApiClient, flow: IDataObject, change: FlowChange) {
	const { status } = change;
	if (isDeleting(flow)) return outcomeError(...deletingTexts(flow));
	const label = labelOf(flow);
	const before = isPublishedBy(change, flow) ? PUBLISHED : '';
	if (pendingStatus(flow) === undefined) {
		return outcomeError(
			`Activepieces could not ${status === 'ENABLED' ? 'enable' : 'disable'} the ${label}`,
			`${before}This Activepieces release does not report why the status did not change. Check the trigger of the flow and its connection in Activepieces.`,
		);
	}
	return outcomeError(
		`The ${label} is not ${lowerCase(status)} after ${waitedFor}`,
		`${before}${WORKER_HINT} Activepieces may still apply the change. Check the flow in Activepieces before you run the node again.`,
	);
}

/** With these the service refuses to start the trigger of a version that it has published before (recorded). */
const REFUSALS_AFTER_PUBLISHING = ['badRequest', 'notFound'] as const;

/**
 * Sends a change. It reads the flow again when the service may have made the change, or a part of it, without a
 * response or in spite of its refusal: a proxy may not wait that long.
 *
 * @returns the flow from the response, or its current state
 */
async function requestChange(client: ApiClient, request: ApiRequest, change: FlowChange) {
	const { id, subject } = request;
	const isRefused = (error?: ActivepiecesError) =>
		isStatus(error?.httpStatus, ...REFUSALS_AFTER_PUBLISHING);
	let flow: IDataObject | undefined;
	return await client
		.makeChange({
			send: async () => await client.requestRecord(request),
			madeByOther: ['conflict', ...REFUSALS_AFTER_PUBLISHING],
			async find(_before, error) {
				flow = await fetchFlow(client, { id, subject });
				const isDone = change.type === 'CHANGE_STATUS' || isPublishedBy(change, flow);
				return flow.status === change.status && isDone && !isRefused(error) ? flow : undefined;
			},
		})
		.catch((error: unknown) => {
			const isPublished = flow !== undefined && isPublishedBy(change, flow);
			if (!(error instanceof ActivepiecesError) || !isPublished) throw error;
			if (!isRefused(error)) throw error.withDescription(PUBLISHED + error.description);
			const status = `The flow is ${lowerCase(flow!.status)}. `;
			throw error.withDescription(PUBLISHED + status + error.description, 'said');
		});
}

/**
 * Changes the status of a flow, and returns the flow once it has that status. From 0.80 on, the service
 * responds when the change is complete. Up to 0.79 it responds at once with the old status, and only the
 * end of the operation shows that a change was not made (recorded).
 *
 * The flow must not have that status already: up to 0.79 such a change never ends.
 *
 * @throws {ActivepiecesError} when the change was refused, or was not made in time
 */
export async function changeFlow(client: ApiClient, target: RequestTarget, change: FlowChange) {
	const { type, status } = change;
	const request: ApiRequest = {
		endpoint: CHANGE_FLOW,
		id: target.id,
		subject: { ...target.subject, delayedBy: WORKER_HINT },
		body: { type, request: { status } },
	};
	const sent = await requestChange(client, request, change);
	if (type === 'LOCK_AND_PUBLISH' && !isLatestPublished(sent)) {
		// In a sensitive project the service responds to a user who may not publish there with 200, and locks
		// the version without publishing it (0.92, read in the service's source).
		throw outcomeError(
			`Activepieces asks for approval: the latest version of ${labelOf(sent)} is not published`,
			'The signed-in user may not publish flows in this project, which is sensitive. Activepieces locked the version and left the status of the flow and its published version as they were. Ask somebody with the permission to approve the version in Activepieces, or to publish the flow.',
		);
	}
	const isPending = (flow: IDataObject) =>
		flow.status !== status && pendingStatus(flow) !== undefined;
	const fetchAgain = async () => await fetchFlow(client, target);
	const flow = await client.pollWhile(sent, isPending, fetchAgain);
	if (flow.status !== status) throw changeError(client, flow, change);
	return flow;
}

/** Another change of the flow is in progress, or another delete (recorded at 0.85). */
const isBusy = ({ status, code }: ApiResponse): boolean =>
	isStatus(status, 'conflict') && code === 'FLOW_OPERATION_IN_PROGRESS';

const isChangingStatus = (response: ApiResponse): boolean =>
	isBusy(response) && response.message?.endsWith('DELETING') !== true;

/**
 * Deletes a flow. If a change of it is in progress, which makes the service refuse, it waits for the change.
 * A flow that is being deleted is not deleted again: newer releases confirm that, others refuse it.
 */
export async function deleteFlow(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	const requestDelete = async () => await client.request(request);
	const first = await requestDelete();
	const response = await client.pollWhile(first, isChangingStatus, requestDelete);
	if (isBusy(response) && !isChangingStatus(response)) return [{ deleted: true }];
	// The flow existed, even if it is gone now.
	const wasThere = isBusy(first) || client.ledger.mayHaveChangedRecord(request.id);
	return client.expectDeleted(request, response, wasThere);
}

/**
 * Up to 0.79 the service accepts enabling a flow that cannot run, and silently does nothing (recorded).
 */
function assertCanRun(flow: IDataObject): void {
	if (!wasPublished(flow)) {
		throw refusal(
			`${labelOf(flow)} has never been published`,
			'Publish it first, for example with Flow > Publish, which also enables it.',
		);
	}
	if (isLatestPublished(flow) && hasEmptyTrigger(flow)) {
		throw refusal(
			`${labelOf(flow)} has no trigger`,
			'Add a trigger in Activepieces and publish the flow.',
		);
	}
}

export const setStatus = operation({
	name: 'Enable or Disable',
	value: 'setStatus',
	description: 'Enable or disable a flow',
	toolDescription:
		'Immediately enables or disables the Activepieces flow with the given ID and returns the flow',
	endpoint: CHANGE_FLOW,
	fields: {
		flow: named(flowLocator),
		status: choice('Status', 'status', {
			options: [
				['Enabled', 'ENABLED', 'The published version runs'],
				['Disabled', 'DISABLED', 'The flow does not run'],
			],
			default: 'ENABLED',
			description: 'The status to set. A flow that already has this status is not changed.',
		}),
	},
	simplify: simplifyFlow,
	async record({ flow: target, status }, { client }) {
		const flow = await fetchSettledFlow(client, target);
		if (flow.status === status) return flow;
		if (status === 'ENABLED') assertCanRun(flow);
		return await changeFlow(client, target, { type: 'CHANGE_STATUS', status });
	},
});
