import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import type { Endpoint } from '../../transport/endpoint';
import type { ApiRequest } from '../../transport/request';
import { requestRecord } from '../../transport/send';

export const folderEndpoint: Endpoint = { method: 'GET', path: '/v1/folders/{id}' };

/** Gets a folder with the number of its flows. */
export async function getFolder(client: ApiClient, target: RequestTarget): Promise<IDataObject> {
	const request: ApiRequest = { ...folderEndpoint, ...target };
	return await requestRecord(client, request);
}
