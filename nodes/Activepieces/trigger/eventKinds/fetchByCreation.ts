import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { limits } from '../../transport/limits';
import { assertComplete, pageFetcher } from '../../transport/paging/lists';
import { hasNext, paginate } from '../../transport/paging/paginate';
import {
	addRecords,
	createRecordCollector,
	type RecordCollector,
} from '../../transport/paging/recordCollector';
import type { ApiRequest } from '../../transport/request';
import { toTime } from '../serviceTime';

/** The service takes bounds to the millisecond, and its cursors lose rows of one second (recorded). */
const SHORTEST_MS = 1000;

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
 * The newest records are read as those of every list. When there are more of them, the others are read in pieces
 * of their time of creation, the oldest first, so that the reading can be left off and goes on from there
 * another time. A piece is as long as fits on one page, on which the service loses no rows.
 *
 * @param collector gets the records; one of a piece's first millisecond may come twice
 * @param canLeaveOff is asked after each piece, with the time up to which all records were read
 * @throws {ActivepiecesError} when the list cannot be read
 */
export async function fetchByCreation(
	client: ApiClient,
	request: ApiRequest,
	collector: RecordCollector,
	canLeaveOff: (until: number) => boolean,
): Promise<void> {
	const { transform } = collector;
	const newest: Span = { from: 0, to: 0 };
	const reason = await paginate(pageFetcher(client, request), limits.defaultPageSize, {
		...collector,
		maxRecords: limits.triggerListRecords,
		transform(record) {
			newest.from = toTime(record.created) || newest.from;
			newest.to ||= newest.from;
			return transform(record);
		},
	});
	const isLeftOff = reason === 'tooManyRecords' && newest.from > 0;
	if (!isLeftOff) {
		assertComplete(client, request, collector, reason);
		return;
	}

	const pages = limits.triggerListRecords / limits.defaultPageSize;
	let length = Math.ceil((newest.to - newest.from) / pages);
	let from = toTime(request.query?.createdAfter);
	while (from < newest.from && collector.aborted !== true) {
		length = Math.max(SHORTEST_MS, length);
		const to = Math.min(from + length, newest.from);
		const rows = await fetchPiece(client, request, collector, { from, to });
		if (rows === undefined) {
			length = Math.floor((to - from) / 2);
			continue;
		}
		if (to < newest.from && canLeaveOff(to)) return;
		// From its end once more: a record may have been created within that millisecond.
		from = to;
		length = Math.ceil(length * growth(rows));
	}
}

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
	const fetchPage = pageFetcher(client, piece);
	if (to - from <= SHORTEST_MS) {
		const reason = await paginate(fetchPage, limits.defaultPageSize, collector);
		assertComplete(client, piece, collector, reason);
		return collector.seen.size;
	}
	const { data, next, bytes } = await fetchPage({ limit: limits.defaultPageSize });
	if (hasNext(next)) return undefined;
	addRecords(collector, data, bytes);
	return data.length;
}
