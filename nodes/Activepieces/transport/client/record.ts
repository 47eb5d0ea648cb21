import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import { toApiError } from '../errors/errorFor';
import { isStatus } from '../http/httpStatus';
import { type ApiResponse, isRecordUnknown, isSuccess } from '../http/response';
import type { ApiRequest } from './request';
import { isRecord, toId } from '../values';

/**
 * The record of a successful response. One that was requested by ID, created or changed has an ID; an
 * object without one does not come from the API of Activepieces.
 */
export function expectRecord(client: ApiClient, request: ApiRequest, response: ApiResponse) {
	const { id: asked, endpoint } = request;
	const { method, mayReturnNewRecord } = endpoint;
	const body = isSuccess(response) && isRecord(response.body) ? response.body : undefined;
	const id = toId(body?.id) ?? '';
	const mayBeNew = asked === undefined || mayReturnNewRecord === true;
	// A cache may return another record.
	const isRequested =
		(asked === undefined && method !== 'POST') || (mayBeNew ? id !== '' : id === toId(asked));
	if (body === undefined || !isRequested) throw toApiError(client, request, response);
	if (method !== 'GET') client.ledger.note('done');
	return body;
}

export async function requestRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject> {
	return expectRecord(client, request, await client.request(request));
}

/** The service confirms a delete with a response without a body, in every release (recorded). */
const isDeleted = ({ status, body }: ApiResponse): boolean =>
	isStatus(status, 'ok', 'noContent') && body === undefined;

/**
 * The output of n8n's nodes for a deleted record. One that is unknown now, but was there before, was deleted
 * by an earlier request of the item whose response was lost.
 */
export function expectDeleted(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
	wasThere = client.ledger.mayHaveChangedRecord(request.id),
): IDataObject[] {
	if (!isDeleted(response) && !(wasThere && isRecordUnknown(response))) {
		throw toApiError(client, request, response);
	}
	client.ledger.note('done');
	return [{ deleted: true }];
}

export async function deleteRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	return expectDeleted(client, request, await client.request(request));
}
