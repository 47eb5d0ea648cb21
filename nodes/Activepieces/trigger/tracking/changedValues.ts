import { limits } from '../../transport/limits';
import type { EventState, Look, Occurrence } from '../event';

/** By id of a record, its value where it is not the empty one that every record begins with. */
type KnownValues = Record<string, string>;

/** @param state as n8n stored it */
const readState = (state: EventState | undefined): KnownValues =>
	(state?.values ?? {}) as KnownValues;

/**
 * Tells records whose value has changed. Only what differs from the value that a new record has is kept,
 * so that a record made since then needs no entry, and the state follows from what was given.
 */
export function trackChangedValues(state: EventState | undefined) {
	const known = readState(state);
	const listed = new Set<string>();
	return {
		/** Whether the value differs from the known one */
		isChanged(id: string, value: string): boolean {
			listed.add(id);
			return value !== (known[id] ?? '');
		},

		/** @param changed all records whose value has changed */
		look(changed: Occurrence[]): Look {
			const occurrences = changed.sort((a, b) => a.time - b.time);
			const remember = (given: Occurrence[]): EventState => {
				const values = new Map(Object.entries(known));
				for (const { id, version } of given) {
					if (version === '') values.delete(id);
					else values.set(id, version);
				}
				// A record may be missing from one list, so entries are let go only when they pile up.
				if (values.size > 2 * listed.size + limits.triggerSeenRecords) {
					for (const id of values.keys()) if (!listed.has(id)) values.delete(id);
				}
				return { values: Object.fromEntries(values) };
			};
			return state === undefined
				? { occurrences: [], remember: () => remember(occurrences) }
				: { occurrences, remember };
		},
	};
}
