/* Which records are new since the last poll, and which of them it returns: the state of `recordEvent`. */
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../transport/limits';
import type { EventState } from './event';
import type { EventContext } from './eventContext';
import type { FoundItems, ListsRead } from './lists';
import {
	parseWatched,
	writeWatched,
	type Entry,
	type ListForm,
	type WatchedLists,
} from './watchedLists';

/** Something that happened, with its time by the clock of the service. */
export interface TriggerItem {
	id: string;
	time: number;
	listId: string;
	/** The new value of its record, if that is what has changed */
	value?: string;
	json: IDataObject;
}

type Items = Map<string, TriggerItem>;

const byTimeAndId = (a: TriggerItem, b: TriggerItem): number =>
	a.time - b.time || (a.id < b.id ? -1 : Number(a.id > b.id));

const oldestFirst = (items: Items): TriggerItem[] => [...items.values()].sort(byTimeAndId);

/**
 * The items that a poll returns: the oldest, up to a maximum number. Those beyond the number are
 * left to later polls at once, because days without n8n leave tens of thousands of them, and a raw flow run
 * may have 70 kB. Items of a list count only when it was read to its end, because a list that cannot be read
 * has none.
 */
export class OldestItems implements FoundItems {
	/** By list, the items of lists that are being read */
	private readonly reading = new Map<string, Items>();

	/** Of all lists that were read */
	private readonly items: Items = new Map();

	private readonly read = new Set<string>();

	private readonly left = new Map<string, number>();

	/** @param maxItems at most twice as many are kept of a list that is being read, and of all others together */
	constructor(private readonly maxItems: number) {}

	/** Adds an item. A list may contain a record twice. */
	add(item: TriggerItem): void {
		const items = this.reading.get(item.listId) ?? new Map<string, TriggerItem>();
		this.reading.set(item.listId, items);
		this.put(items, item);
	}

	hasEnough(listId: string, readUntil: number, isOneEnough: boolean): boolean {
		const items = [...(this.reading.get(listId)?.values() ?? [])];
		const count = items.filter(({ time }) => time <= readUntil).length;
		return count >= (isOneEnough ? 1 : this.maxItems);
	}

	listIsRead(listId: string): void {
		this.read.add(listId);
		for (const item of this.reading.get(listId)?.values() ?? []) this.put(this.items, item);
		this.reading.delete(listId);
	}

	/**
	 * Returns the items before all that were left out, because missing items may be older than the ones after
	 * them, and by list, the time from which some of its items were left out.
	 */
	result() {
		const left = new Map([...this.left].filter(([listId]) => this.read.has(listId)));
		// Infinity if nothing was left out, as usual.
		const leftFrom = Math.min(...left.values());
		const found = oldestFirst(this.items);
		const items = found.filter(({ time }) => time <= leftFrom).slice(0, this.maxItems);
		for (const { listId, time } of found.slice(items.length)) {
			left.set(listId, Math.min(left.get(listId) ?? Infinity, time));
		}
		return { items, left };
	}

	private put(items: Items, item: TriggerItem): void {
		items.set(item.id, item);
		if (items.size < 2 * this.maxItems) return;
		for (const { id, listId, time } of oldestFirst(items).slice(this.maxItems)) {
			items.delete(id);
			this.leave(listId, time);
		}
	}

	leave(listId: string, time: number): void {
		this.left.set(listId, Math.min(this.left.get(listId) ?? Infinity, time));
	}
}

/** What is known of a list. */
interface KnownList {
	/** All its records up to this time are known, or are no events; of a list that was read before, only `forget` raises it */
	knownUntil: number;
	/** The time from which records were left to the next poll, if the last one did not return everything */
	leftFrom?: number;
}

/** Stored as two times, of which the second one is 0 if nothing was left. */
const LIST: ListForm<KnownList> = {
	parse: ([knownUntil = 0, leftFrom = 0]) =>
		leftFrom === 0 ? { knownUntil } : { knownUntil, leftFrom },
	write: ({ knownUntil, leftFrom }) => [
		knownUntil,
		leftFrom === undefined ? 0 : Math.max(1, leftFrom),
	],
};

