import { limits } from '../../transport/limits';
import type { EventState, PollResult, TriggerItem } from '../event';
import { byTimeAndId, type FoundItems } from '../oldestOutputs';
import type { ServiceTime } from '../serviceTime';
import { boundedDated, latestTime, type Seen } from './datedRecords';
import { latestFloor, nextProjects, projectRules, type ProjectsSeen } from './knownProjects';
import { type KnownRecords, NO_RECORDS, readState, writeState } from './recordsState';
import { boundedUndated, type Pending, type Undated } from './undatedRecords';

/** A record with the data that it is recognized by. */
export interface ObservedRecord {
	id: string;
	/** Time of the event, in milliseconds since 1970 */
	time: number;
	created: number;
	/**
	 * Distinguishes the events of a record whose time changes with every change; empty if its time
	 * distinguishes them
	 */
	version: string;
	/** Its project, if the list has projects */
	project?: string;
}

const isUndated = ({ version }: Pick<ObservedRecord, 'version'>): boolean => version !== '';

/**
 * Recognizes new records by the service's own times. A record may appear later than a younger one: two
 * are stored at the same time, or the list changed while it was read. A time alone therefore does not
 * decide; among the latest records the IDs do.
 */
export class NewRecords {
	/** State of an earlier poll; undefined while watching starts */
	private readonly stored: KnownRecords | undefined;

	private readonly known: KnownRecords;

	private readonly rules: ReturnType<typeof projectRules>;

	/** Known records without a time of their own that are still listed */
	private readonly listedUndated = new Map<string, Undated>();

	/** @param serviceTime of the first response; undefined when the service does not send it */
	constructor(
		state: EventState | undefined,
		private readonly serviceTime: () => ServiceTime | undefined,
		private readonly isStale: boolean,
	) {
		this.stored = readState(state);
		this.known = this.stored ?? NO_RECORDS;
		this.rules = projectRules(this.known.projects, this.latest);
	}

	/**
	 * Returns the time up to which all records of the project are known, in milliseconds; 0 when it is
	 * unknown. A project that has been behind for long is read no further back than one that is missing.
	 */
	knownUntil(project?: string): number {
		if (this.stored === undefined) return this.firstFloor();
		const { lastPoll } = this.known.projects;
		const until = [...this.known.seen.values()].reduce(
			(latest, { time }) =>
				Math.max(latest, Math.min(time, lastPoll || Infinity) - limits.triggerLatenessMs),
			this.known.floor,
		);
		// A record that is dated later than the last poll was returned before those that are due.
		const due = Math.max(0, (this.known.due ?? Infinity) - limits.triggerLatenessMs);
		const settled = Math.min(until, due);
		if (!this.rules.isBehind(project)) return settled;
		const earliest = (this.serviceTime()?.time ?? settled) - limits.triggerMissingProjectMs;
		return Math.min(settled, Math.max(this.floorOf(project), earliest));
	}

	/**
	 * Returns the time up to which no record is new, for lists without projects, in milliseconds; 0 when it
	 * is unknown
	 */
	settledUntil(): number {
		return this.stored === undefined ? this.firstFloor() : this.floorOf(undefined);
	}

	/** Whether the record is new, or nothing is known yet. */
	isNew(observed: ObservedRecord): boolean {
		// Only records after the floor have to be kept by ID.
		if (this.stored === undefined) return isUndated(observed) || observed.time > this.firstFloor();
		return isUndated(observed) ? this.isNewUndated(observed) : this.isNewDated(observed);
	}

	/** @param found the new records */
	result(found: FoundItems, projects: ProjectsSeen): PollResult {
		const items = [...found.items].sort(byTimeAndId);
		if (this.stored === undefined) {
			return { items: [], nextState: () => this.nextState(found, items, projects) };
		}
		// Missing records may be older than the ones after them.
		const until = Math.min(...found.missingAfter.values());
		return {
			items: items.filter(({ time }) => time <= until),
			nextState: (emitted) => this.nextState(found, emitted, projects),
		};
	}

	private readonly latest = (): number => latestFloor(this.serviceTime());

	private floorOf(project: string | undefined): number {
		return this.rules.floorOf(project, this.known.floor);
	}

