import type { IDataObject } from 'n8n-workflow';

import { requestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { RunEndedError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import { expectDeleted } from '../../transport/record';
import type { ApiRequest } from '../../transport/request';
import type { ApiResponse } from '../../transport/response';
import { sendRequest } from '../../transport/sendRequest';
import type { Operation } from '../operation';
import { flowField, flowLocator } from './locator';
import { DELETE_FLOW } from './requests';

/** Another change of the flow is under way; another deletion of it, too (recorded at 0.85). */
const isBusy = ({ status, code }: ApiResponse): boolean =>
	status === 409 && code === 'FLOW_OPERATION_IN_PROGRESS';

/** Deletes a flow, and waits for a change of it that is under way: the service refuses it meanwhile. */
async function deleteFlow(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	const { maxElapsedMs, pollMs } = limits.flowChange;
	let response = await sendRequest(client, request);
	let wasThere = response.attempts?.isAmbiguous === true;
	let elapsed = 0;
	while (isBusy(response) && elapsed < maxElapsedMs) {
		wasThere = true;
		const start = Date.now();
		if (!(await client.runState.wait(pollMs)))
			throw new RunEndedError(response.attempts?.isAmbiguous);
		response = await sendRequest(client, request);
		// The whole wait counts, however a test waits.
		elapsed += Math.max(pollMs, Date.now() - start);
	}
	return expectDeleted(client, request, response, wasThere || response.attempts?.isAmbiguous);
}

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete flow',
	description: 'Delete a flow with all its versions and runs permanently',
	hint: 'Deletes one flow per input item, with all its versions and all its runs. This cannot be undone.',
	toolDescription:
		'Deletes an Activepieces flow with all its versions and all its runs for good, by its ID, and returns {"deleted": true}',
	endpoint: DELETE_FLOW,
	properties: [flowField],
	run: async (context) =>
		await deleteFlow(context.client, { ...DELETE_FLOW, ...requestTarget(context, flowLocator) }),
};