interface ObservedRecord {
	/** Identifies the event; with the time, unless that varies */
	id: string;
	time: number;
	/** Whether the time changes with every change of the record, so that it distinguishes no events */
	timeVaries: boolean;
	/** Whether an earlier time than before is no event */
	timeMayFall?: boolean;
	listId: string;
}

/** Since when others may still appear in a list whose newest record is of a time. */
const lateSince = (time: number): number => Math.max(0, time - limits.triggerLatenessMs);

/**
 * Recognizes new records by their own times, because three clocks may differ: that of the database, which
 * dates the records, that of responses, and that of n8n.
 *
 * The watermark is the newest time of all records seen, of all lists together, because one database dates
 * them. Example: the newest user joined at 10:00 when watching starts. Users up to 9:55 are known by their
 * time, those after it by their ID. A user of 9:58 that is stored only now, later than the one of 10:00, is
 * new. It makes no difference whether a response says that it is 9:30, or n8n that it is 10:30.
 *
 * The clocks only limit the watermark: after one record that is dated 2099, all others would be known.
 */
export class NewRecords {
	/** Undefined while watching starts. Of a record its time is known, because a retried run keeps its ID */
	private readonly state: WatchedLists<number, KnownList> | undefined;

	private readonly seen: Map<string, Entry<number>>;

	/**
	 * Dated records that exist when watching starts: the newest ones are known by their ID. The others are known by
	 * their time, and `nextState` drops them
	 */
	private readonly knownAtStart = new Map<string, Entry<number>>();

	private watermark = 0;

	/** Time of the server at the poll that raised the watermark last */
	private readonly raisedAt: number;

	/**
	 * The watermark is computed anew in each poll, from the records that are known by their ID. So it can fall, and a time
	 * of the future that was believed once is dropped with its record.
	 */
	constructor(
		state: EventState | undefined,
		private readonly context: Pick<EventContext, 'now'>,
	) {
		this.state = parseWatched(state, 'seen', LIST);
		this.seen = this.state?.records ?? new Map<string, Entry<number>>();
		const polled = this.state?.polled ?? 0;
		this.watermark = this.newestSeen(polled);
		// States of earlier releases have none.
		this.raisedAt = Number(state?.raisedAt ?? polled);
	}

	/** Whether watching starts, so that no record is new */
	get isStart(): boolean {
		return this.state === undefined;
	}

	/** Raises the watermark while watching starts, to a time that no clock says to be in the future. */
	raise(time: number): void {
		this.watermark = Math.max(this.watermark, Math.min(time, this.context.now(), Date.now()));
	}

	/** Returns the time since which new records may have appeared in a list, in milliseconds. */
	since(listId: string): number {
		const knownUntil = this.knownUntilOf(listId);
		const ofList = this.state?.lists.get(listId);
		if (this.state === undefined || ofList === undefined) return knownUntil;
		const { leftFrom } = ofList;
		if (leftFrom !== undefined) return Math.max(knownUntil, lateSince(leftFrom));
		// No newer record for some minutes: none can come late before the watermark any more. The last ones of many events need not be read again.
		const isSettled = this.state.polled - this.raisedAt >= limits.triggerLatenessMs;
		return Math.max(knownUntil, isSettled ? this.watermark : lateSince(this.watermark));
	}

	/** Whether no record of a list is new that has this time or an earlier one. */
	isBefore(time: number, listId: string): boolean {
		return time > 0 && time <= this.knownUntilOf(listId);
	}

