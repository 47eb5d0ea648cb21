import type { Ordering } from './cursor';
import { byCreated } from './cursor';
import { FrameworkError } from './errors';

interface RunKey {
	micros: number;
	id: string;
}

/** Lists sorted newest first, whose cursor is compared by whole seconds like that of `byCreated`. */
export const byCreatedDescending: Ordering<{ created: string }, number> = {
	...byCreated,
	compare: (row, second) => -byCreated.compare(row, second),
};

/**
 * Runs since 0.80: newest first, by created and ID. Records have microseconds, cursors milliseconds, so
 * records that differ in less are lost at page edges; the server itself writes none.
 * @param micros microseconds below the millisecond, by run ID
 */
export function byCreatedAndId(
	micros: ReadonlyMap<string, number>,
): Ordering<{ id: string; created: string }, RunKey> {
	return {
		describe: ({ created, id }) => JSON.stringify({ created, id }),
		parse(inner) {
			const { created, id } = parsed(inner);
			if (typeof created !== 'string' || typeof id !== 'string') return null;
			const time = Date.parse(created);
			if (Number.isNaN(time)) {
				const type = 'invalid input syntax for type timestamp with time zone';
				throw new FrameworkError(500, `${type}: "${created}"`, '22007');
			}
			return { micros: time * 1000, id };
		},
		compare(row, key) {
			const time = Date.parse(row.created) * 1000 + (micros.get(row.id) ?? 0);
			if (time !== key.micros) return key.micros - time;
			return row.id === key.id ? 0 : row.id > key.id ? -1 : 1;
		},
	};
}

function parsed(text: string): Record<string, unknown> {
	try {
		return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
	} catch {
		return {};
	}
}
