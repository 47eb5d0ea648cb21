import { isRecord } from '../../transport/values';

/** A value in the copy whose content has not been copied yet. */
interface Open {
	from: unknown;
	into: Record<string | number, unknown>;
	key: string | number;
}

/**
 * Copies a JSON value with the keys of all objects sorted, because the service returns them in an order
 * that an import changes (recorded). Lists keep their order. Not recursive, because each step of a flow
 * is nested in the one before.
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
			// Sets all keys at once: this fixes their order, and makes `__proto__` an ordinary key.
			const copy = Object.fromEntries(keys.map((each): [string, unknown] => [each, null]));
			into[key] = copy;
			for (const each of keys) open.push({ from: from[each], into: copy, key: each });
		} else {
			into[key] = from;
		}
	}
	return root.value as T;
}
