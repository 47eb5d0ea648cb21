import { limits } from '../transport/limits';
import type { EventState } from './event';
import type { ListsRead } from './lists';
import type { TriggerItem } from './oldestItems';
import { type Entry, isTime, type Known, readKnown, writeKnown } from './storedValues';

/**
 * What is known of a list: the time up to which all its records are known, or are no events, and the time
 * from which the next poll has to find records again; 0 when the last poll returned everything.
 */
type KnownList = [until: number, due: number];

const isKnownList = (value: unknown): value is KnownList =>
	Array.isArray(value) && value.length === 2 && value.every(isTime);

interface ObservedRecord {
	/** Identifies the event; with the time, unless it is undated */
	id: string;
	time: number;
	/** Whether the time changes with every change of the record, so that it distinguishes no events */
	isUndated: boolean;
	list: string;
}

const early = (time: number): number => Math.max(0, time - limits.triggerLatenessMs);

/**
 * Recognizes new records by the service's own times. A record may appear later than a younger one: two
 * are stored at the same time, or the list changed while it was read. A time alone therefore does not
 * decide; among the latest records the IDs do.
 */
export class NewRecords {
	/** Undefined while watching starts. Of a record its time is known, because a retried run keeps its ID */
	private readonly last: Known<KnownList, number> | undefined;

	private readonly seen: Map<string, Entry<number>>;

	/** Time since which lists were requested: what is older is known, even if the clock of n8n is ahead */
	private listedFrom = 0;

	/** @param now the time of the server */
	constructor(
		state: EventState | undefined,
		private readonly now: () => number,
	) {
		this.last = readKnown(state, 'seen', isKnownList, isTime);
		this.seen = this.last?.records ?? new Map<string, Entry<number>>();
	}

	/**
	 * Returns the time up to which no record of a list is new, in milliseconds. For a list that the last poll
	 * did not have, it is that of the last poll.
	 */
	until(list: string): number {
		// By the clock that is behind: it is unknown which one is right, and listed records are known by ID.
		if (this.last === undefined) {
			return Math.min(
				this.now(),
				Math.max(early(Math.min(this.now(), Date.now())), this.listedFrom),
			);
		}
		return this.last.lists.get(list)?.[0] ?? early(Math.min(this.last.polled, this.now()));
	}

	/**
	 * Returns the time since which new records may have appeared in a list, in milliseconds. A time that is too
	 * early only makes the list longer.
	 */
	since(list: string): number {
		const { polled = this.now(), lists } = this.last ?? {};
		const since = early(Math.min(lists?.get(list)?.[1] || polled, Date.now()));
		this.listedFrom = Math.max(this.listedFrom, since);
		return since;
	}

	/** Whether a record is new. None is while watching starts, when all count as known. */
	isNew({ id, time, isUndated, list }: ObservedRecord): boolean {
		const isLater = time > this.until(list);
		if (this.last === undefined) {
			// All others are known by their time.
			if (isLater || isUndated) this.seen.set(id, { list, value: time });
			return false;
		}
		const seen = this.seen.get(id);
		if (seen === undefined || !(isUndated || seen.value === time)) return isLater;
		// Kept up to date, so that an undated record is known as long as it changes.
		this.seen.set(id, { list, value: time });
		return false;
	}

	/**
	 * @param items that are returned
	 * @param left by list, the time from which new records are left to later polls
	 */
	nextState(
		items: TriggerItem[],
		left: ReadonlyMap<string, number>,
		{ listed, unread }: ListsRead,
	): EventState {
		for (const { id, time, list } of items) this.seen.set(id, { list, value: time });
		const polled = this.now();
		const isUnread = new Set(unread.map(({ list }) => list));
		const lists = new Map(
			listed.map((list): [string, KnownList] => [
				list,
				isUnread.has(list) ? this.unreadList(list) : [this.until(list), left.get(list) ?? 0],
			]),
		);
		this.forget(lists, polled);
		return writeKnown({ polled, lists, records: this.seen }, 'seen');
	}

	/** A list that could not be read: nothing that happens from now on is lost. */
	private unreadList(list: string): KnownList {
		// Nothing of it is known while watching starts, so only the time decides. The server sends it in whole
		// seconds, so a record with that very time came after it.
		if (this.last === undefined) return [Math.max(0, this.now() - 1), this.now()];
		return [this.until(list), this.last.lists.get(list)?.[1] || this.last.polled];
	}

	/**
	 * Forgets the oldest records by ID; from then on they are known by their time. It keeps those that are
	 * recent enough for others to appear late among them.
	 */
	private forget(lists: Map<string, KnownList>, polled: number): void {
		const newestFirst = [...this.seen].sort(([, a], [, b]) => b.value - a.value);
		let known = 0;
		newestFirst.forEach(([id, { list, value: time }], index) => {
			const own = lists.get(list);
			const due = own?.[1] ?? 0;
			const isRecent = index < limits.triggerSeenRecords || time >= early(due || polled);
			const isKept = isRecent && index < limits.triggerMaxEntries;
			// What comes after it must be found again.
			if (isKept || (due > 0 && time >= due)) return;
			this.seen.delete(id);
			if (own !== undefined && due > 0) own[0] = Math.max(own[0], time);
			else known = Math.max(known, time);
		});
		// For all lists alike, because a flow may move from one project to another.
		for (const each of lists.values()) if (each[1] === 0) each[0] = Math.max(each[0], known);
	}
}
