import { limits } from '../transport/limits';
import type { EventState } from './event';
import type { ListsRead } from './lists';
import type { TriggerItem } from './oldestItems';
import {
	type Entry,
	fromFlatMap,
	fromGroups,
	isText,
	isTime,
	toFlatMap,
	toGroups,
} from './storedValues';

interface Known {
	/** Time of the server at the last poll */
	polled: number;
	/** By list, 0 if it was read; otherwise the time up to which its changes are no events */
	lists: Map<string, number>;
	/** Values by ID of a record, without the empty value that every record starts with */
	values: Map<string, Entry<string>>;
}

function readState(state: EventState | undefined): Known | undefined {
	const lists = fromFlatMap(state?.lists, isTime);
	const values = fromGroups(state?.values, isText);
	const polled = state?.polled;
	if (lists === undefined || values === undefined || !isTime(polled)) return undefined;
	return { polled, lists, values };
}

export const isValuesState = (state: EventState): boolean => readState(state) !== undefined;

/** A record with the data that its changes are recognized by. */
interface ObservedValue {
	id: string;
	value: string;
	list: string;
	/** Decides in a new list whether the record has the value for long, in milliseconds since 1970 */
	time: number;
	/** Whether it is no change if the record had another value, except the empty one */
	isLike?: boolean;
}

/**
 * Recognizes records whose value has changed. It keeps only values that differ from that of a new record,
 * so a record created since then needs no entry, and the state follows from the items that were returned.
 */
export class ChangedValues {
	/** State of an earlier poll; undefined while watching starts */
	private readonly last: Known | undefined;

	private readonly values: Known['values'];

	private readonly found = new Set<string>();

	/**
	 * @param now the time of the server
	 * @param isAbsenceKnown whether a record has the empty value if its list does not contain it. Otherwise it
	 * keeps its value: a list may lack records, even all of them, which then return
	 */
	constructor(
		state: EventState | undefined,
		private readonly now: () => number,
		private readonly isAbsenceKnown = false,
	) {
		this.last = readState(state);
		this.values = this.last?.values ?? new Map<string, Entry<string>>();
	}

	/** Whether the value differs from the known one; no value does while watching starts. */
	isChanged({ id, value, list, time, isLike = false }: ObservedValue): boolean {
		this.found.add(id);
		const known = this.values.get(id)?.value ?? '';
		if (value === known) return false;
		const until = this.oldUntil(list);
		// The record had the value when its project became visible, so nothing has happened.
		const isOld = known === '' && until > 0 && time <= until;
		const isSame = known !== '' && isLike;
		if (this.last !== undefined && !isOld && !isSame) return true;
		this.values.set(id, { list, value });
		return false;
	}

	/** @param items that are returned */
	nextState(items: TriggerItem[], { listed, unread }: ListsRead): EventState {
		const isUnread = new Set(unread.map(({ list }) => list));
		const lists = new Map(
			listed.map((list) => [list, isUnread.has(list) ? this.oldUntil(list) : 0]),
		);
		for (const { id, list, value = '' } of items) {
			if (value === '') this.values.delete(id);
			else this.values.set(id, { list, value });
		}
		for (const [id, { list }] of this.values) {
			const isAbsent = !this.found.has(id);
			const isGone = this.isAbsenceKnown && lists.get(list) === 0 && !isUnread.has(list);
			// No more than necessary.
			const isTooMany = this.values.size > limits.triggerMaxValues;
			if (isAbsent && (isGone || isTooMany)) this.values.delete(id);
		}
		return { polled: this.now(), lists: toFlatMap(lists), values: toGroups(this.values) };
	}

	/** The time up to which changes in a list are no events; 0 for a list that was read before. */
	private oldUntil(list: string): number {
		if (this.last === undefined) return this.now();
		const { polled, lists } = this.last;
		return lists.get(list) ?? Math.max(0, Math.min(polled, this.now()) - limits.triggerLatenessMs);
	}
}
