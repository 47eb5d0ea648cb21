import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import type { ApiRequest, Endpoint } from '../../transport/request';
import { expectRecord, sendRequest } from '../../transport/send';

export const folderEndpoint: Endpoint = { method: 'GET', path: '/v1/folders/{id}' };

/** Gets a folder with the number of its flows. */
export async function getFolder(
	client: ApiClient,
	target: Pick<ApiRequest, 'id' | 'subject'>,
): Promise<IDataObject> {
	const request: ApiRequest = { ...folderEndpoint, ...target };
	return expectRecord(client, request, await sendRequest(client, request));
}
