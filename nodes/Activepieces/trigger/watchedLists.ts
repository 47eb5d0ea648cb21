/* How `NewRecords` and `ChangedValues` store what they know of lists and records, as JSON in n8n's state. */
import type { EventState } from './event';

/** What the state knows of a record. */
export interface Entry<Value> {
	listId: string;
	value: Value;
}

/** The state of an event that watches lists. */
export interface WatchedLists<Value, List> {
	/** Time of the server at the last poll */
	polled: number;
	/** By ID of a list, what is known of it */
	lists: Map<string, List>;
	/** By ID of a record */
	records: Map<string, Entry<Value>>;
}

/** The latest time of a `Date` */
const MAX_TIME = 8.64e15;

/** Whether a value is a time in milliseconds since 1970; 0 means none */
const isTime = (value: unknown): value is number =>
	typeof value === 'number' && value >= 0 && value <= MAX_TIME;

/** A map is stored as `[key, value, key, value]`: as a key of an object, the ID `__proto__` would be lost. */
function* entriesOf(flat: unknown): Generator<[key: string, value: unknown]> {
	const parts: unknown[] = Array.isArray(flat) ? flat : [];
	for (let index = 0; index < parts.length; index += 2) {
		yield [String(parts[index]), parts[index + 1]];
	}
}

/** How a list is stored: as its times, in the order of the numbers. */
export interface ListForm<List> {
	parse(times: number[]): List;
	write(list: List): number | number[];
}

/**
 * @param name that of the records in the state
 * @returns undefined when no poll can continue from the state: its times are none
 */
export function parseWatched<Value, List>(
	state: EventState | undefined,
	name: string,
	{ parse }: ListForm<List>,
): WatchedLists<Value, List> | undefined {
	const { polled, lists: flat, [name]: groups } = state ?? {};
	const stored = [...entriesOf(flat)].map(([listId, times]): [string, unknown[]] => [
		listId,
		[times].flat(),
	]);
	if (!isTime(polled) || !stored.every(([, times]) => times.every(isTime))) return undefined;
	const lists = new Map(stored.map(([listId, times]) => [listId, parse(times as number[])]));
	const records = new Map<string, Entry<Value>>();
	for (const [listId, group] of entriesOf(groups)) {
		for (const [id, value] of entriesOf(group)) records.set(id, { listId, value: value as Value });
	}
	return { polled, lists, records };
}

/** The records are grouped by their list, so that the ID of a project is stored once. */
export function writeWatched<List>(
	{ polled, lists: known, records }: WatchedLists<unknown, List>,
	name: string,
	{ write }: ListForm<List>,
): EventState {
	const lists = [...known].map(([listId, list]) => [listId, write(list)]);
	const groups = new Map<string, unknown[]>();
	for (const [id, { listId, value }] of records) {
		const group = groups.get(listId) ?? [];
		group.push(id, value);
		groups.set(listId, group);
	}
	return { polled, lists: lists.flat(), [name]: [...groups].flat() } as EventState;
}
