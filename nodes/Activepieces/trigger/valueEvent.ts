import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../transport/values';
import { ChangedValues } from './changedValues';
import type { TriggerEvent } from './event';
import { fetchExample, type ListEvent } from './listEvent';
import { OUTPUT_FIELDS } from './fields';
import { toTime } from './lists';
import { OldestItems } from './oldestItems';

export interface ValueEvent extends ListEvent {
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
				take(record, listId) {
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
				(record) => isEvent(valueOf(record)),
			),
	};
}
