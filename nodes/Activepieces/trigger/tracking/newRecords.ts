import { limits } from '../../transport/limits';
import type { EventState, PollResult, TriggerItem } from '../event';
import { byTimeAndId, type FoundItems } from '../oldestOutputs';
import type { ServiceTime } from '../serviceTime';
import { boundedDated, type DatedRecords, latestTime, type Seen } from './datedRecords';
import { type FlatMap, fromFlatMap, isText, isTime, toFlatMap } from './flatMap';
import {
	type KnownProjects,
	latestFloor,
	nextProjects,
	projectRules,
	type ProjectsSeen,
	readProjects,
	writeProjects,
} from './knownProjects';
import {
	boundedUndated,
	isPlace,
	type Pending,
	type Place,
	type Undated,
	writePlace,
} from './undatedRecords';

/** A record as far as it is told from known ones. */
export interface Sighting {
	id: string;
	/** When it happened, in milliseconds since 1970 */
	time: number;
	created: number;
	/**
	 * Tells one event of the record from the next where its time does not, because the service dates it
	 * anew with every change; empty where the time does
	 */
	version: string;
	/** Where it is, if projects play a part */
	project?: string;
}

/**
 * The known records, in bounded space: those no later than the floor, and those in `seen` by ID with
 * their time. What stands in `seen` has the time too, since a run that is retried keeps its ID.
 */
interface KnownRecords extends DatedRecords {
	/** Records without a time of their own, by ID with their version: known however often they are touched */
	undated: Map<string, string>;
	/** Records without a time of their own up to this place are known; nothing when all are in `undated` */
	undatedUntil?: Place;
	/** Time of the oldest record that is still to be given; nothing when none is */
	due?: number;
	projects: KnownProjects;
}

const NOTHING: KnownRecords = {
	floor: 0,
	seen: new Map(),
	undated: new Map(),
	projects: { lastPoll: 0, exceptions: new Map() },
};

const isFlat = (value: unknown): value is FlatMap => Array.isArray(value);

function readSeen(stored: unknown): Map<string, Seen> | undefined {
	const groups = fromFlatMap(stored, isFlat);
	if (groups === undefined) return undefined;
	const seen = new Map<string, Seen>();
	for (const [project, group] of groups) {
		const times = fromFlatMap(group, isTime);
		if (times === undefined) return undefined;
		for (const [id, time] of times) seen.set(id, { time, project });
	}
	return seen;
}

function writeSeen(seen: Map<string, Seen>): FlatMap {
	const groups = new Map<string, FlatMap>();
	for (const [id, { time, project }] of seen) {
		const group = groups.get(project) ?? [];
		group.push(id, time);
		groups.set(project, group);
	}
	return toFlatMap(groups);
}

function readState(state: EventState | undefined): KnownRecords | undefined {
	if (state === undefined || !isTime(state.floor)) return undefined;
	const { floor, future, undatedUntil, due } = state;
	const seen = readSeen(state.seen);
	const undated = fromFlatMap(state.undated, isText);
	const projects = readProjects(state.projects);
	if (seen === undefined || undated === undefined || projects === undefined) return undefined;
	if (!isPlace(future) || !isPlace(undatedUntil)) return undefined;
	if (due !== undefined && !isTime(due)) return undefined;
	return { floor, seen, undated, undatedUntil, due, projects, future };
}

const writeState = (records: KnownRecords): EventState => ({
	floor: records.floor,
	seen: writeSeen(records.seen),
	undated: toFlatMap(records.undated),
	...writePlace('undatedUntil', records.undatedUntil),
	...(records.due === undefined ? {} : { due: records.due }),
	...writePlace('future', records.future),
	projects: writeProjects(records.projects),
});

export const isRecordsState = (state: EventState): boolean => readState(state) !== undefined;

export interface RecordTracker {
	/**
	 * Gives the time up to which all records of the project are known, in milliseconds; 0 when nothing tells. Of
	 * one that is behind for long no more is read than of one that is missing.
	 */
	knownUntil(project?: string): number;
	/** Gives the time up to which no record is new, where projects play no part, in milliseconds; 0 when nothing tells */
	settledUntil(): number;
	/** Whether the record is wanted: it is not known, or nothing is yet. */
	isNew(sighting: Sighting): boolean;
	/** @param found the records that are new */
	result(found: FoundItems, projects: ProjectsSeen): PollResult;
}

/**
 * Tells new records from known ones by the service's own times. A record may be seen later than a younger
 * one: two are stored side by side, or the list moved while it was read. So a time alone does not decide;
 * among the last records the IDs do.
 *
 * @param serviceTime of the first answer; nothing when the service does not tell it
 */
