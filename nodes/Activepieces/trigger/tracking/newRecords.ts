import { limits } from '../../transport/limits';
import type { EventState, Look, Occurrence } from '../event';

/**
 * Which records are known, in bounded space: those no later than `floor`, and those in `seen` by id with
 * their time. What stands in `seen` has the time too, since a run that is retried keeps its id.
 */
interface KnownRecords {
	floor: number;
	seen: Record<string, number>;
}

const NOTHING: KnownRecords = { floor: 0, seen: {} };

function readState(state: EventState | undefined): KnownRecords {
	return state === undefined ? NOTHING : (state as unknown as KnownRecords);
}

/**
 * The newest records by id and time, as many as are kept; what is older lies below the floor. Those among
 * which records may still show up late are all kept.
 *
 * @param serviceTime in milliseconds: no record that is dated after it makes others old
 */
function bounded({ floor, seen }: KnownRecords, serviceTime = Infinity): KnownRecords {
	const records = Object.entries(seen).sort(([, a], [, b]) => b - a);
	if (records.length <= limits.triggerSeenRecords) return { floor, seen };
	const [[, newest]] = records;
	const unsettled = Math.min(newest, serviceTime) - limits.triggerLatenessMs;
	const kept = records.filter(
		([, time], index) => index < limits.triggerSeenRecords || time >= unsettled,
	);
	const dropped = records.slice(kept.length).map(([, time]) => time);
	return { floor: Math.max(floor, ...dropped.slice(0, 1)), seen: Object.fromEntries(kept) };
}

/**
 * Tells new records from known ones by the service's own times. A record may be seen later than a younger
 * one: two are stored side by side, or the list moved while it was read. So a time alone does not decide;
 * among the last records the ids do.
 */
export function trackNewRecords(state: EventState | undefined) {
	const known = readState(state);
	return {
		/** Up to this time all records are known, in milliseconds; 0 while nothing is */
		knownUntil: Object.values(known.seen).reduce(
			(until, time) => Math.max(until, time - limits.triggerLatenessMs),
			known.floor,
		),

		/** Whether the record has to be looked at: it is not known, or nothing is yet */
		isNew: (id: string, time: number): boolean =>
			state === undefined || (time > known.floor && known.seen[id] !== time),

		/**
		 * @param found all records that are new
		 * @param serviceTime of the first answer, in milliseconds; nothing when the service does not tell it
		 */
		look(found: Occurrence[], serviceTime?: number): Look {
			const occurrences = [...found].sort((a, b) => a.time - b.time);
			const asSeen = (records: Occurrence[]) =>
				Object.fromEntries(records.map(({ id, time }) => [id, time]));
			if (state === undefined) {
				// What is older is known even if it was not in the list: lists of some releases leave out
				// records, that of runs begins at Lookback, and a project may appear later.
				const now = serviceTime ?? occurrences.at(-1)?.time ?? 0;
				const floor = Math.max(0, now - limits.triggerLatenessMs);
				const seen = asSeen(occurrences.filter(({ time }) => time > floor));
				return {
					occurrences: [],
					remember: () => ({ ...bounded({ floor, seen }, serviceTime) }),
				};
			}
			return {
				occurrences,
				remember: (given) => ({
					...bounded(
						{ floor: known.floor, seen: { ...known.seen, ...asSeen(given) } },
						serviceTime,
					),
				}),
			};
		},
	};
}