	/**
	 * The floor of the first poll, at which its list starts, so that no later list contains older records.
	 * It uses the clock that is behind: it is unknown yet whether a `Date` ahead is right, and listed
	 * records are known by ID.
	 */
	private firstFloor(): number {
		const now = Math.min(this.serviceTime()?.time ?? 0, Date.now());
		return Math.max(0, now - limits.triggerLatenessMs);
	}

	private isNewUndated({ id, time, created, version, project }: ObservedRecord): boolean {
		const { undated, undatedUntil } = this.known;
		const { isNew: isNewProject, isBehind } = this.rules;
		const floor = this.floorOf(project);
		const isBeyond =
			undatedUntil !== undefined &&
			byTimeAndId({ id, time }, undatedUntil) <= 0 &&
			!isNewProject(project) &&
			!isBehind(project);
		// Its time changes with every change, so in a new project the time of creation decides, unless a
		// restart may have lost that the project was seen before.
		const isOld = time <= floor || (isNewProject(project) && created <= floor && !this.isStale);
		const isNew = undated.get(id) !== version && !isBeyond && !isOld;
		if (!isNew) this.listedUndated.set(id, { id, time, version, project });
		return isNew;
	}

	private isNewDated({ id, time, project }: ObservedRecord): boolean {
		const { seen, future } = this.known;
		if (seen.get(id)?.time === time) return false;
		if (time <= this.floorOf(project)) return false;
		const isFuture = future !== undefined && time > latestTime(this.serviceTime());
		return !isFuture || byTimeAndId({ id, time }, future) > 0;
	}

	/** The known records with a time of their own. */
	private seenWith(emitted: TriggerItem[]): Map<string, Seen> {
		const seen = new Map(this.known.seen);
		for (const { id, time, version, project = '' } of emitted) {
			if (version === '') seen.set(id, { time, project });
		}
		return seen;
	}

	/** The new floor. While watching starts, records up to the floor are removed from `seen`. */
	private nextFloor(seen: Map<string, Seen>, newest: number): number {
		if (this.stored !== undefined) return Math.min(this.known.floor, this.latest());
		const hasTime = this.serviceTime() !== undefined;
		const floor = hasTime ? this.firstFloor() : Math.max(0, newest - limits.triggerLatenessMs);
		// Older records are known even if they were not listed: lists of some releases leave out records, and
		// the list of runs starts at Lookback.
		for (const [id, { time }] of seen) if (time <= floor) seen.delete(id);
		return floor;
	}

	private nextState(
		{ items, missingAfter }: FoundItems,
		emitted: TriggerItem[],
		projects: ProjectsSeen,
	): EventState {
		const isEmitted = new Set(emitted);
		const missing = [...missingAfter].map(([project, time]): Pending => ({
			project,
			time,
			id: '',
		}));
		const pendingItems = items.filter((each) => !isEmitted.has(each));
		const pending = [...pendingItems, ...missing];
		const serviceTime = this.serviceTime();
		const seen = this.seenWith(emitted);
		const newest = newestOf(seen, latestTime(serviceTime));
		const floor = this.nextFloor(seen, newest);
		const next = nextProjects(this.stored?.projects, {
			...projects,
			serviceTime,
			newest,
			latest: this.latest(),
			floor,
			pending: new Set(pending.map(({ project }) => project ?? '')),
		});
		const { isBehind } = projectRules(next, this.latest);
		const dated = boundedDated(
			{ floor, seen, future: this.known.future },
			{ serviceTime, pending, isBehind },
		);
		const undated = boundedUndated(
			this.known,
			[...this.listedUndated.values(), ...emitted.filter(isUndated)],
			[...pendingItems.filter(isUndated), ...missing],
			isBehind,
		);
		for (const { project = '', time: until } of [...dated.dropped, ...undated.dropped]) {
			const exception = next.exceptions.get(project);
			if (exception !== undefined) exception.floor = Math.max(exception.floor, until);
		}
		return writeState({ ...dated.known, ...undated.known, projects: next });
	}
}

/** The time of the newest record that is not dated in the future; 0 for none. */
function newestOf(seen: Map<string, Seen>, latestRecord: number): number {
	const times = [...seen.values()].map(({ time }) => time);
	return times.reduce((until, time) => (time > latestRecord ? until : Math.max(until, time)), 0);
}
