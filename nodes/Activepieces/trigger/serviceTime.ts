import type { ApiClient } from '../transport/client';
import { limits } from '../transport/limits';
import { isSuccess } from '../transport/response/response';
import { isRecord } from '../transport/values/isRecord';

/** Reads a time that the service wrote, in milliseconds since 1970; 0 for none. */
export const toTime = (time: unknown): number =>
	typeof time === 'string' || typeof time === 'number'
		? Math.max(0, new Date(time).getTime() || 0)
		: 0;

/** The server's clock as far as it is known, in milliseconds that it is ahead of n8n's (negative: behind). */
export interface ServerClock {
	/** Tells the time */
	offset: number;
	/** Offset of the last answer, where that was another one; it counts when it is confirmed (`follow`, `confirm`) */
	doubted?: number;
}

/** @returns nothing when the stored value is not of this shape */
export function readClock(stored: unknown): ServerClock | undefined {
	if (!isRecord(stored) || !Number.isFinite(stored.offset)) return undefined;
	const { offset, doubted } = stored as { offset: number; doubted?: unknown };
	return Number.isFinite(doubted) ? { offset, doubted: doubted as number } : { offset };
}

/** The time of the service at a poll. */
export interface ServiceTime {
	/** Milliseconds since 1970; at the earliest, unless it is certain */
	time: number;
	/** The service told it, and it follows that of the last poll. If not, either clock may be wrong */
	isCertain: boolean;
}

/** A client, and the time of its server. */
export interface TimedClient {
	client: ApiClient;
	/** Nothing before the first answer, and when no answer, of this poll or an earlier one, told it */
	serviceTime(): ServiceTime | undefined;
	/**
	 * Believes a time that is doubted when something happened at it, as the service dates that itself.
	 *
	 * @param times when something happened that is new, in milliseconds since 1970
	 */
	confirm(times: number[]): void;
	/** The clock that the next poll goes on from */
	clock(): ServerClock | undefined;
	/** Whether a time was told that does not follow that of the last poll */
	isDoubted(): boolean;
	/** Whether the time that was doubted before is believed now */
	isChanged(): boolean;
}

const isAlike = (a: number, b: number | undefined): boolean =>
	b !== undefined && Math.abs(a - b) <= limits.triggerClockDriftMs;

/**
 * Follows a `Date` of the server. The clocks of the server and of n8n may differ by any time, but by the same one at every
 * poll. A `Date` that is suddenly off, as of one proxy of several, is no time until it is confirmed. One that is behind
 * is by a second poll: it can make the trigger give too much, and nothing is lost by it. One that is ahead would make
 * old what is new, so a second poll alone does not confirm it (`confirm`).
 */
function follow(known: ServerClock | undefined, offset: number): ServerClock {
	if (known === undefined) return { offset };
	// What is alike stays, so that the state does not change with every poll.
	if (isAlike(offset, known.offset)) return { offset: known.offset };
	const isHeardAgain = isAlike(offset, known.doubted);
	if (isHeardAgain && offset < known.offset) return { offset };
	return { offset: known.offset, doubted: isHeardAgain ? known.doubted : offset };
}

/**
 * Reads the server's clock off its answers.
 *
 * @param known what the last poll knew of that clock
 */
export function timedClient(client: ApiClient, known: ServerClock | undefined): TimedClient {
	let clock = known;
	let time: ServiceTime | undefined;
	/** By the clock of n8n, when the time was told */
	let now = 0;

	function listen(date: number | undefined) {
		now = Date.now();
		// One before 1970 is no time at all.
		const isTold = date !== undefined && date > 0;
		if (isTold) clock = follow(known, date - now);
		if (clock === undefined) return;
		const expected = Math.max(0, now + clock.offset);
		time =
			isTold && clock.doubted === undefined
				? { time: date, isCertain: true }
				: { time: isTold ? Math.min(date, expected) : expected, isCertain: false };
	}

	return {
		client: {
			...client,
			async request(options) {
				const response = await client.request(options);
				// A proxy that refuses tells a time of its own.
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
