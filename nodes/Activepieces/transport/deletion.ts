import type { IDataObject } from 'n8n-workflow';

import { type Answer, succeeded } from './answer';
import { exchangeMoved } from './movedEndpoints';
import type { ApiRequest } from './request';
import { unexpected } from './send';
import type { Session } from './session';

/** The service says that it has deleted the record: without a body, on every release (recorded). */
const deletedNow = (answer: Answer): boolean => succeeded(answer) && answer.body === undefined;

/**
 * The record is gone, and a try whose answer was lost may be what deleted it. After tries that surely
 * did nothing, an unknown record was unknown before. Only the service itself names an unknown record
 * so (recorded): a proxy that has lost its server answers 404 in its own words.
 */
const deletedBefore = ({ status, code, effort }: Answer): boolean =>
	status === 404 && code === 'ENTITY_NOT_FOUND' && effort?.isInDoubt === true;

/** Deletes one record and gives what n8n's nodes give for it. */
export async function deleteRecord(session: Session, request: ApiRequest): Promise<IDataObject[]> {
	const answer = await exchangeMoved(session, request);
	if (!deletedNow(answer) && !deletedBefore(answer)) throw unexpected(session, request, answer);
	return [{ deleted: true }];
}
