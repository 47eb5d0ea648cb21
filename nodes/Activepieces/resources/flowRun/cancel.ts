import type { IDataObject } from 'n8n-workflow';

import { named } from '../../descriptions/field';
import { lowerCase } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/api/client';
import type { Endpoint, RequestTarget } from '../../transport/client/request';
import { outcomeError, refusal } from '../../transport/errors/error';
import { isStatus, isSuccess, type ApiResponse } from '../../transport/http/response';
import { textOf } from '../../transport/values';
import { itemsOperation } from '../operation';
import { fetchRun, isWaiting, simplifyRun, waitingRunLocator } from './flowRun';

/**
 * From 0.85 on the service may refuse for a queued run, usually because no worker is there to take it
 * (recorded).
 */
const isHeld = ({ status, message = '' }: ApiResponse): boolean =>
	isStatus(status, 'internalServerError') && message.includes('locked by another worker');

/**
 * Cancels the waiting runs that the body lists. It has to list one: with an empty list the service cancels
 * all waiting runs of the project. It always responds with 200, whether it canceled a run or not (recorded).
 */
const CANCEL_RUN: Endpoint = {
	method: 'POST',
	path: '/v1/flow-runs/cancel',
	isNotDone: isHeld,
	rules: [
		{
			when: ({ response }) => isHeld(response),
			message: ({ record }) => `Activepieces could not cancel ${record}`,
			description:
				'A worker has locked the run, or no worker is running. The run stays queued and starts when a worker picks it up. Check that an Activepieces worker is running, then run the node again.',
		},
	],
};

const isCanceled = ({ status }: IDataObject): boolean => status === 'CANCELED';

function notWaiting({ id, status }: IDataObject, what: string) {
	const state =
		status === 'RUNNING' ? 'is running' : `has ended: its status is ${textOf(status) || 'unknown'}`;
	return refusal(
		`Flow run "${textOf(id)}" ${state}`,
		`${what}Activepieces cancels only runs that are paused or queued.`,
	);
}

async function requestCancel(
	client: ApiClient,
	target: RequestTarget,
	{ id, projectId }: IDataObject,
): Promise<undefined> {
	const request = { endpoint: CANCEL_RUN, ...target, body: { projectId, flowRunIds: [id] } };
	const response = await client.request(request);
	// Every release responds without a body (recorded). A response with a body comes from something else.
	client.confirm(request, response, isSuccess(response) && response.body === undefined);
	return undefined;
}

/**
 * Cancels a run that is waiting. A paused run is canceled up to 0.2 s after the response (recorded),
 * which does not say whether it was, so the run is read until it is.
 */
async function cancelRun(client: ApiClient, target: RequestTarget, run: IDataObject) {
	const fetchAgain = async () => await fetchRun(client, target);
	const found = await client.makeChange<IDataObject | undefined>({
		send: async () => await requestCancel(client, target, run),
		async find() {
			const now = await fetchAgain();
			return isCanceled(now) ? now : undefined;
		},
	});
	const first = found ?? (await fetchAgain());
	const after = await client.pollWhile(first, ({ status }) => isWaiting(status), fetchAgain);
	if (isCanceled(after)) return after;
	if (!isWaiting(after.status)) {
		throw notWaiting(after, 'It started before it could be canceled. ');
	}
	throw outcomeError(
		`Flow run "${textOf(after.id)}" is still ${lowerCase(after.status)} after ${client.waitedFor}`,
		'Activepieces accepted the request. Check the status of the run in Activepieces before you run the node again.',
	);
}

/**
 * A canceled run has no finish time (recorded). A step that failed before the run waited again no longer
 * matters.
 */
function cancelOutputOf(client: ApiClient, run: IDataObject): IDataObject {
	const { id, status, flowName, flowId, projectId, started, url } = simplifyRun(run, client);
	return { flowName, status, started, url, flowId, projectId, id };
}

export const cancel = itemsOperation({
	name: 'Cancel',
	value: 'cancel',
	description: 'Cancel a flow run that is paused or queued',
	hint: 'Cancels one run per input item. A run that is running cannot be canceled.',
	toolDescription:
		'Cancels the PAUSED or QUEUED Activepieces flow run with the given ID, and returns its id, status, flowName, flowId, projectId, started and url. A run that is RUNNING cannot be canceled',
	endpoint: CANCEL_RUN,
	fields: { run: named(waitingRunLocator) },
	async items({ run: target }, { client }) {
		const run = await fetchRun(client, target);
		if (isCanceled(run)) return [cancelOutputOf(client, run)];
		if (!isWaiting(run.status)) throw notWaiting(run, '');
		return [cancelOutputOf(client, await cancelRun(client, target, run))];
	},
});
