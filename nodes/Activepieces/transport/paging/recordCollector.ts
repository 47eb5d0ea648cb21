import type { IDataObject } from 'n8n-workflow';

import { limits } from '../limits';
import { sizeOf } from '../values/sizeOf';

/** The records of a list so far, and which ones were seen. */
export interface RecordCollector {
	/** Maximum number of records; Infinity for all */
	limit: number;
	records: IDataObject[];
	/** Shared by the lists of one input item, so that a record in two of them is returned once */
	seen: Set<unknown>;
	/**
	 * Converts a record as soon as its page arrives, so that the page can be freed: a raw flow is many
	 * times larger than its simplified record. undefined leaves the record out.
	 */
	transform: (record: IDataObject) => IDataObject | undefined;
	/** Whether `transform` leaves out records, so that a page may add fewer records than it has */
	isFiltered?: boolean;
	/** Counts the bytes that are kept; by default the run counts them */
	keep?: (bytes: number) => void;
	/** Stops reading this list: another list of the same item failed, or the rest is not needed */
	aborted?: boolean;
}

export function createRecordCollector(
	limit: number,
	transform: RecordCollector['transform'] = (record) => record,
): RecordCollector {
	return { limit, records: [], seen: new Set(), transform };
}

/** Number of records so far, in all lists of the item that share `seen`. */
export const countRecords = ({ records, seen }: RecordCollector): number =>
	Math.max(records.length, seen.size);

/**
 * Adds the records of a page that were not seen before, up to the limit.
 *
 * @param pageBytes size of the page as it arrived
 * @returns how many were not seen before; records without an ID may be counted again
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
