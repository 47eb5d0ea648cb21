import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import { ActivepiecesError } from '../errors/error';
import { toApiError } from '../errors/errorFor';
import type { Wanted } from '../errors/ledger';
import { isStatus, type StatusName } from '../http/httpStatus';
import { type ApiResponse, isRecordUnknown, isSuccess } from '../http/response';
import type { ApiRequest, WebhookRequest } from './request';
import { isRecord, toId } from '../values';

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

interface Once<Before> extends Wanted {
	/** By it, `find` sees a change */
	before?: Before;
	/** What several items share: if one of them may have made it, the others are in doubt as well */
	shared?: { isInDoubt?: boolean };
	/** Whether it does no more when it is sent again, because the service has the record already */
	isSame?: boolean;
}

interface Change<T, Before> {
	/** Sends it; of earlier tries, `before` is that of the last one before something may have changed */
	send: (before: Before) => Promise<T>;
	/** Looks whether it was made; without it, nothing shows that */
	find?: (before: Before, error?: ActivepiecesError) => Promise<T | undefined>;
	/** What to do with what is there already, before anything is sent: returns it, or throws */
	onExisting?: (existing: T) => T;
	/** With which the service says that somebody else made it */
	madeByOther?: StatusName[];
	/** What a later try of *Retry On Fail* does not send again, unlike a change that then does the same, such as a new name */
	once?: Once<Before>;
}

/** The error for what an earlier request may have made, and a new one would make twice. */
const unconfirmed = ({ what, check }: Wanted, isOther: boolean) =>
	new ActivepiecesError(
		{
			message: `Could not confirm whether ${what}`,
			description: `An earlier attempt failed without a clear result${isOther ? ', and an expression now gives other values' : ''}, so the node did not try again. Check ${check} in Activepieces before you run the node again.`,
		},
		{ outcome: 'said' },
	);

/**
 * Makes a change, and knows what an earlier request may have made: what is found is the result. Nobody can tell when
 * a server that is slow or behind a proxy carries out a request, so what is not found may still be made, and is not
 * sent again.
 *
 * - In a later try of *Retry On Fail*, if an earlier one may have changed something, the node looks for what that one
 *   wanted, and sends nothing.
 * - In the same try, it looks after a failure that leaves it open, and if somebody else made it (409).
 *
 * @throws {ActivepiecesError} what the change failed with, or that nothing shows what an earlier try did
 */
export async function makeChange<T, Before = undefined>(
	client: ApiClient,
	{ send, find, onExisting, madeByOther = ['conflict'], once }: Change<T, Before>,
): Promise<T> {
	const { ledger } = client;
	const kept = once && ((ledger.isInDoubt && ledger.wanted) || once);
	const { shared = {} } = once ?? {};
	shared.isInDoubt ||= ledger.isInDoubt;
	const isInDoubt = kept !== undefined && shared.isInDoubt;
	const isOther = isInDoubt && JSON.stringify(kept.wanted) !== JSON.stringify(once?.wanted);
	if (once) ledger.wanted = kept;
	const before = kept?.before as Before;
	const looksFirst = isInDoubt ? !isOther : onExisting !== undefined;
	const existing = looksFirst ? await find?.(before) : undefined;
	if (existing) return isInDoubt || !onExisting ? existing : onExisting(existing);
	if (isInDoubt && (isOther || once?.isSame !== true)) throw unconfirmed(kept, isOther);
	return await send(before).catch(async (error: unknown) => {
		shared.isInDoubt ||= ledger.mayHaveChanged;
		if (!(error instanceof ActivepiecesError)) throw error;
		if (!isStatus(error.httpStatus, ...madeByOther) && !ledger.mayHaveChanged) throw error;
		const found = await find?.(before, error).catch(() => undefined);
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
