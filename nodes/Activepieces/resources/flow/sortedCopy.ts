import { isRecord } from '../../transport/values/isRecord';

/** A place in a copy that is still to be filled. */
interface Open {
	from: unknown;
	into: Record<string | number, unknown>;
	key: string | number;
}

/**
 * Copies a value of JSON, with the keys of all its objects in the order of the alphabet: the service gives
 * them in an order of its own, which an import changes (recorded). Lists keep their order. Without recursion,
 * since each step of a flow is nested in the one before.
 */
export function sortedCopy<T>(value: T): T {
	const root: { value?: T } = {};
	const open: Open[] = [{ from: value, into: root as Open['into'], key: 'value' }];
	for (let place = open.pop(); place !== undefined; place = open.pop()) {
		const { from, into, key } = place;
		if (Array.isArray(from)) {
			const copy: unknown[] = new Array(from.length).fill(null);
			into[key] = copy;
			const list = copy as unknown as Open['into'];
			for (let at = 0; at < from.length; at++) open.push({ from: from[at], into: list, key: at });
		} else if (isRecord(from)) {
			const keys = Object.keys(from).sort();
			// All at once, which sets their order, and makes `__proto__` a key like any other.
			const copy = Object.fromEntries(keys.map((each): [string, unknown] => [each, null]));
			into[key] = copy;
			for (const each of keys) open.push({ from: from[each], into: copy, key: each });
		} else {
			into[key] = from;
		}
	}
	return root.value as T;
}
