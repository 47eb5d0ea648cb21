import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import type { ApiRequest } from '../../transport/request';
import { expectRecord, sendRequest } from '../../transport/send';

/** Which flow a request is for. */
export type FlowTarget = Pick<ApiRequest, 'id' | 'subject'>;

/** Gets a flow with its latest version, which is a draft after an edit (recorded). */
export async function getFlow(client: ApiClient, target: FlowTarget): Promise<IDataObject> {
	const request: ApiRequest = { method: 'GET', path: '/v1/flows/{id}', ...target };
	return expectRecord(client, request, await sendRequest(client, request));
}
