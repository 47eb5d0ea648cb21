/** How values are kept in the state that n8n stores as JSON, and read from it, whoever wrote it. */
import type { EventState } from './event';

/**
 * A map as n8n stores it: `[key, value, key, value]`. As keys of an object, IDs such as `__proto__` and
 * `constructor` would be lost, or found where nobody stored them.
 */
type FlatMap = unknown[];

const toFlatMap = (map: ReadonlyMap<string, unknown>): FlatMap => [...map].flat();

/** @returns undefined when it is not such a map */
function fromFlatMap<Value>(flat: unknown, isValue: (value: unknown) => value is Value) {
	if (!Array.isArray(flat) || flat.length % 2 !== 0) return undefined;
	const map = new Map<string, Value>();
	for (let index = 0; index < flat.length; index += 2) {
		const [key, value] = [flat[index], flat[index + 1]] as unknown[];
		if (typeof key !== 'string' || !isValue(value)) return undefined;
		map.set(key, value);
	}
	return map;
}

export interface Entry<Value> {
	list: string;
	value: Value;
}

export interface WatchedLists<OfList, Value> {
	/** Time of the server at the last poll */
	polled: number;
	lists: Map<string, OfList>;
	/** By ID of a record */
	records: Map<string, Entry<Value>>;
}

/** @param name that of the records in the state. Returns undefined when the state has another shape. */
export function readState<OfList, Value>(
	state: EventState | undefined,
	name: string,
	isOfList: (value: unknown) => value is OfList,
	isValue: (value: unknown) => value is Value,
): WatchedLists<OfList, Value> | undefined {
	const { polled, lists: flat, [name]: grouped } = state ?? {};
	const lists = fromFlatMap(flat, isOfList);
	const groups = fromFlatMap(grouped, Array.isArray as (value: unknown) => value is FlatMap);
	if (lists === undefined || groups === undefined || !isTime(polled)) return undefined;
	const records = new Map<string, Entry<Value>>();
	for (const [list, group] of groups) {
		const values = fromFlatMap(group, isValue);
		if (values === undefined) return undefined;
		for (const [id, value] of values) records.set(id, { list, value });
	}
	return { polled, lists, records };
}

/** The records are grouped by their list, so that the ID of a project is stored once. */
export function writeState(
	{ polled, lists, records }: WatchedLists<unknown, unknown>,
	name: string,
) {
	const groups = new Map<string, FlatMap>();
	for (const [id, { list, value }] of records) {
		const group = groups.get(list) ?? [];
		group.push(id, value);
		groups.set(list, group);
	}
	return { polled, lists: toFlatMap(lists), [name]: toFlatMap(groups) } as EventState;
}

export const isText = (value: unknown): value is string => typeof value === 'string';

/** The latest time of a `Date` */
const MAX_TIME = 8.64e15;

/** Whether a value is a time in milliseconds since 1970; 0 means none */
export const isTime = (value: unknown): value is number =>
	typeof value === 'number' && value >= 0 && value <= MAX_TIME;

/** Parses a time of the service, in milliseconds since 1970; 0 for none. */
export const toTime = (time: unknown) => Math.max(0, new Date(time as string).getTime() || 0);
