import type { IDataObject } from 'n8n-workflow';

import { ActivepiecesError, commonReason, type UserMessage } from '../transport/errors/error';
import type { TriggerEvent } from './event';
import type { EventContext } from './eventContext';
import { type ListQuery, type ListsRead, toTime } from './lists';

/** An event that reads lists: what `recordEvent` and `valueEvent` need of it. */
export interface ListEvent extends Omit<TriggerEvent, 'poll' | 'example'> {
	readRecords(context: EventContext, query: ListQuery): Promise<ListsRead>;
	outputOf(context: EventContext, record: IDataObject, listId: string): IDataObject;
	/** Whether all records are read for the newest one as example; by default only the first of each list */
	isExampleOfAll?: boolean;
	noExample: UserMessage;
}

export async function fetchExample(
	context: EventContext,
	{ readRecords, outputOf, isExampleOfAll, noExample }: ListEvent,
	timeOf: (record: IDataObject) => unknown,
	isExample: (record: IDataObject) => boolean = () => true,
): Promise<IDataObject> {
	let newest: { record: IDataObject; listId: string; time: number } | undefined;
	const { unread } = await readRecords(context, {
		limit: isExampleOfAll ? Infinity : 1,
		take(record, listId) {
			const time = toTime(timeOf(record));
			if (!isExample(record) || (newest && newest.time >= time)) return;
			newest = { record, listId, time };
		},
	});
	if (newest !== undefined) return outputOf(context, newest.record, newest.listId);
	if (unread.length > 0) throw commonReason(unread.map(({ reason }) => reason));
	throw new ActivepiecesError(noExample);
}
