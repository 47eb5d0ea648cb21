import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/outputMode';
import type { EventContext, Occurrence, TriggerEvent } from '../event';
import { trackNewRecords } from '../tracking/newRecords';

/** Reads a list of the service; a record for which `transform` gives nothing is left out. */
export type ReadRecords = (
	context: EventContext,
	transform: (record: IDataObject) => IDataObject | undefined,
	limit: number,
) => Promise<IDataObject[]>;

export interface RecordEvent extends Omit<TriggerEvent, 'look' | 'example'> {
	list: ReadRecords;
	/** When it happened, as the service wrote it */
	timeOf(record: IDataObject): unknown;
	simplify: Simplify;
	/** Records of the list among which the newest is the example */
	exampleLimit: number;
}

const toTime = (time: unknown): number =>
	typeof time === 'string' || typeof time === 'number' ? new Date(time).getTime() || 0 : 0;

/** An event that is a record which the service keeps: every one is given exactly once. */
export function recordEvent(event: RecordEvent): TriggerEvent {
	const { list, timeOf, simplify, exampleLimit, ...described } = event;

	const toOccurrence = (record: IDataObject, { output }: EventContext): Occurrence => ({
		id: String(record.id),
		time: toTime(timeOf(record)),
		value: '',
		json: output(record, simplify),
	});

	return {
		...described,
		async look(context, state) {
			const tracker = trackNewRecords(state);
			const found = await list(
				context,
				(record) =>
					tracker.isNew(String(record.id), toTime(timeOf(record)))
						? toOccurrence(record, context)
						: undefined,
				Infinity,
			);
			return tracker.look(found as Occurrence[]);
		},
		async example(context) {
			const found = await list(context, (record) => toOccurrence(record, context), exampleLimit);
			const newest = (found as Occurrence[]).sort((a, b) => b.time - a.time).at(0);
			return newest?.json;
		},
	};
}
