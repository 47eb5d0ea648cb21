import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { IncompleteListError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { fetchList, pageFetcher } from '../../transport/lists';
import {
	addRecords,
	createRecordCollector,
	hasNext,
	type RecordCollector,
	withFirstPage,
} from '../../transport/pages';
import type { ApiRequest } from '../../transport/request';
import { toTime } from '../serviceTime';

/**
 * The shortest part of a list in milliseconds: the service compares times of creation with this precision
 * (recorded).
 */
const SHORTEST = 1;

/** A period in milliseconds since 1970; both ends are included, as in the service (recorded) */
interface Period {
	from: number;
	to: number;
}

/** How full a page of the next part should be, if records were created at the rate of the last part */
const FILLING = 0.8;
/** The maximum growth after a part with few or no records */
const MAX_GROWTH = 8;

/** How much longer the next part is than one with this many records. */
const growth = (count: number): number =>
	Math.min(MAX_GROWTH, (FILLING * limits.triggerRunsPageSize) / count);

/** Whether most records of a part that is too long were created in its second half. */
const isSparse = (count: number): boolean => growth(count) > 2;

/** How a list is read in parts. */
export interface CreationQuery {
	/** Called after each part, with the time up to which all records were read */
	canStop: (until: number) => boolean;
	/**
	 * Called with the time of records that the service returns only in part, whatever the request; later
	 * records follow
	 */
	onIncomplete: (time: number, reason: IncompleteListError) => void;
}

/** Why a part was not read: it has more than a page and can be shortened, or the response does not match it */
type Unread = 'tooMany' | 'notFiltered';

/**
 * Reads a list of any length that the service sorts newest first and filters by `createdAfter` and
 * `createdBefore`. If there is more than a page, the other records are read in parts by time of
 * creation, oldest first, so that reading can stop and continue at another time. Each part fits on one
 * page, because up to 0.79 the service loses records between two pages (recorded), and because a page
 * may exceed the maximum size of a response.
 *
 * @param collector receives the records, each once
 * @throws {ActivepiecesError} when the list cannot be read
 */
export async function fetchByCreation(
	client: ApiClient,
	request: ApiRequest,
	collector: RecordCollector,
	{ canStop, onIncomplete }: CreationQuery,
): Promise<void> {
	const newest = await pageFetcher(client, request)({ limit: limits.triggerRunsPageSize });
	addRecords(collector, newest.data, newest.bytes);
	if (!hasNext(newest.next)) return;
	const times = newest.data.map(({ created }) => toTime(created)).filter((time) => time > 0);
	const oldest = times.at(-1);
	if (oldest === undefined) {
		// Without dates the list cannot be divided.
		await fetchList(client, request, limits.triggerRunsPageSize, collector);
		return;
	}

	// Times are stored in microseconds: other records of this millisecond may follow after the page.
	const end = oldest + SHORTEST;
	/** Records that the next part may repeat, because it starts with the last millisecond of this one */
	const readIds = new Set(newest.data.map(({ id }) => id));
	let length = FILLING * (times[0] - end);
	let from = toTime(request.query?.createdAfter);
	/** The end of a part that was too long */
	let tooLate = Infinity;
	let incomplete = 0;
	while (from < end && collector.aborted !== true) {
		length = Math.max(SHORTEST, Math.floor(length));
		const to = Math.min(from + length, end);
		const count = await fetchPart(client, request, collector, { from, to }, readIds).catch(
			(error: unknown) => {
				// Only the shortest parts are read with several pages.
				const isMoment = error instanceof IncompleteListError;
				if (!isMoment || ++incomplete > limits.triggerIncompleteMoments) throw error;
				onIncomplete(from, error);
				return limits.triggerRunsPageSize;
			},
		);
		if (count === 'notFiltered') {
			await fetchList(client, request, limits.triggerRunsPageSize, collector);
			return;
		}
		if (count === 'tooMany') {
			tooLate = to;
			length = (to - from) / 2;
			continue;
		}
		if (to < end && canStop(to)) return;
		from = to;
		length *= growth(count);
		if (from >= tooLate) tooLate = Infinity;
		else if (isSparse(count)) length = Math.min(length, (tooLate - from) / 2);
	}
}

/**
 * @param given IDs of records that were read before; those of its last millisecond are added
 * @returns the number of records; `notFiltered` when something in front of the service ignores an end of the
 * period
 */
async function fetchPart(
	client: ApiClient,
	request: ApiRequest,
	{ transform, keep }: RecordCollector,
	{ from, to }: Period,
	readIds: Set<unknown>,
): Promise<number | Unread> {
	const bounds: IDataObject = {
		createdAfter: new Date(from).toISOString(),
		createdBefore: new Date(to).toISOString(),
	};
	const partRequest: ApiRequest = { ...request, query: { ...request.query, ...bounds } };
	const transformNew: RecordCollector['transform'] = (record) => {
		const { id, created } = record;
		if (readIds.has(id)) return undefined;
		if (toTime(created) === to) readIds.add(id);
		return transform(record);
	};
	const collector = { ...createRecordCollector(Infinity, transformNew), keep };
	const fetchPage = pageFetcher(client, partRequest);
	const first = await fetchPage({ limit: limits.triggerRunsPageSize });
	const { data, next, bytes } = first;
	const isOutside = (time: number) => time > 0 && (time < from || time > to + SHORTEST);
	if (data.some(({ created }) => isOutside(toTime(created)))) return 'notFiltered';
	if (!hasNext(next)) {
		addRecords(collector, data, bytes);
		return data.length;
	}
	if (to - from > SHORTEST) return 'tooMany';
	const fetchRest = withFirstPage(async () => await Promise.resolve(first), fetchPage);
	await fetchList(client, partRequest, limits.triggerRunsPageSize, collector, fetchRest);
	return collector.seen.size;
}
