import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import type { Endpoint } from '../../transport/endpoint';
import type { ApiRequest } from '../../transport/request';
import { requestRecord } from '../../transport/send';

export const runEndpoint: Endpoint = { method: 'GET', path: '/v1/flow-runs/{id}' };

/** Gets a run with its steps; those of a run without a log are empty (recorded). */
export async function getRun(client: ApiClient, target: RequestTarget): Promise<IDataObject> {
	const request: ApiRequest = { ...runEndpoint, ...target };
	return await requestRecord(client, request);
}
