import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/outputMode';
import type { EventContext, Occurrence, TriggerEvent } from '../event';
import { toTime } from '../toTime';
import { trackNewRecords } from '../tracking/newRecords';
import type { ListQuery } from './watchedList';

export interface RecordQuery extends ListQuery {
	/** Up to this time all records are known, in milliseconds; 0 while nothing is */
	knownUntil: number;
}

export interface RecordEvent extends Omit<TriggerEvent, 'look' | 'example'> {
	/** Reads a list of the service */
	list(context: EventContext, query: RecordQuery): Promise<IDataObject[]>;
	/** When it happened, as the service wrote it */
	timeOf(record: IDataObject): unknown;
	simplify: Simplify;
	/** Records of the list among which the newest is the example */
	exampleLimit: number;
}

/** An event that is a record which the service keeps: every one is given exactly once. */
export function recordEvent(event: RecordEvent): TriggerEvent {
	const { list, timeOf, simplify, exampleLimit, ...described } = event;

	const toOccurrence = (record: IDataObject, { output }: EventContext): Occurrence => ({
		id: String(record.id),
		time: toTime(timeOf(record)),
		version: '',
		json: output(record, simplify),
	});

	return {
		...described,
		async look(context, state) {
			const tracker = trackNewRecords(state);
			const found = await list(context, {
				transform: (record) =>
					tracker.isNew(String(record.id), toTime(timeOf(record)))
						? toOccurrence(record, context)
						: undefined,
				limit: Infinity,
				knownUntil: tracker.knownUntil,
			});
			return tracker.look(found as Occurrence[], context.serviceTime());
		},
		async example(context) {
			const found = await list(context, {
				transform: (record) => toOccurrence(record, context),
				limit: exampleLimit,
				knownUntil: 0,
			});
			const newest = (found as Occurrence[]).sort((a, b) => b.time - a.time).at(0);
			return newest?.json;
		},
	};
}
