import type { EventState } from '../event';
import type { DatedRecords, Seen } from './datedRecords';
import { type FlatMap, fromFlatMap, isText, isTime, toFlatMap } from './flatMap';
import { type KnownProjects, readProjects, writeProjects } from './knownProjects';
import { isPlace, type Place, writePlace } from './undatedRecords';

/**
 * The known records, in bounded space: those up to the floor, and those in `seen`, by ID with their
 * time. The time in `seen` is needed because a retried run keeps its ID.
 */
export interface KnownRecords extends DatedRecords {
	/** Records without a time of their own, by ID with their version, however often they change */
	undated: Map<string, string>;
	/** Records without a time of their own up to this place are known; undefined when all are in `undated` */
	undatedUntil?: Place;
	/** Time of the oldest record that is still to be returned; undefined when there is none */
	due?: number;
	projects: KnownProjects;
}

export const NO_RECORDS: KnownRecords = {
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

export function readState(state: EventState | undefined): KnownRecords | undefined {
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

export const writeState = (records: KnownRecords): EventState => ({
	floor: records.floor,
	seen: writeSeen(records.seen),
	undated: toFlatMap(records.undated),
	...writePlace('undatedUntil', records.undatedUntil),
	...(records.due === undefined ? {} : { due: records.due }),
	...writePlace('future', records.future),
	projects: writeProjects(records.projects),
});

export const isRecordsState = (state: EventState): boolean => readState(state) !== undefined;
