import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../descriptions/output';
import { textOf } from '../transport/values';
import type { EventContext, TriggerEvent } from './event';
import { fetchExample } from './example';
import type { ListQuery, ListsRead } from './lists';
import { isRecordsState, NewRecords } from './newRecords';
import { OldestItems, resultOf } from './oldestItems';
import { toTime } from './storedValues';

export interface RecordQuery extends ListQuery {
	/** Returns the time up to which no record of a list is new, in milliseconds */
	until(list: string): number;
	/** Returns the time since which a list may have new records, in milliseconds */
	since(list: string): number;
}

interface RecordEvent extends Omit<TriggerEvent, 'poll' | 'example' | 'isState'> {
	readRecords(context: EventContext, query: RecordQuery): Promise<ListsRead>;
	/** The time of the event, as the service wrote it */
	timeOf(record: IDataObject): unknown;
	/** Identifies the event, if it is not the record's ID */
	idOf?(record: IDataObject): unknown;
	/** Distinguishes the events of a record whose time changes with every change; empty for all others */
	versionOf?(record: IDataObject): string;
	simplify: Simplify;
	/** Number of records of the list, the newest of which is the example */
	exampleLimit: number;
}

/** An event for each record that the service keeps: every record is returned exactly once. */
export function recordEvent(event: RecordEvent): TriggerEvent {
	const {
		readRecords,
		timeOf,
		idOf = ({ id }) => id,
		versionOf = () => '',
		simplify,
		exampleLimit,
		...described
	} = event;
	return {
		...described,
		isState: isRecordsState,
		async poll(context, state) {
			const tracker = new NewRecords(state, context.now);
			const found = new OldestItems(context.maxItems);
			const lists = await readRecords(context, {
				take(record, list) {
					const version = versionOf(record);
					const id = textOf(idOf(record)) + version;
					const time = toTime(timeOf(record));
					if (tracker.isNew({ id, time, isUndated: version !== '', list })) {
						found.add({ id, time, list, json: context.output(record, simplify) });
					}
				},
				onRead: (list) => found.listIsRead(list),
				until: (list) => tracker.until(list),
				since: (list) => tracker.since(list),
				hasEnough(until, list) {
					const isEnough = found.count(list, until) >= (context.isLate() ? 1 : context.maxItems);
					if (isEnough) found.leave(list, until);
					return isEnough;
				},
			});
			return await resultOf(context, found, lists, (items, left) =>
				tracker.nextState(items, left, lists),
			);
		},
		async example(context) {
			const from = { until: () => 0, since: () => context.now() };
			return await fetchExample(
				context,
				async (query) => await readRecords(context, { ...query, ...from }),
				exampleLimit,
				(record) => ({
					time: toTime(timeOf(record)),
					json: context.output(record, simplify),
				}),
			);
		},
	};
}
