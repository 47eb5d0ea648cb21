import type { IDataObject } from 'n8n-workflow';

import { requestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { expectDeleted, sendRequest } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import { limits } from '../../transport/limits';
import { isStatus } from '../../transport/httpStatus';
import type { ApiResponse } from '../../transport/response';
import type { Operation } from '../operation';
import { DELETE_FLOW, flowField, flowLocator } from './flow';
import { pollWhile } from '../pollWhile';

/** Another change of the flow is in progress, or another delete (recorded at 0.85). */
const isBusy = ({ status, code }: ApiResponse): boolean =>
	isStatus(status, 'conflict') && code === 'FLOW_OPERATION_IN_PROGRESS';

/**
 * Deletes a flow. If a change of it is in progress, which makes the service refuse, it waits for the change.
 *
 * @param policy how long and how often it tries
 */
export async function deleteFlow(
	client: ApiClient,
	request: ApiRequest,
	policy = limits.pendingChange,
): Promise<IDataObject[]> {
	const requestDelete = async () => await sendRequest(client, request);
	const first = await requestDelete();
	const response = await pollWhile(client, first, isBusy, requestDelete, policy);
	// The flow existed, even if it is gone now.
	const wasThere = isBusy(first) || client.ledger.mayHaveChanged;
	return expectDeleted(client, request, response, wasThere);
}

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete flow',
	description: 'Permanently delete a flow, including all its versions and runs',
	hint: 'Deletes one flow per input item, including all its versions and runs. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces flow with the given ID, including all its versions and runs, and returns {"deleted": true}',
	endpoint: DELETE_FLOW,
	properties: [flowField],
	run: async (context) =>
		await deleteFlow(context.client, { ...DELETE_FLOW, ...requestTarget(context, flowLocator) }),
};
