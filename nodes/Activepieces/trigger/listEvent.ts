/*
 * The two kinds of events that read lists: a new record (`recordEvent`), and a changed value (`valueEvent`). Each decides
 * in its own class what is new: `NewRecords` and `ChangedValues`.
 */
import type { IDataObject } from 'n8n-workflow';

import { ActivepiecesError, commonReason, type UserMessage } from '../transport/errors/error';
import { textOf } from '../transport/values';
import { ChangedValues } from './changedValues';
import type { TriggerEvent } from './event';
import type { EventContext } from './eventContext';
import { OUTPUT_FIELDS } from './fields';
import { toTime, type ListQuery, type ListsRead } from './lists';
import { NewRecords, OldestItems } from './newRecords';

/** An event that reads lists: what `recordEvent` and `valueEvent` need of it. */
interface ListEvent extends Omit<TriggerEvent, 'poll' | 'example'> {
	readRecords(context: EventContext, query: ListQuery): Promise<ListsRead>;
	outputOf(context: EventContext, record: IDataObject, listId: string): IDataObject;
	noExample: UserMessage;
}

async function fetchExample(
	context: EventContext,
	{ readRecords, outputOf, noExample }: ListEvent,
	timeOf: (record: IDataObject) => unknown,
	isExample?: (record: IDataObject) => boolean,
): Promise<IDataObject> {
	let newest: { record: IDataObject; listId: string; time: number } | undefined;
	const { unread } = await readRecords(context, {
		// The others of a list may be examples too, if the first one is none.
		onlyRecent: isExample === undefined,
		onRecord(record, listId) {
			const time = toTime(timeOf(record));
			if (isExample?.(record) === false || (newest && newest.time >= time)) return;
			newest = { record, listId, time };
		},
	});
	if (newest !== undefined) return outputOf(context, newest.record, newest.listId);
	if (unread.length > 0) throw commonReason(unread.map(({ reason }) => reason));
	throw new ActivepiecesError(noExample);
}

interface RecordEvent extends ListEvent {
	/**
	 * For lists with a filter `createdAfter`, which makes a poll read only what may be new: how long before its
	 * event a record may have been created, in milliseconds
	 */
	lookback?(context: EventContext): number;
	/** Whether a person may limit the records by conditions: as for `lookback`, the others are read when watching starts */
	isFiltered?: boolean;
	/** The time of the event, as the service wrote it; by default that of the record's creation */
	timeOf?(record: IDataObject): unknown;
	/** Whether a time earlier than before is no event: that of the last write, if its column is deleted */
	timeMayFall?: boolean;
	/**
	 * Identifies the event, by default by the record's ID. `timeVaries`: the time changes with every change of
	 * the record, so that it distinguishes no events. For example `run1`, or `run1 10:00` with its start
	 */
	identify?(record: IDataObject): { id: string; timeVaries: boolean };
}

/**
 * An event for each record that the service keeps: every record is returned exactly once.
 *
 * A poll at 10:05 with two lists, when Max Items per Poll is 1 (a record is shown with its time). Records up
 * to `knownUntil` are known by their time, those of `seen` by their ID:
 *
 *     state       polled 10:00   A: knownUntil 9:40          B: knownUntil 9:40          seen a 9:55
 *     since       9:50           5 minutes before the newest one seen, because others may be stored late
 *     read                       a 9:55, b 10:02             c 9:35, d 10:01
 *     new                        b                           d
 *     returned    d              the oldest; b is left to the next poll
 *     next state  polled 10:05   A: knownUntil 9:40,         B: knownUntil 9:40          seen a, d 10:01
 *                                leftFrom 10:02
 *
 * An event without `lookback`, such as Flow Created, reads its lists whole. Otherwise the next poll reads A since 9:57,
 * 5 minutes before b, and B since 9:56, 5 minutes before d. Of runs it requests those that started up to Lookback before
 * that, and so may read older ones, such as c.
 */
