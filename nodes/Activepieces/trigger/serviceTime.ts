import type { ApiClient } from '../transport/client';
import { limits } from '../transport/limits';
import { isSuccess } from '../transport/response';
import { isRecord } from '../transport/values';

/** Parses a time of the service, in milliseconds since 1970; 0 for none. */
export const toTime = (time: unknown): number =>
	typeof time === 'string' || typeof time === 'number'
		? Math.max(0, new Date(time).getTime() || 0)
		: 0;

/** What is known of the server's clock, as milliseconds that it is ahead of n8n's (negative: behind). */
export interface ServerClock {
	/** Determines the time */
	offset: number;
	/**
	 * Offset of the last response if it differs; it replaces `offset` when it is confirmed (`follow`, `confirm`)
	 */
	doubted?: number;
}

/** @returns undefined when the stored value does not have this shape */
export function readClock(stored: unknown): ServerClock | undefined {
	if (!isRecord(stored) || !Number.isFinite(stored.offset)) return undefined;
	const { offset, doubted } = stored as { offset: number; doubted?: unknown };
	return Number.isFinite(doubted) ? { offset, doubted: doubted as number } : { offset };
}

/** The time of the service at a poll. */
export interface ServiceTime {
	/** Milliseconds since 1970; the earliest possible time unless it is certain */
	time: number;
	/** Whether the service sent it, consistent with the last poll. If not, either clock may be wrong */
	isCertain: boolean;
}

/** A client, and the time of its server. */
export interface TimedClient {
	client: ApiClient;
	/** undefined before the first response, and when no response of this or an earlier poll contained a time */
	serviceTime(): ServiceTime | undefined;
	/**
	 * Accepts a doubted time when something happened at it, as the service dates that itself.
	 *
	 * @param times times of new items, in milliseconds since 1970
	 */
	confirm(times: number[]): void;
	/** The clock for the next poll */
	clock(): ServerClock | undefined;
	/** Whether a time was sent that is not consistent with the last poll */
	isDoubted(): boolean;
	/** Whether the time that was doubted before is accepted now */
	isChanged(): boolean;
}

const isAlike = (a: number, b: number | undefined): boolean =>
	b !== undefined && Math.abs(a - b) <= limits.triggerClockDriftMs;

/**
 * Follows a `Date` of the server. The clocks of the server and of n8n may differ by any amount, but by
 * the same one at every poll. A `Date` that is suddenly off, for example from one of several proxies, is
 * not used until it is confirmed. One that is behind is confirmed by a second poll: at worst the trigger
 * returns too much, and nothing is lost. One that is ahead would make new records old, so a second poll
 * alone does not confirm it (`confirm`).
 */
function follow(known: ServerClock | undefined, offset: number): ServerClock {
	if (known === undefined) return { offset };
	// Keeps a similar value, so that the state does not change with every poll.
	if (isAlike(offset, known.offset)) return { offset: known.offset };
	const isRepeated = isAlike(offset, known.doubted);
	if (isRepeated && offset < known.offset) return { offset };
	return { offset: known.offset, doubted: isRepeated ? known.doubted : offset };
}

/**
 * Reads the server's clock from its responses.
 *
 * @param known what the last poll knew of that clock
 */
export function timedClient(client: ApiClient, known: ServerClock | undefined): TimedClient {
	let clock = known;
	let time: ServiceTime | undefined;
	/** By the clock of n8n, when the time was sent */
	let now = 0;

	function listen(date: number | undefined) {
		now = Date.now();
		// A time before 1970 is invalid.
		const hasTime = date !== undefined && date > 0;
		if (hasTime) clock = follow(known, date - now);
		if (clock === undefined) return;
		const expected = Math.max(0, now + clock.offset);
		time =
			hasTime && clock.doubted === undefined
				? { time: date, isCertain: true }
				: { time: hasTime ? Math.min(date, expected) : expected, isCertain: false };
	}

	return {
		client: {
			...client,
			async request(options) {
				const response = await client.request(options);
				// The time of a refusal may be that of a proxy.
				if (isSuccess(response) && time === undefined) listen(response.date);
				return response;
			},
		},
		serviceTime: () => time,
		confirm(times) {
			const { offset = 0, doubted } = clock ?? {};
			if (doubted === undefined || doubted !== known?.doubted) return;
			const from = now + offset + limits.triggerClockDriftMs;
			const until = now + doubted + limits.triggerClockDriftMs;
			if (times.some((each) => each > from && each <= until)) clock = { offset: doubted };
		},
		clock: () => clock,
		isDoubted: () => clock?.doubted !== undefined,
		isChanged: () => known !== undefined && clock?.offset !== known.offset,
	};
}
