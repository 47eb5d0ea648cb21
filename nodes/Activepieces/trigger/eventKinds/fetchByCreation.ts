import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { limits } from '../../transport/limits';
import { fetchList, pageFetcher } from '../../transport/paging/lists';
import { hasNext } from '../../transport/paging/paginate';
import {
	addRecords,
	createRecordCollector,
	type RecordCollector,
} from '../../transport/paging/recordCollector';
import type { ApiRequest } from '../../transport/request';
import { toTime } from '../serviceTime';

/**
 * The shortest piece. Up to 0.79 a cursor is compared by whole seconds (recorded): within one of them a second page
 * is empty, from which `fetchList` knows that the first one has to be longer.
 */
const SECOND = 1000;

/** A span of time, in milliseconds since 1970; both ends belong to it, as the service reads them (recorded) */
interface Span {
	from: number;
	to: number;
}

/** Rows of a page that the next piece is to have, if as many are created in each second as in the last one */
const FILLING = 0.8;
/** After a piece with few rows or none */
const MAX_GROWTH = 8;

/** By how much the next piece is longer than one that had so many rows. */
const growth = (rows: number): number =>
	Math.min(MAX_GROWTH, (FILLING * limits.defaultPageSize) / rows);

/**
 * Reads a list of any length that the service gives newest first and cuts by `createdAfter` and `createdBefore`.
 * When there is more than a page, the other records are read in pieces of their time of creation, the oldest
 * first, so that the reading can be left off and goes on from there another time. A piece is as long as fits on
 * one page, since up to 0.79 the service loses rows between two pages (recorded).
 *
 * @param collector gets the records; some of a piece may come twice
 * @param canLeaveOff is asked after each piece, with the time up to which all records were read
 * @throws {ActivepiecesError} when the list cannot be read
 */
export async function fetchByCreation(
	client: ApiClient,
	request: ApiRequest,
	collector: RecordCollector,
	canLeaveOff: (until: number) => boolean,
): Promise<void> {
	const pageSize = limits.defaultPageSize;
	const newest = await pageFetcher(client, request)({ limit: pageSize });
	addRecords(collector, newest.data, newest.bytes);
	if (!hasNext(newest.next)) return;
	const times = newest.data.map(({ created }) => toTime(created)).filter((time) => time > 0);
	const end = times.at(-1);
	if (end === undefined) {
		// Without dates there are no pieces.
		await fetchList(client, request, pageSize, collector);
		return;
	}

	let length = FILLING * (times[0] - end);
	let from = inSeconds(toTime(request.query?.createdAfter));
	while (from < end && collector.aborted !== true) {
		length = Math.max(SECOND, inSeconds(length));
		const to = Math.min(from + length, end);
		const rows = await fetchPiece(client, request, collector, { from, to });
		if (rows === undefined) {
			length = (to - from) / 2;
			continue;
		}
		if (to < end && canLeaveOff(to)) return;
		// From its end once more: a record may have been created within that millisecond.
		from = to;
		length *= growth(rows);
	}
}

/** The last whole second before a time. */
const inSeconds = (time: number): number => Math.floor(time / SECOND) * SECOND;

/** @returns how many rows it has; nothing when they are more than a page has and it can be shortened */
async function fetchPiece(
	client: ApiClient,
	request: ApiRequest,
	{ transform, keep, ifTooMany }: RecordCollector,
	{ from, to }: Span,
): Promise<number | undefined> {
	const bounds: IDataObject = {
		createdAfter: new Date(from).toISOString(),
		createdBefore: new Date(to).toISOString(),
	};
	const piece: ApiRequest = { ...request, query: { ...request.query, ...bounds } };
	const collector = { ...createRecordCollector(Infinity, transform), keep, ifTooMany };
	if (to - from <= SECOND) {
		await fetchList(client, piece, limits.defaultPageSize, collector);
		return collector.seen.size;
	}
	const { data, next, bytes } = await pageFetcher(client, piece)({ limit: limits.defaultPageSize });
	if (hasNext(next)) return undefined;
	addRecords(collector, data, bytes);
	return data.length;
}
