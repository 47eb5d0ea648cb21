import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { toApiError } from '../errors/errorFor';
import { isStatus } from '../response/httpStatus';
import { type ApiResponse, isServiceRefusal, isSuccess } from '../response/response';
import { isRecord } from '../values/isRecord';
import { toId } from '../values/toId';
import type { ApiRequest } from './request';
import { sendRequest } from './send';

/**
 * Sends a request for one record and returns it, as `expectRecord` does.
 *
 * @throws {ActivepiecesError} when there is none
 */
export async function requestRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject> {
	return expectRecord(client, request, await sendRequest(client, request));
}

/** Whether a record is the requested one: a cache may return another. */
function isAbout(
	{ id: asked, method, mayReturnNewRecord }: ApiRequest,
	body: IDataObject,
): boolean {
	if (asked === undefined && method !== 'POST') return true;
	const id = toId(body.id) ?? '';
	return asked === undefined || mayReturnNewRecord === true ? id !== '' : id === toId(asked);
}

/**
 * Returns the JSON object of a successful response. A record that was requested by ID, created or
 * changed has an ID; an object without one does not come from the API of Activepieces.
 *
 * @throws {ActivepiecesError} for any other response
 */
export function expectRecord(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
): IDataObject {
	const { body } = response;
	if (!isSuccess(response) || !isRecord(body) || !isAbout(request, body)) {
		throw toApiError(client, request, response);
	}
	return body;
}

/** The service confirms a delete with a response without a body, in every release (recorded). */
const isDeleted = ({ status, body }: ApiResponse): boolean =>
	isStatus(status, 'ok', 'noContent') && body === undefined;

/**
 * The service does not know the record. A proxy that has lost its server responds with a 404 of its own,
 * and 0.73 sends no code for folders (recorded).
 */
const isUnknown = (response: ApiResponse): boolean =>
	isStatus(response.status, 'notFound') && isServiceRefusal(response) && !response.isRouteMissing;

/**
 * The output of n8n's nodes for a deleted record.
 *
 * @param wasThere whether the record existed at the start of the request, so that a 404 means that it is
 * deleted
 * @throws {ActivepiecesError} for any other response
 */
export function expectDeleted(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
	wasThere = response.attempts?.isAmbiguous === true,
): IDataObject[] {
	if (!isDeleted(response) && !(wasThere && isUnknown(response))) {
		throw toApiError(client, request, response);
	}
	return [{ deleted: true }];
}

/**
 * Deletes one record. If the response of an earlier attempt was lost, that attempt deleted a record that
 * is unknown now. If the earlier attempts certainly did nothing, it was unknown before.
 */
export async function deleteRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	return expectDeleted(client, request, await sendRequest(client, request));
}
