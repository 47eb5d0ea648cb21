import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../transport/values';
import { ChangedValues } from './changedValues';
import type { EventContext, TriggerEvent } from './event';
import { fetchExample, type ListEvent } from './example';
import { OUTPUT_FIELDS } from './fields';
import type { ListQuery, ListsRead } from './lists';
import { OldestItems, resultOf } from './oldestItems';
import { toTime } from './storedValues';

export interface ValueEvent extends ListEvent {
	readRecords(context: EventContext, query: ListQuery): Promise<ListsRead>;
	/** The watched value; empty for a new record */
	valueOf(record: IDataObject): string;
	/** Whether a change to this value is an event; by default every change is */
	isEvent?(value: string): boolean;
	/** See `ChangedValues` */
	isCondition?: boolean;
	/** When the record got its value, as far as its times show; for a list that was not read before */
	changedAt(record: IDataObject, context: EventContext): unknown;
	outputOf(context: EventContext, record: IDataObject, list: string): IDataObject;
}

/** An event that is a change of a record. A change that is reverted between two polls is not noticed. */
export function valueEvent(event: ValueEvent): TriggerEvent {
	const { readRecords, valueOf, isEvent, isCondition = false, changedAt, outputOf } = event;
	return {
		...event,
		fields: [...event.fields, ...OUTPUT_FIELDS],
		async poll(context, state) {
			const known = new ChangedValues(state, context, isCondition);
			const found = new OldestItems(context.maxItems);
			const lists = await readRecords(context, {
				take(record, list) {
					const id = textOf(record.id);
					const value = valueOf(record);
					const time = toTime(changedAt(record, context));
					if (!known.isChanged({ id, value, list, time }) || isEvent?.(value) === false) return;
					const json = outputOf(context, record, list);
					found.add({ id, value, list, time: toTime(record.updated), json });
				},
				onRead: (list) => found.listIsRead(list),
			});
			return await resultOf(context, found, lists, (items) => known.nextState(items, lists));
		},
		example: async (context) =>
			await fetchExample(
				context,
				event,
				async (query) => await readRecords(context, query),
				(record, list) =>
					isEvent?.(valueOf(record)) === false
						? undefined
						: { time: toTime(record.updated), json: outputOf(context, record, list) },
				isEvent !== undefined,
			),
	};
}
