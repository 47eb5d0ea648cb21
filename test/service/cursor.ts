import { FrameworkError, timeOf } from './errors';

/** How a list is sorted and how its cursors describe a row. */
export interface Ordering<Row, Key> {
	/** inner text of a row's cursor */
	describe(row: Row): string;
	/** the sort values in a cursor's inner text; null when there are none and the cursor has no effect */
	parse(inner: string): Key | null;
	/** negative when the row lies before the key, positive when after, 0 when on it */
	compare(row: Row, key: Key): number;
}

/** `next_`/`prev_` and the base64 of the inner text, in base64 again. */
export function encodeCursor(direction: 'next' | 'prev', inner: string): string {
	const encoded = Buffer.from(inner).toString('base64');
	return Buffer.from(`${direction}_${encoded}`).toString('base64');
}

/** The direction and the inner text; null for any other cursor: the service then silently returns its first page. */
export function decodeCursor(cursor: string | undefined) {
	const text = Buffer.from(cursor ?? '', 'base64').toString();
	const [, direction, inner] = /^(next|prev)_([^]+)$/.exec(text) ?? [];
	if (inner === undefined) return null;
	return { isBackward: direction === 'prev', inner: Buffer.from(inner, 'base64').toString() };
}

/**
 * Lists sorted by `created`: the cursor has milliseconds but is compared by whole seconds, so records
 * created in the second of a page's last record are never seen.
 */
export const byCreated: Ordering<{ created: string }, number> = {
	describe: (row) => `created:${Date.parse(row.created)}`,
	parse(inner) {
		const [column, value] = inner.split(',')[0].split(':');
		if (column !== 'created') throw new FrameworkError(500, `entity property not found ${column}`);
		const time = Number(value);
		if (value === undefined || Number.isNaN(time)) {
			throw new FrameworkError(500, 'date column in cursor should be a valid timestamp');
		}
		return Math.floor(time / 1000);
	},
	compare: (row, second) => Math.floor(Date.parse(row.created) / 1000) - second,
};

export const byCreatedDescending: typeof byCreated = {
	...byCreated,
	compare: (row, second) => -byCreated.compare(row, second),
};

/**
 * Flows sorted by status, then `updated`, both descending. Records have microseconds, cursors
 * milliseconds, so the previous page starts with the same record again.
 * @param micros microseconds below the millisecond, by flow ID
 */
export function byStatusAndUpdated(
	micros: ReadonlyMap<string, number>,
): Ordering<{ id: string; status: string; updated: string }, { status: string; micros: number }> {
	return {
		describe: (row) => JSON.stringify({ status: row.status, updated: row.updated }),
		parse(inner) {
			const key = parseObject(inner);
			if (key?.status === undefined || key.updated === undefined) return null;
			return { status: String(key.status), micros: timeOf(String(key.updated)) * 1000 };
		},
		compare(row, key) {
			if (row.status !== key.status) return row.status > key.status ? -1 : 1;
			return key.micros - (Date.parse(row.updated) * 1000 + (micros.get(row.id) ?? 0));
		},
	};
}

/**
 * Runs since 0.80: newest first, by created and ID. Records have microseconds, cursors milliseconds, so
 * records that differ in less are lost at page edges; the server itself writes none.
 * @param micros microseconds below the millisecond, by run ID
 */
export function byCreatedAndId(
	micros: ReadonlyMap<string, number>,
): Ordering<{ id: string; created: string }, { micros: number; id: string }> {
	return {
		describe: ({ created, id }) => JSON.stringify({ created, id }),
		parse(inner) {
			const { created, id } = parseObject(inner) ?? {};
			if (typeof created !== 'string' || typeof id !== 'string') return null;
			return { micros: timeOf(created) * 1000, id };
		},
		compare(row, key) {
			const time = Date.parse(row.created) * 1000 + (micros.get(row.id) ?? 0);
			if (time !== key.micros) return key.micros - time;
			return row.id === key.id ? 0 : row.id > key.id ? -1 : 1;
		},
	};
}

type ProjectKey = { type: string; displayName: string; id: string };

/** Projects: personal ones first, then by name and id. */
export const byTypeAndName: Ordering<ProjectKey, ProjectKey> = {
	describe: ({ type, displayName, id }) => JSON.stringify({ type, displayName, id }),
	parse(inner) {
		const key = parseObject(inner);
		if (key?.type === undefined) return null;
		return { type: String(key.type), displayName: String(key.displayName), id: String(key.id) };
	},
	compare: compareProjects,
};

export function compareProjects(a: ProjectKey, b: ProjectKey): number {
	for (const column of ['type', 'displayName', 'id'] as const) {
		if (a[column] !== b[column]) return a[column] < b[column] ? -1 : 1;
	}
	return 0;
}

function parseObject(text: string): Record<string, unknown> | null {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? { ...value } : null;
	} catch {
		return null;
	}
}
