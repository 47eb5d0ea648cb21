import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import { ActivepiecesError } from '../errors/error';
import { toApiError } from '../errors/errorFor';
import { isStatus, type StatusName } from '../http/httpStatus';
import { type ApiResponse, isRecordUnknown, isSuccess } from '../http/response';
import type { ApiRequest, WebhookRequest } from './request';
import { toId } from '../id';
import { isRecord } from '../values';

/**
 * Notes that the service made the change of a request.
 *
 * @throws {ActivepiecesError} what the response means, when it does not confirm the request
 */
export function confirm(
	client: ApiClient,
	request: ApiRequest | WebhookRequest,
	response: ApiResponse,
	isConfirmed: boolean,
): void {
	if (!isConfirmed) throw toApiError(client, request, response);
	const { method, isNotDone } = request.endpoint;
	if (method !== 'GET' && isNotDone?.(response) !== true) client.ledger.note('done');
}

/** Whether a record can be the one of the request: a cache may return another one. */
function isRequested({ id: asked, endpoint }: ApiRequest, record: IDataObject): boolean {
	const id = toId(record.id) ?? '';
	if (asked !== undefined && endpoint.mayReturnNewRecord !== true) return id === toId(asked);
	return id !== '' || (asked === undefined && endpoint.method !== 'POST');
}

/**
 * The record of a successful response. One that was requested by ID, created or changed has an ID; an
 * object without one does not come from the API of Activepieces.
 */
export function expectRecord(client: ApiClient, request: ApiRequest, response: ApiResponse) {
	const body = isSuccess(response) && isRecord(response.body) ? response.body : undefined;
	confirm(client, request, response, body !== undefined && isRequested(request, body));
	return body!;
}

export async function requestRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject> {
	return expectRecord(client, request, await client.request(request));
}

/**
 * The record of a change. If the change fails, but may have been made, because its response was lost or somebody else
 * made it (409), the node looks for the record.
 *
 * @param find returns nothing when it finds no record that shows the change; what it throws replaces the error
 * @param madeByOther with which the service says that
 */
export async function orFoundAfterLoss<T>(
	client: ApiClient,
	sent: Promise<T>,
	find: (error: ActivepiecesError) => Promise<T | null | undefined>,
	madeByOther: StatusName[] = ['conflict'],
): Promise<T> {
	return await sent.catch(async (error: unknown) => {
		if (!(error instanceof ActivepiecesError)) throw error;
		if (!isStatus(error.httpStatus, ...madeByOther) && !client.ledger.mayHaveChanged) throw error;
		const found = await find(error);
		if (!found) throw error;
		return found;
	});
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
	const isGone = isDeleted(response) || (wasThere && isRecordUnknown(response));
	confirm(client, request, response, isGone);
	return [{ deleted: true }];
}

export async function deleteRecord(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	return expectDeleted(client, request, await client.request(request));
}
