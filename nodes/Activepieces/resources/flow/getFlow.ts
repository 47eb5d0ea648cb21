import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import type { ApiRequest } from '../../transport/request';
import { requestRecord } from '../../transport/send';

/** Gets a flow with its latest version, which is a draft after an edit (recorded). */
export async function getFlow(client: ApiClient, target: RequestTarget): Promise<IDataObject> {
	const request: ApiRequest = { method: 'GET', path: '/v1/flows/{id}', ...target };
	return await requestRecord(client, request);
}
