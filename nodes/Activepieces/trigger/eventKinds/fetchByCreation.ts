import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { IncompleteListError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import { fetchList, pageFetcher } from '../../transport/paging/lists';
import { withFirstPage } from '../../transport/paging/page';
import { hasNext } from '../../transport/paging/paginate';
import {
	addRecords,
	createRecordCollector,
	type RecordCollector,
} from '../../transport/paging/recordCollector';
import type { ApiRequest } from '../../transport/request/request';
import { toTime } from '../serviceTime';

/** The shortest piece, in milliseconds: the service compares times of creation no finer (recorded). */
const SHORTEST = 1;

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
	Math.min(MAX_GROWTH, (FILLING * limits.triggerRunsPageSize) / rows);

/** Whether a part of a piece that is too long has so few rows that most are close together in what follows. */
const isBeforeMost = (rows: number): boolean => growth(rows) > 2;

/** What becomes of a list that is read in pieces. */
export interface CreationQuery {
	/** Asked after each piece, with the time up to which all records were read */
	canLeaveOff: (until: number) => boolean;
	/** Called with the time of records of which the service gives some only, whatever is asked; the others follow */
	onIncomplete: (time: number, reason: IncompleteListError) => void;
}

/** The piece was not read: it has more than a page and can be shortened, or what came is not of it */
type Unread = 'tooMany' | 'notCut';

/**
 * Reads a list of any length that the service gives newest first and cuts by `createdAfter` and `createdBefore`.
 * When there is more than a page, the other records are read in pieces of their time of creation, the oldest
 * first, so that the reading can be left off and goes on from there another time. A piece is as long as fits on
 * one page, since up to 0.79 the service loses rows between two pages (recorded), and a page may have more bytes
 * than an answer may.
 *
 * @param collector gets the records, each once
 * @throws {ActivepiecesError} when the list cannot be read
 */
export async function fetchByCreation(
	client: ApiClient,
	request: ApiRequest,
	collector: RecordCollector,
	{ canLeaveOff, onIncomplete }: CreationQuery,
): Promise<void> {
	const newest = await pageFetcher(client, request)({ limit: limits.triggerRunsPageSize });
	addRecords(collector, newest.data, newest.bytes);
	if (!hasNext(newest.next)) return;
	const times = newest.data.map(({ created }) => toTime(created)).filter((time) => time > 0);
	const oldest = times.at(-1);
	if (oldest === undefined) {
		// Without dates there are no pieces.
		await fetchList(client, request, limits.triggerRunsPageSize, collector);
		return;
	}

	// Times are stored to the microsecond: others of that millisecond may follow the page.
	const end = oldest + SHORTEST;
	/** Those that the next piece may have as well, since its first millisecond is the last one of this piece */
	const given = new Set(newest.data.map(({ id }) => id));
	let length = FILLING * (times[0] - end);
	let from = toTime(request.query?.createdAfter);
	/** The end of a piece that was too long */
	let tooLate = Infinity;
	let incomplete = 0;
	while (from < end && collector.aborted !== true) {
		length = Math.max(SHORTEST, Math.floor(length));
		const to = Math.min(from + length, end);
		const rows = await fetchPiece(client, request, collector, { from, to }, given).catch(
			(error: unknown) => {
				// Only the shortest pieces are read as lists.
				const isMoment = error instanceof IncompleteListError;
				if (!isMoment || ++incomplete > limits.triggerIncompleteMoments) throw error;
				onIncomplete(from, error);
				return limits.triggerRunsPageSize;
			},
		);
		if (rows === 'notCut') {
			await fetchList(client, request, limits.triggerRunsPageSize, collector);
			return;
		}
		if (rows === 'tooMany') {
			tooLate = to;
			length = (to - from) / 2;
			continue;
		}
		if (to < end && canLeaveOff(to)) return;
		from = to;
		length *= growth(rows);
		if (from >= tooLate) tooLate = Infinity;
		else if (isBeforeMost(rows)) length = Math.min(length, (tooLate - from) / 2);
	}
}

/**
 * @param given IDs of records that were read before; those of its last millisecond are added
 * @returns how many rows it has; `notCut` when something in front of the service leaves out an end of the span
 */
async function fetchPiece(
	client: ApiClient,
	request: ApiRequest,
	{ transform, keep }: RecordCollector,
	{ from, to }: Span,
	given: Set<unknown>,
): Promise<number | Unread> {
	const bounds: IDataObject = {
		createdAfter: new Date(from).toISOString(),
		createdBefore: new Date(to).toISOString(),
	};
	const piece: ApiRequest = { ...request, query: { ...request.query, ...bounds } };
	const transformNew: RecordCollector['transform'] = (record) => {
		const { id, created } = record;
		if (given.has(id)) return undefined;
		if (toTime(created) === to) given.add(id);
		return transform(record);
	};
	const collector = { ...createRecordCollector(Infinity, transformNew), keep };
	const fetchPage = pageFetcher(client, piece);
	const first = await fetchPage({ limit: limits.triggerRunsPageSize });
	const { data, next, bytes } = first;
	const isOutside = (time: number) => time > 0 && (time < from || time > to + SHORTEST);
	if (data.some(({ created }) => isOutside(toTime(created)))) return 'notCut';
	if (!hasNext(next)) {
		addRecords(collector, data, bytes);
		return data.length;
	}
	if (to - from > SHORTEST) return 'tooMany';
	const fetchRest = withFirstPage(async () => await Promise.resolve(first), fetchPage);
	await fetchList(client, piece, limits.triggerRunsPageSize, collector, fetchRest);
	return collector.seen.size;
}