export function recordEvent(event: RecordEvent): TriggerEvent {
	const { readRecords, lookback, isFiltered, timeMayFall, outputOf } = event;
	const { timeOf = ({ created }) => created } = event;
	const { identify = ({ id }) => ({ id: textOf(id), timeVaries: false }) } = event;
	return {
		...event,
		outputFields: [...OUTPUT_FIELDS, ...(event.outputFields ?? [])],
		// A stale state is like any other: what it does not know was not returned, or n8n has dropped it.
		async poll(context, state) {
			const known = new NewRecords(state, context);
			const found = new OldestItems(context.maxItems);
			const lookbackMs = lookback?.(context);
			if (known.isStart && (isFiltered || lookbackMs !== undefined)) {
				// The first record of each list, watched or not, because lists may be of any length and nothing else tells
				// which are the newest. It is the newest by its creation: if another one ends later, the poll only reads more.
				// Of a list that is read whole all are known, also those that fulfill its conditions later.
				const onRecord = (record: IDataObject, listId: string) => {
					const time = toTime(timeOf(record));
					if (lookbackMs !== undefined) known.raise(time);
					else known.observe({ ...identify(record), time, timeMayFall, listId });
				};
				await readRecords(context, { onlyRecent: true, takesAll: true, onRecord });
			}
			const lists = await readRecords(context, {
				found,
				createdAfter:
					lookbackMs === undefined
						? undefined
						: (listId) => Math.max(0, known.since(listId) - lookbackMs),
				// No list is sorted by another time.
				isEnd: event.timeOf
					? undefined
					: (record, listId) => known.isBefore(toTime(timeOf(record)), listId),
				onRecord(record, listId) {
					const { id, timeVaries } = identify(record);
					const time = toTime(timeOf(record));
					if (!known.observe({ id, time, timeVaries, timeMayFall, listId })) return;
					found.add({ id, time, listId, json: outputOf(context, record, listId) });
				},
			});
			const { items, left } = found.result();
			return {
				items: items.map(({ json }) => json),
				state: known.nextState(items, left, lists),
				unread: lists.unread,
			};
		},
		example: async (context) => await fetchExample(context, event, timeOf),
	};
}

interface ValueEvent extends ListEvent {
	/** The watched value; empty for a new record */
	valueOf(record: IDataObject): string;
	/** Whether a change to this value is an event; by default every change is */
	isEvent?(value: string): boolean;
	/** See `ChangedValues` */
	isCondition?: boolean;
	/** When the record got its value, as far as its times show; for a list that was not read before */
	changedAt(record: IDataObject, isStale: boolean): unknown;
}

/** An event that is a change of a record. A change that is reverted between two polls is not noticed. */
export function valueEvent(event: ValueEvent): TriggerEvent {
	const { readRecords, valueOf, isCondition = false, changedAt, outputOf } = event;
	const { isEvent = () => true } = event;
	return {
		...event,
		outputFields: OUTPUT_FIELDS,
		async poll(context, state, isStale) {
			const known = new ChangedValues(state, context, isStale, isCondition);
			const found = new OldestItems(context.maxItems);
			const lists = await readRecords(context, {
				found,
				onRecord(record, listId) {
					const id = textOf(record.id);
					const value = valueOf(record);
					const time = toTime(changedAt(record, isStale));
					if (!known.observe({ id, value, listId, time }) || !isEvent(value)) return;
					const json = outputOf(context, record, listId);
					found.add({ id, value, listId, time: toTime(record.updated), json });
				},
			});
			const { items } = found.result();
			return {
				items: items.map(({ json }) => json),
				state: known.nextState(items, lists),
				unread: lists.unread,
			};
		},
		example: async (context) =>
			await fetchExample(
				context,
				event,
				({ updated }) => updated,
				event.isEvent && ((record) => isEvent(valueOf(record))),
			),
	};
}
