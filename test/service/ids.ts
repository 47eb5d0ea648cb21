const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Spreads the bits of a 32-bit number (the finaliser of MurmurHash3). */
function mix(value: number): number {
	let h = value >>> 0;
	h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
	h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
	return (h ^ (h >>> 16)) >>> 0;
}

function seedOf(kind: string): number {
	let h = 0x811c9dc5;
	for (let i = 0; i < kind.length; i++) h = Math.imul(h ^ kind.charCodeAt(i), 0x01000193);
	return h >>> 0;
}

/**
 * A text of `length` alphanumerics that depends only on its arguments. Five characters come from one
 * 32-bit number (62^5 < 2^32), so that 100,000 flows are made quickly.
 */
export function alphanumerics(kind: string, index: number, length: number): string {
	const seed = seedOf(kind);
	let text = '';
	for (let word = 0; text.length < length; word++) {
		let n = mix(mix(seed + Math.imul(index, 0x9e3779b1)) + Math.imul(word + 1, 0x7f4a7c15));
		for (let i = 0; i < 5 && text.length < length; i++) {
			// Without %, which is slow beyond 31 bits.
			const rest = (n / 62) | 0;
			text += ALPHABET[n - rest * 62];
			n = rest;
		}
	}
	return text;
}

/** An id as the service makes them: 21 characters of [0-9A-Za-z]. */
export function makeId(kind: string, index = 0): string {
	return alphanumerics(kind, index, 21);
}

/** An API key of the real format: `sk-` and 61 alphanumerics. */
export function makeApiKey(owner: string): string {
	return `sk-${alphanumerics(owner, 0, 61)}`;
}

/** ISO-8601 text in UTC of `base` plus a number of milliseconds. */
export function timestamp(base: string, plusMs = 0): string {
	return new Date(Date.parse(base) + plusMs).toISOString();
}

/** What every record begins with. */
export function madeAt(id: string, created: string, updated = created) {
	return { id, created, updated };
}

/** Three digits or more, as in `conn-001`. */
export function padded(n: number, width = 3): string {
	return String(n).padStart(width, '0');
}

export function many<Value>(count: number, make: (index: number) => Value): Value[] {
	return Array.from({ length: count }, (_, index) => make(index));
}

/** @throws when there is no record with this ID */
export function find<Row extends { id: string }>(rows: Row[], id: string): Row {
	const row = rows.find((each) => each.id === id);
	if (!row) throw new Error(`There is no record ${id}`);
	return row;
}
