import { decodeCursor, encodeCursor, type Ordering } from './cursor';
import { FrameworkError } from './errors';

/** The envelope of every list. */
export interface Page<Row> {
	data: Row[];
	next: string | null;
	previous: string | null;
}

/** The parameters of a list request. */
export interface PageRequest {
	limit?: number;
	cursor?: string;
	/** Of a fault: maximum number of records on a page, whatever the limit */
	pageCap?: number;
}

const UNLIMITED = -1;

/** PostgreSQL rounds LIMIT to a whole number, halves away from zero. */
function sqlLimit(limit: number): number {
	if (!Number.isFinite(limit)) {
		throw new FrameworkError(500, 'column "infinity" does not exist', '42703');
	}
	const rounded = Math.sign(limit) * Math.round(Math.abs(limit));
	if (rounded < 0) throw new FrameworkError(500, 'LIMIT must not be negative', '2201W');
	return rounded;
}

function effectiveLimit(request: PageRequest, defaultLimit: number): number {
	const asked = request.limit ?? defaultLimit;
	const limit = asked || 100;
	if (request.pageCap === undefined) return limit;
	return limit === UNLIMITED ? request.pageCap : Math.min(limit, request.pageCap);
}

/** Index of the first record for which `reached` is true, in a list where it stays true. */
function firstIndex<Row>(rows: readonly Row[], reached: (row: Row) => boolean): number {
	let low = 0;
	let high = rows.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (reached(rows[middle])) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** Up to `count` matching records, from index `from` in steps of `step`. */
function collect<Row>(
	rows: readonly Row[],
	keep: (row: Row) => boolean,
	from: number,
	step: 1 | -1,
	count: number,
): Row[] {
	const found: Row[] = [];
	for (let i = from; i >= 0 && i < rows.length && found.length < count; i += step) {
		if (keep(rows[i])) found.push(rows[i]);
	}
	return found;
}

/**
 * One page, as the service's paginator makes it: it reads one more record than requested to see whether
 * more follow.
 * @param rows all records in the order of the list
 * @param keep the filters
 * @throws FrameworkError as PostgreSQL would, for invalid limits and cursors
 */
export function paginate<Row, Key>(
	rows: readonly Row[],
	keep: (row: Row) => boolean,
	request: PageRequest,
	ordering: Ordering<Row, Key>,
	defaultLimit = 10,
): Page<Row> {
	const limit = effectiveLimit(request, defaultLimit);
	const position = decodeCursor(request.cursor);
	const key = position && ordering.parse(position.inner);
	const backwards = position?.direction === 'prev';
	const count = limit === UNLIMITED ? Infinity : sqlLimit(limit + 1);

	let from = backwards ? rows.length - 1 : 0;
	if (key !== null) {
		from = backwards
			? firstIndex(rows, (row) => ordering.compare(row, key) >= 0) - 1
			: firstIndex(rows, (row) => ordering.compare(row, key) > 0);
	}
	const data = collect(rows, keep, from, backwards ? -1 : 1, count);
	if (limit === UNLIMITED) return { data, next: null, previous: null };

	const more = data.length > limit;
	if (more) data.pop();
	if (data.length === 0) return { data, next: null, previous: null };
	if (backwards) data.reverse();
	const forwards = position?.direction === 'next';
	const first = ordering.describe(data[0]);
	const last = ordering.describe(data[data.length - 1]);
	return {
		data,
		next: backwards || more ? encodeCursor('next', last) : null,
		previous: forwards || (more && backwards) ? encodeCursor('prev', first) : null,
	};
}

/** ILIKE '%text%': any case, `%` any text, `_` any character, backslash escapes. */
export function containsLike(text: string): (value: string) => boolean {
	const tokens = `%${text}%`.toLowerCase().match(/\\.|[^]/gsu) ?? [];
	return (value) => {
		const characters = [...value.toLowerCase()];
		// Whether the tokens so far match a number of characters from the start: no pattern takes long.
		let fits = new Uint8Array(characters.length + 1);
		fits[0] = 1;
		for (const token of tokens) {
			const next = new Uint8Array(fits.length);
			const literal = token.length > 1 ? token.replace(/^\\/, '') : token;
			for (let i = 0; i < next.length; i++) {
				if (token === '%') next[i] = fits[i] || (next[i - 1] ?? 0);
				else if (token === '_' || literal === characters[i - 1]) next[i] = fits[i - 1] ?? 0;
			}
			fits = next;
		}
		return fits[characters.length] === 1;
	};
}

/** A filter that matches everything when its parameter is not set. */
export function when<Value, Row>(
	value: Value | undefined,
	make: (value: Value) => (row: Row) => boolean,
): (row: Row) => boolean {
	return value === undefined ? () => true : make(value);
}

/** Whether all filters match. */
export function every<Row>(...filters: Array<(row: Row) => boolean>): (row: Row) => boolean {
	return (row) => filters.every((filter) => filter(row));
}
