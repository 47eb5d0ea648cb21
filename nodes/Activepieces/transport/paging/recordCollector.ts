import type { IDataObject } from 'n8n-workflow';

import { limits } from '../limits';
import { sizeOf } from '../values/sizeOf';

/** The records of one list so far, and which were seen. */
export interface RecordCollector {
	/** How many records are wanted; Infinity for all */
	limit: number;
	records: IDataObject[];
	/** Shared by the lists of one input item, so that what is in two of them is given once */
	seen: Set<unknown>;
	/**
	 * Makes of a record what is kept of it. Done as its page comes in, so that the page can be let go:
	 * a raw flow is many times as large as what people look at. Nothing where the record is left out.
	 */
	transform: (record: IDataObject) => IDataObject | undefined;
	/** Whether `transform` leaves out records, so that a page may give fewer than it has rows */
	isFiltered?: boolean;
	/** Counts the bytes that are kept; by default the run does */
	keep?: (bytes: number) => void;
	/** Set when this list need not go on: another one of the same item failed, or the rest of it is of no use */
	aborted?: boolean;
}

export function createRecordCollector(
	limit: number,
	transform: RecordCollector['transform'] = (record) => record,
): RecordCollector {
	return { limit, records: [], seen: new Set(), transform };
}

/** How many records there are so far, in all lists of the item that share what was seen. */
export const countRecords = ({ records, seen }: RecordCollector): number =>
	Math.max(records.length, seen.size);

/**
 * Adds the records of a page that were not seen before, up to the limit.
 *
 * @param pageBytes of the page as it came
 * @returns how many of them were not seen before. Those without an id may be the same ones again
 */
export function addRecords(collector: RecordCollector, rows: IDataObject[], pageBytes = 0): number {
	const { limit, records, seen, transform, keep } = collector;
	let added = 0;
	for (const row of rows) {
		if (records.length >= limit || countRecords(collector) > limits.maxRecordsPerItem) break;
		const { id } = row;
		if (id !== undefined && id !== null && id !== '') {
			if (seen.has(id)) continue;
			seen.add(id);
			added++;
		}
		const record = transform(row);
		if (record === undefined) continue;
		records.push(record);
		keep?.(record === row ? pageBytes / rows.length : sizeOf(record));
	}
	return added;
}
