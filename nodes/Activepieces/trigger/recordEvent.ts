import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../descriptions/output';
import type { ApiClient } from '../transport/client/client';
import { textOf } from '../transport/values';
import type { EventContext, TriggerEvent } from './event';
import { fetchExample, type ListEvent } from './example';
import { OUTPUT_FIELDS } from './fields';
import type { ListQuery, ListsRead } from './lists';
import { NewRecords } from './newRecords';
import { OldestItems, resultOf } from './oldestItems';
import { toTime } from './storedValues';

interface RecordEvent extends ListEvent {
	/** @param records tells which times of a list may have new records */
	readRecords(context: EventContext, query: ListQuery, records: NewRecords): Promise<ListsRead>;
	/** Whether its lists are filtered by `records.since` */
	isFiltered?: boolean;
	/** The time of the event, as the service wrote it */
	timeOf(record: IDataObject): unknown;
	/** Identifies the event, if it is not the record's ID */
	idOf?(record: IDataObject): unknown;
	/** Distinguishes the events of a record whose time changes with every change; empty for all others */
	versionOf?(record: IDataObject): string;
	simplify: Simplify;
	/** Adds to the simplified records what they lack */
	complete?: (client: ApiClient, records: IDataObject[]) => Promise<void>;
}

/** An event for each record that the service keeps: every record is returned exactly once. */
export function recordEvent(event: RecordEvent): TriggerEvent {
	const {
		readRecords,
		isFiltered,
		timeOf,
		idOf = ({ id }) => id,
		versionOf = () => '',
		simplify,
		complete,
	} = event;
	return {
		...event,
		fields: [...event.fields, ...OUTPUT_FIELDS],
		async poll(context, state) {
			const records = new NewRecords(state, context.now);
			if (records.isStart && isFiltered) {
				// Otherwise nothing tells which records are the newest: the lists may be of any length.
				const take = (record: IDataObject) => records.raise(toTime(timeOf(record)));
				await readRecords(context, { take, wanted: () => 1, isEnd: () => true }, records);
			}
			const found = new OldestItems(context.maxItems);
			const query: ListQuery = {
				take(record, list) {
					const version = versionOf(record);
					const id = textOf(idOf(record)) + version;
					const time = toTime(timeOf(record));
					if (records.isNew({ id, time, isUndated: version !== '', list })) {
						found.add({ id, time, list, json: context.output(record, simplify) });
					}
				},
				onRead: (list) => found.listIsRead(list),
				hasEnough(until, list) {
					const isEnough = found.count(list, until) >= (context.isLate() ? 1 : context.maxItems);
					if (isEnough) found.leave(list, until);
					return isEnough;
				},
			};
			const lists = await readRecords(context, query, records);
			const result = await resultOf(context, found, lists, (items, left) =>
				records.nextState(items, left, lists),
			);
			await complete?.(context.client, result.items);
			return result;
		},
		async example(context) {
			const json = await fetchExample(
				context,
				event,
				async (query) => await readRecords(context, query, new NewRecords(undefined, context.now)),
				(record) => ({
					time: toTime(timeOf(record)),
					json: context.output(record, simplify),
				}),
			);
			await complete?.(context.client, [json]);
			return json;
		},
	};
}
