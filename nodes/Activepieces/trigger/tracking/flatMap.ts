/**
 * A map as n8n stores it: `[key, value, key, value]`. As keys of an object, IDs such as `__proto__` and
 * `constructor` would be lost, or found where nobody stored them.
 */
export type FlatMap = unknown[];

export const toFlatMap = (map: ReadonlyMap<string, unknown>): FlatMap => [...map].flat();

/** @returns undefined when it is not such a map, however it got into the stored state */
export function fromFlatMap<Value>(
	flat: unknown,
	isValue: (value: unknown) => value is Value,
): Map<string, Value> | undefined {
	if (!Array.isArray(flat) || flat.length % 2 !== 0) return undefined;
	const map = new Map<string, Value>();
	for (let index = 0; index < flat.length; index += 2) {
		const [key, value] = [flat[index], flat[index + 1]] as unknown[];
		if (typeof key !== 'string' || !isValue(value)) return undefined;
		map.set(key, value);
	}
	return map;
}

export const isText = (value: unknown): value is string => typeof value === 'string';

/** The latest time of a `Date` */
const MAX_TIME = 8.64e15;

/** Whether a value is a time in milliseconds since 1970; 0 means none */
export const isTime = (value: unknown): value is number =>
	typeof value === 'number' && value >= 0 && value <= MAX_TIME;
