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
 * Sends one request for one record and gives it, as `expectRecord` reads it.
 *
 * @throws {ActivepiecesError} when there is none
 */
export async function requestRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject> {
	return expectRecord(client, request, await sendRequest(client, request));
}

/** Whether a record is what a request was for: a cache may answer with another one. */
function isAbout(
	{ id: asked, method, mayAnswerWithNewRecord }: ApiRequest,
	body: IDataObject,
): boolean {
	if (asked === undefined && method !== 'POST') return true;
	const id = toId(body.id) ?? '';
	return asked === undefined || mayAnswerWithNewRecord === true ? id !== '' : id === toId(asked);
}

/**
 * Gives the JSON object of a successful response. What was asked for by id, and what was created or
 * changed, has an id; another object comes from something that is not the API of Activepieces.
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

/** The service says that it has deleted the record: without a body, on every release (recorded). */
const isDeleted = ({ status, body }: ApiResponse): boolean =>
	isStatus(status, 'ok', 'noContent') && body === undefined;

/**
 * The service knows no such record. A proxy that has lost its server answers 404 in its own words, and 0.73
 * names no code for folders (recorded).
 */
const isUnknown = (response: ApiResponse): boolean =>
	isStatus(response.status, 'notFound') && isServiceRefusal(response) && !response.isRouteMissing;

/**
 * Gives what n8n's nodes give for a record that was deleted.
 *
 * @param wasThere whether the record was there when it was asked for, so that one that is unknown now is gone
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
 * Deletes one record. After an attempt whose response was lost, a record that is unknown was deleted by it;
 * after attempts that surely did nothing, it was unknown before.
 */
export async function deleteRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	return expectDeleted(client, request, await sendRequest(client, request));
}
