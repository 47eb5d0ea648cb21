import type { IDataObject } from 'n8n-workflow';

import { exchangeMoved } from './movedEndpoints';
import type { ApiRequest } from './request';
import { succeeded, unexpected } from './send';
import type { Session } from './session';

/** Deletes one record and gives what n8n's nodes give for it. */
export async function deleteRecord(session: Session, request: ApiRequest): Promise<IDataObject[]> {
	const answer = await exchangeMoved(session, request);
	if (!succeeded(answer)) throw unexpected(session, request, answer);
	return [{ deleted: true }];
}
