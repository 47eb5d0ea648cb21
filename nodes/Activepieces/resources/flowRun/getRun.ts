import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import type { ApiRequest, Endpoint } from '../../transport/request';
import { expectRecord, sendRequest } from '../../transport/send';

export const runEndpoint: Endpoint = { method: 'GET', path: '/v1/flow-runs/{id}' };

/** Gets a run with its steps; those of a run without a log are empty (recorded). */
export async function getRun(
	client: ApiClient,
	target: Pick<ApiRequest, 'id' | 'subject'>,
): Promise<IDataObject> {
	const request: ApiRequest = { ...runEndpoint, ...target };
	return expectRecord(client, request, await sendRequest(client, request));
}
