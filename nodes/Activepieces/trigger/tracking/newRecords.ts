import { limits } from '../../transport/limits';
import type { EventState, PollResult, TriggerItem } from '../event';
import { byTimeAndId, type FoundItems } from '../oldestOutputs';
import type { ServiceTime } from '../serviceTime';
import { boundedDated, latestTime, type Seen } from './datedRecords';
import { latestFloor, nextProjects, projectRules, type ProjectsSeen } from './knownProjects';
import { type KnownRecords, NOTHING, readState, writeState } from './recordsState';
import { boundedUndated, type Pending, type Undated } from './undatedRecords';

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

const isUndated = ({ version }: Pick<Sighting, 'version'>): boolean => version !== '';

/**
 * Tells new records from known ones by the service's own times. A record may be seen later than a younger
 * one: two are stored side by side, or the list moved while it was read. So a time alone does not decide;
 * among the last records the IDs do.
 */
export class NewRecords {
	/** That of an earlier poll; nothing while watching begins */
	private readonly stored: KnownRecords | undefined;

	private readonly known: KnownRecords;

	private readonly rules: ReturnType<typeof projectRules>;

	/** Known records without a time of their own that are listed still */
	private readonly listedUndated = new Map<string, Undated>();

	/** @param serviceTime of the first answer; nothing when the service does not tell it */
	constructor(
		state: EventState | undefined,
		private readonly serviceTime: () => ServiceTime | undefined,
		private readonly isStale: boolean,
	) {
		this.stored = readState(state);
		this.known = this.stored ?? NOTHING;
		this.rules = projectRules(this.known.projects, this.latest);
	}

	/**
	 * Gives the time up to which all records of the project are known, in milliseconds; 0 when nothing tells. Of
	 * one that is behind for long no more is read than of one that is missing.
	 */
	knownUntil(project?: string): number {
		if (this.stored === undefined) return this.firstFloor();
		const { lastPoll } = this.known.projects;
		const until = [...this.known.seen.values()].reduce(
			(latest, { time }) =>
				Math.max(latest, Math.min(time, lastPoll || Infinity) - limits.triggerLatenessMs),
			this.known.floor,
		);
		// A record that is dated ahead of the last poll was given before those that are due.
		const due = Math.max(0, (this.known.due ?? Infinity) - limits.triggerLatenessMs);
		const settled = Math.min(until, due);
		if (!this.rules.isBehind(project)) return settled;
		const earliest = (this.serviceTime()?.time ?? settled) - limits.triggerMissingProjectMs;
		return Math.min(settled, Math.max(this.floorOf(project), earliest));
	}

	/** Gives the time up to which no record is new, where projects play no part, in milliseconds; 0 when nothing tells */
	settledUntil(): number {
		return this.stored === undefined ? this.firstFloor() : this.floorOf(undefined);
	}

	/** Whether the record is wanted: it is not known, or nothing is yet. */
	isNew(sighting: Sighting): boolean {
		// Of many records few have to be kept by ID: those after the floor.
		if (this.stored === undefined) return isUndated(sighting) || sighting.time > this.firstFloor();
		return isUndated(sighting) ? this.isNewUndated(sighting) : this.isNewDated(sighting);
	}

	/** @param found the records that are new */
	result(found: FoundItems, projects: ProjectsSeen): PollResult {
		const items = [...found.items].sort(byTimeAndId);
		if (this.stored === undefined) {
			return { items: [], nextState: () => this.nextState(found, items, projects) };
		}
		// What is missing may be older than what comes after it.
		const until = Math.min(...found.isMissingAfter.values());
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
	 * The floor of the first poll, from which its list begins, so that no later list shows what is older. By the
	 * clock that is behind: nothing tells yet whether a `Date` ahead is right, and what is listed is known by its ID.
	 */
	private firstFloor(): number {
		const now = Math.min(this.serviceTime()?.time ?? 0, Date.now());
		return Math.max(0, now - limits.triggerLatenessMs);
	}

	private isNewUndated({ id, time, created, version, project }: Sighting): boolean {
		const { undated, undatedUntil } = this.known;
		const { isNew: isNewProject, isBehind } = this.rules;
		const floor = this.floorOf(project);
		const isBeyond =
			undatedUntil !== undefined &&
			byTimeAndId({ id, time }, undatedUntil) <= 0 &&
			!isNewProject(project) &&
			!isBehind(project);
		// Its time moves with every change, so that of a record in a new project says nothing, unless what was
		// seen of the project may have been lost in a restart.
		const isOld = time <= floor || (isNewProject(project) && created <= floor && !this.isStale);
		const isNew = undated.get(id) !== version && !isBeyond && !isOld;
		if (!isNew) this.listedUndated.set(id, { id, time, version, project });
		return isNew;
	}

	private isNewDated({ id, time, project }: Sighting): boolean {
		const { seen, future } = this.known;
		if (seen.get(id)?.time === time) return false;
		if (time <= this.floorOf(project)) return false;
		const isFuture = future !== undefined && time > latestTime(this.serviceTime());
		return !isFuture || byTimeAndId({ id, time }, future) > 0;
	}

	/** The records with a time of their own that are known now. */
	private seenWith(emitted: TriggerItem[]): Map<string, Seen> {
		const seen = new Map(this.known.seen);
		for (const { id, time, version, project = '' } of emitted) {
			if (version === '') seen.set(id, { time, project });
		}
		return seen;
	}

	/** The floor from now on. While watching begins, what it makes known is taken out of `seen`. */
	private nextFloor(seen: Map<string, Seen>, newest: number): number {
		if (this.stored !== undefined) return Math.min(this.known.floor, this.latest());
		const isTold = this.serviceTime() !== undefined;
		const floor = isTold ? this.firstFloor() : Math.max(0, newest - limits.triggerLatenessMs);
		// What is older is known even if it was not in the list: lists of some releases leave out records,
		// and that of runs begins at Lookback.
		for (const [id, { time }] of seen) if (time <= floor) seen.delete(id);
		return floor;
	}

	private nextState(
		{ items, isMissingAfter }: FoundItems,
		emitted: TriggerItem[],
		projects: ProjectsSeen,
	): EventState {
		const isEmitted = new Set(emitted);
		const missing = [...isMissingAfter].map(([project, time]): Pending => ({
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

/** The time of the newest record, those dated in the future left out; 0 for none. */
function newestOf(seen: Map<string, Seen>, latestRecord: number): number {
	const times = [...seen.values()].map(({ time }) => time);
	return times.reduce((until, time) => (time > latestRecord ? until : Math.max(until, time)), 0);
}