export function trackNewRecords(
	state: EventState | undefined,
	serviceTime: () => ServiceTime | undefined,
	isStale: boolean,
): RecordTracker {
	const stored = readState(state);
	const known = stored ?? NOTHING;
	const latest = () => latestFloor(serviceTime());
	const rules = projectRules(known.projects, latest);
	/** Known records without a time of their own that are listed still */
	const listedUndated = new Map<string, Undated>();

	const floorOf = (project: string | undefined): number => rules.floorOf(project, known.floor);

	/**
	 * The floor of the first poll, from which its list begins, so that no later list shows what is older. By the
	 * clock that is behind: nothing tells yet whether a `Date` ahead is right, and what is listed is known by its ID.
	 */
	const firstFloor = (): number =>
		Math.max(0, Math.min(serviceTime()?.time ?? 0, Date.now()) - limits.triggerLatenessMs);

	function isNewUndated({ id, time, created, version, project }: Sighting): boolean {
		const { undatedUntil } = known;
		const floor = floorOf(project);
		const isBeyond =
			undatedUntil !== undefined &&
			byTimeAndId({ id, time }, undatedUntil) <= 0 &&
			!rules.isNew(project) &&
			!rules.isBehind(project);
		// Its time moves with every change, so that of a record in a new project says nothing, unless what was
		// seen of the project may have been lost in a restart.
		const isOld = time <= floor || (rules.isNew(project) && created <= floor && !isStale);
		const isNew = known.undated.get(id) !== version && !isBeyond && !isOld;
		if (!isNew) listedUndated.set(id, { id, time, version, project });
		return isNew;
	}

	function isNewDated({ id, time, project }: Sighting): boolean {
		if (known.seen.get(id)?.time === time) return false;
		if (time <= floorOf(project)) return false;
		const { future } = known;
		const isFuture = future !== undefined && time > latestTime(serviceTime());
		return !isFuture || byTimeAndId({ id, time }, future) > 0;
	}

	function nextState(
		{ items: found, isMissingAfter }: FoundItems,
		emitted: TriggerItem[],
		projects: ProjectsSeen,
	): EventState {
		const isEmitted = new Set(emitted);
		const missing = [...isMissingAfter].map(([project, time]): Pending => ({
			project,
			time,
			id: '',
		}));
		const pendingItems = found.filter((each) => !isEmitted.has(each));
		const pending = [...pendingItems, ...missing];
		const seen = new Map(known.seen);
		for (const { id, time, version, project = '' } of emitted) {
			if (version === '') seen.set(id, { time, project });
		}
		const isUndated = ({ version }: TriggerItem) => version !== '';
		const time = serviceTime();
		const latestRecord = latestTime(time);
		const newest = [...seen.values()].reduce(
			(until, each) => (each.time > latestRecord ? until : Math.max(until, each.time)),
			0,
		);
		const first =
			time === undefined ? Math.max(0, newest - limits.triggerLatenessMs) : firstFloor();
		const floor = stored === undefined ? first : Math.min(known.floor, latest());
		if (stored === undefined) {
			// What is older is known even if it was not in the list: lists of some releases leave out records,
			// and that of runs begins at Lookback.
			for (const [id, each] of seen) if (each.time <= floor) seen.delete(id);
		}
		const next = nextProjects(stored?.projects, {
			...projects,
			serviceTime: time,
			newest,
			latest: latest(),
			floor,
			pending: new Set(pending.map(({ project }) => project ?? '')),
		});
		const { isBehind } = projectRules(next, latest);
		const { known: records, dropped } = boundedDated(
			{ floor, seen, future: known.future },
			{ serviceTime: time, pending, isBehind },
		);
		const { known: undated, dropped: droppedUndated } = boundedUndated(
			known,
			[...listedUndated.values(), ...emitted.filter(isUndated)],
			[...pendingItems.filter(isUndated), ...missing],
			isBehind,
		);
		for (const { project = '', time: until } of [...dropped, ...droppedUndated]) {
			const exception = next.exceptions.get(project);
			if (exception !== undefined) exception.floor = Math.max(exception.floor, until);
		}
		return writeState({ ...records, ...undated, projects: next });
	}

	return {
		knownUntil(project) {
			if (stored === undefined) return firstFloor();
			const { lastPoll } = known.projects;
			const until = [...known.seen.values()].reduce(
				(latest, { time }) =>
					Math.max(latest, Math.min(time, lastPoll || Infinity) - limits.triggerLatenessMs),
				known.floor,
			);
			// A record that is dated ahead of the last poll was given before those that are due.
			const settled = Math.min(
				until,
				Math.max(0, (known.due ?? Infinity) - limits.triggerLatenessMs),
			);
			if (!rules.isBehind(project)) return settled;
			const earliest = (serviceTime()?.time ?? settled) - limits.triggerMissingProjectMs;
			return Math.min(settled, Math.max(floorOf(project), earliest));
		},

		settledUntil: () => (stored === undefined ? firstFloor() : floorOf(undefined)),

		isNew(sighting) {
			const { version, time } = sighting;
			// Of many records few have to be kept by ID: those after the floor.
			if (stored === undefined) return version !== '' || time > firstFloor();
			return version === '' ? isNewDated(sighting) : isNewUndated(sighting);
		},

		result(found, projects) {
			const items = [...found.items].sort(byTimeAndId);
			if (stored === undefined) {
				return { items: [], nextState: () => nextState(found, items, projects) };
			}
			// What is missing may be older than what comes after it.
			const until = Math.min(...found.isMissingAfter.values());
			return {
				items: items.filter(({ time }) => time <= until),
				nextState: (emitted) => nextState(found, emitted, projects),
			};
		},
	};
}