	/**
	 * Remembers a record that is known, and returns whether it is new. None is new while watching starts, when all count
	 * as known.
	 */
	observe({ id, time, timeVaries, timeMayFall, listId }: ObservedRecord): boolean {
		if (this.state === undefined) {
			this.raise(time);
			if (timeVaries) this.seen.set(id, { listId, value: time });
			else if (time > this.knownUntilOf(listId)) this.knownAtStart.set(id, { listId, value: time });
			return false;
		}
		const seen = this.seen.get(id);
		const isSameEvent =
			seen !== undefined &&
			(timeVaries || (timeMayFall ? seen.value >= time : seen.value === time));
		if (!isSameEvent) return time > this.knownUntilOf(listId);
		if (timeMayFall) return false;
		// Kept up to date, so that a record whose time varies is known as long as it changes.
		this.seen.set(id, { listId, value: time });
		return false;
	}

	/**
	 * @param items that are returned
	 * @param left by list, the time from which new records are left to later polls
	 */
	nextState(
		items: TriggerItem[],
		left: ReadonlyMap<string, number>,
		{ read, unread }: ListsRead,
	): EventState {
		for (const [id, entry] of this.knownAtStart) {
			if (entry.value > this.knownUntilOf(entry.listId)) this.seen.set(id, entry);
		}
		for (const { id, time, listId } of items) this.seen.set(id, { listId, value: time });
		const polled = this.context.now();
		const lists = new Map<string, KnownList>();
		for (const listId of read) {
			lists.set(listId, { knownUntil: this.knownUntilOf(listId), leftFrom: left.get(listId) });
		}
		for (const { listId } of unread) lists.set(listId, this.unreadList(listId));
		const watermark = this.newestSeen(polled);
		this.forget(lists, watermark);
		const raisedAt = this.isStart || watermark > this.watermark ? polled : this.raisedAt;
		return { ...writeWatched({ polled, lists, records: this.seen }, 'seen', LIST), raisedAt };
	}

	/**
	 * The time up to which no record of a list is new, in milliseconds. For a list that the last poll
	 * did not have, it is that of the last poll.
	 */
	private knownUntilOf(listId: string): number {
		if (this.state === undefined) return lateSince(this.watermark);
		const { lists, polled } = this.state;
		return lists.get(listId)?.knownUntil ?? lateSince(Math.min(polled, this.context.now()));
	}

	/** The newest time of all records seen, except those of the future */
	private newestSeen(now: number): number {
		let newest = 0;
		for (const { value } of this.seen.values()) if (value <= now) newest = Math.max(newest, value);
		return newest;
	}

	/** A list that could not be read: nothing that happens from now on is lost. */
	private unreadList(listId: string): KnownList {
		// Nothing of it is known while watching starts, so only the time decides. The server sends it in whole
		// seconds, so a record with that very time came after it.
		const now = this.context.now();
		if (this.state === undefined) return { knownUntil: Math.max(0, now - 1), leftFrom: now };
		const leftFrom = this.state.lists.get(listId)?.leftFrom ?? this.watermark;
		return { knownUntil: this.knownUntilOf(listId), leftFrom };
	}

	/**
	 * Forgets the oldest records by ID; from then on they are known by their time. It keeps those that are
	 * recent enough for others to appear late among them.
	 */
	private forget(lists: Map<string, KnownList>, watermark: number): void {
		const newestFirst = [...this.seen].sort(([, a], [, b]) => b.value - a.value);
		let forgottenUntil = 0;
		newestFirst.forEach(([id, { listId, value: time }], index) => {
			const own = lists.get(listId);
			const leftFrom = own?.leftFrom;
			const isRecent =
				index < limits.triggerSeenRecords || time >= lateSince(leftFrom ?? watermark);
			const isKept = isRecent && index < limits.triggerMaxEntries;
			// Kept from `leftFrom` on: to forget one would raise `knownUntil` past what was left.
			if (isKept || (leftFrom !== undefined && time >= leftFrom)) return;
			this.seen.delete(id);
			if (leftFrom === undefined) forgottenUntil = Math.max(forgottenUntil, time);
			else own!.knownUntil = Math.max(own!.knownUntil, time);
		});
		// For all lists alike, because a flow may move from one project to another.
		for (const each of lists.values()) {
			if (each.leftFrom !== undefined) continue;
			each.knownUntil = Math.max(each.knownUntil, forgottenUntil);
		}
	}
}
