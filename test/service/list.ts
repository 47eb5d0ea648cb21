import type { FastifyRequest } from 'fastify';
import type { z } from 'zod/v4';

import { decodeCursor, encodeCursor, type Ordering } from './cursor';
import { timeOf } from './errors';
import { number, shape, text } from './schema';

/** The query of a paged list, with parameters of its own. */
export const paged = <Fields extends z.ZodRawShape>(fields: Fields) =>
	shape({ ...fields, limit: number, cursor: text });

interface Page<Row> {
	data: Row[];
	next: string | null;
	previous: string | null;
}

/** A list without pages, or the whole of one. */
export const wholeList = <Row>(data: Row[]): Page<Row> => ({ data, next: null, previous: null });

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

/**
 * One page, as the service's paginator makes it: it reads one more record than requested to see whether
 * more follow. With a `previous` as cursor, it reads the other way: the nearest records before the cursor,
 * in the order of the list (helper/pagination/paginator.ts in the service's source).
 * @throws FrameworkError for an invalid cursor
 */
export function paginate<Row, Key>(
	request: FastifyRequest,
	rows: readonly Row[],
	keep: (row: Row) => boolean,
	ordering: Ordering<Row, Key>,
	defaultLimit = 10,
): Page<Row> {
	const asked = request.query as { limit?: number; cursor?: string };
	const limit = (asked.limit ?? defaultLimit) || 100;
	const cursor = decodeCursor(asked.cursor);
	const key = cursor === null ? null : ordering.parse(cursor.inner);
	const isBackward = cursor?.isBackward === true && key !== null;
	const from = isBackward ? 0 : 1;
	const isReached = (row: Row) => key === null || ordering.compare(row, key) >= from;
	const start = firstIndex(rows, isReached);
	const step = isBackward ? -1 : 1;
	const data: Row[] = [];
	for (
		let i = isBackward ? start - 1 : start;
		i >= 0 && i < rows.length && data.length <= limit;
		i += step
	) {
		if (keep(rows[i])) data.push(rows[i]);
	}
	const more = data.length > limit;
	if (more) data.pop();
	if (data.length === 0) return wholeList(data);
	if (isBackward) data.reverse();
	const [hasNext, hasPrevious] = isBackward ? [true, more] : [more, cursor !== null];
	return {
		data,
		next: hasNext ? encodeCursor('next', ordering.describe(data[data.length - 1])) : null,
		previous: hasPrevious ? encodeCursor('prev', ordering.describe(data[0])) : null,
	};
}

/** ILIKE '%text%': any case, `%` any text, `_` any character, backslash escapes. */
function containsLike(text: string): (value: string) => boolean {
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

type Filter<Row> = (row: Row) => boolean;

/** A filter that matches everything when its parameter is not set. */
export function when<Value, Row>(
	value: Value | undefined,
	make: (value: Value) => Filter<Row>,
): Filter<Row> {
	return value === undefined ? () => true : make(value);
}

/** A filter by a text that one of the row's texts contains. */
export const like = <Row>(wanted: string | undefined, ...textsOf: Array<(row: Row) => string>) =>
	when(wanted, (text): Filter<Row> => {
		const matches = containsLike(text);
		return (row) => textsOf.some((textOf) => matches(textOf(row)));
	});

export const equal = <Row, Value>(wanted: Value | undefined, valueOf: (row: Row) => Value) =>
	when(
		wanted,
		(value): Filter<Row> =>
			(row) =>
				valueOf(row) === value,
	);

/** A filter by some values of a field, or by those that a row has several of. */
export const oneOfThese = <Row>(
	wanted: string[] | undefined,
	valueOf: (row: Row) => string | string[] | null,
) =>
	when(wanted, (list): Filter<Row> => {
		const values = new Set<string | null>(list);
		return (row) => {
			const own = valueOf(row);
			return Array.isArray(own) ? own.some((value) => values.has(value)) : values.has(own);
		};
	});

/** A filter by the time of creation; the bounds are included, and empty texts are none. */
export const createdBetween = <Row extends { created: string }>(
	after?: string,
	before?: string,
) => {
	const [start, end] = [after, before].map((text) => (text ? timeOf(text) : undefined));
	return every<Row>(
		when(start, (time) => (row) => Date.parse(row.created) >= time),
		when(end, (time) => (row) => Date.parse(row.created) <= time),
	);
};

export function every<Row>(...filters: Array<Filter<Row>>): Filter<Row> {
	return (row) => filters.every((filter) => filter(row));
}
