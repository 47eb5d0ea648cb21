/* Which values have changed since the last poll: the state of `valueEvent`. */
import { limits } from '../transport/limits';
import type { EventState } from './event';
import type { EventContext } from './eventContext';
import type { ListsRead } from './lists';
import type { TriggerItem } from './newRecords';
import {
	parseWatched,
	writeWatched,
	type Entry,
	type ListForm,
	type WatchedLists,
} from './watchedLists';

interface ObservedValue {
	id: string;
	value: string;
	listId: string;
	/** Decides in a new list whether the record has the value for long, in milliseconds since 1970 */
	time: number;
}

/** What is known of a list. */
interface KnownList {
	/**
	 * If the last poll did not read the list: the time up to which its changes are no events; 0 if the state was stale, so
	 * that all are
	 */
	unreadUntil?: number;
}

/** Stored as one time, which is 0 for a list that was read. */
const LIST: ListForm<KnownList> = {
	parse: ([time = 0]) => (time === 0 ? {} : { unreadUntil: time }),
	write: ({ unreadUntil }) => (unreadUntil === undefined ? 0 : Math.max(1, unreadUntil)),
};

/**
 * Recognizes records whose value has changed. It keeps only values that differ from that of a new record,
 * so a record created since then needs no entry, and the state follows from the items that were returned.
 */
export class ChangedValues {
	/** Undefined while watching starts. The empty value, which every record starts with, is not kept */
	private readonly state: WatchedLists<string, KnownList> | undefined;

	private readonly values: Map<string, Entry<string>>;

	private readonly found = new Set<string>();

	/**
	 * @param isCondition whether a list has only records in a certain condition, which is an event when it
	 * begins. Of broken connections, one that is absent has recovered, and has the empty value again. One that
	 * was broken yesterday and is broken today with another value has not recovered; only if a state was lost
	 * in between, it may have recovered and broken again, and counts as new. Of flows, one that is absent
	 * keeps its value, because a list may lack records for a while
	 */
	constructor(
		state: EventState | undefined,
		private readonly context: Pick<EventContext, 'now'>,
		private readonly isStale: boolean,
		private readonly isCondition: boolean,
	) {
		this.state = parseWatched(state, 'values', LIST);
		this.values = this.state?.records ?? new Map<string, Entry<string>>();
	}

	/** Remembers a value, and returns whether it differs from the known one; none does while watching starts. */
	observe({ id, value, listId, time }: ObservedValue): boolean {
		const { isStale, isCondition } = this;
		this.found.add(id);
		const seen = this.values.get(id)?.value ?? '';
		if (value === seen) return false;
		const until = this.unreadUntil(listId);
		// The record had the value when its project became visible, so nothing has happened.
		const isOld = seen === '' && until !== undefined && until > 0 && time <= until;
		const isSame = seen !== '' && isCondition && !isStale && until === undefined;
		if (this.state !== undefined && !isOld && !isSame) {
			// So that it counts as new as well in a later poll, if this one leaves it.
			if (isCondition) this.values.delete(id);
			return true;
		}
		this.values.set(id, { listId, value });
		return false;
	}

	nextState(items: TriggerItem[], { read, unread }: ListsRead): EventState {
		const { isStale, isCondition } = this;
		const lists = new Map(read.map((listId): [string, KnownList] => [listId, {}]));
		for (const { listId } of unread) {
			const unreadUntil = this.unreadUntil(listId) ?? (isStale ? 0 : undefined);
			lists.set(listId, { unreadUntil });
		}
		for (const { id, listId, value = '' } of items) {
			if (value === '') this.values.delete(id);
			else this.values.set(id, { listId, value });
		}
		const isRead = new Set(read);
		for (const [id, { listId }] of this.values) {
			const isGone = isCondition && isRead.has(listId);
			const isTooMany = this.values.size > limits.triggerMaxValues;
			if (!this.found.has(id) && (isGone || isTooMany)) this.values.delete(id);
		}
		return writeWatched(
			{ polled: this.context.now(), lists, records: this.values },
			'values',
			LIST,
		);
	}

	/** See `KnownList`; a list that the last poll did not have was unread. */
	private unreadUntil(listId: string): number | undefined {
		const now = this.context.now();
		// The server sends its time in whole seconds, so a change of that very time came after it.
		if (this.state === undefined) return now - 1;
		const { polled, lists } = this.state;
		const list = lists.get(listId);
		if (list !== undefined) return list.unreadUntil;
		return Math.max(0, Math.min(polled, now) - limits.triggerLatenessMs);
	}
}
