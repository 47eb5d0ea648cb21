import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import { isRecord } from './isRecord';
import type { ApiRequest } from './request';
import { type ApiResponse, isServiceRefusal, isSuccess } from './response';
import { toApiError } from './send';
import { sendRequest } from './sendRequest';
import { toId } from './toId';

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
	(status === 204 || status === 200) && body === undefined;

/**
 * The record is gone, and an attempt whose response was lost may be what deleted it. After attempts that
 * surely did nothing, an unknown record was unknown before. A proxy that has lost its server answers 404
 * in its own words, and 0.73 names no code for folders (recorded).
 */
function wasDeletedBefore(response: ApiResponse): boolean {
	const { status, isRouteMissing, attempts } = response;
	const isUnknown = status === 404 && isServiceRefusal(response) && !isRouteMissing;
	return isUnknown && attempts?.isAmbiguous === true;
}

/** Deletes one record and gives what n8n's nodes give for it. */
export async function deleteRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	const response = await sendRequest(client, request);
	if (!isDeleted(response) && !wasDeletedBefore(response)) {
		throw toApiError(client, request, response);
	}
	return [{ deleted: true }];
}
