import type { IDataObject } from 'n8n-workflow';

import type { Answer } from './answer';
import { exchangeMoved } from './movedEndpoints';
import type { ApiRequest } from './request';
import { succeeded, unexpected } from './send';
import type { Session } from './session';

/**
 * The record is gone, and a try whose answer was lost may be what deleted it. After tries that surely
 * did nothing, an unknown record was unknown before; so it is when the server has no such route.
 */
const deletedBefore = ({ status, isRouteMissing, isHtml, effort }: Answer): boolean =>
	status === 404 && !isRouteMissing && !isHtml && effort?.isInDoubt === true;

/** Deletes one record and gives what n8n's nodes give for it. */
export async function deleteRecord(session: Session, request: ApiRequest): Promise<IDataObject[]> {
	const answer = await exchangeMoved(session, request);
	if (!succeeded(answer) && !deletedBefore(answer)) throw unexpected(session, request, answer);
	return [{ deleted: true }];
}
