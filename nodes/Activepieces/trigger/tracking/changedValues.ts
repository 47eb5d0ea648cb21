import { limits } from '../../transport/limits';
import type { EventState, PollResult, TriggerItem } from '../event';
import { byTimeAndId } from '../oldestOutputs';
import type { ServiceTime } from '../serviceTime';
import { fromFlatMap, isText, toFlatMap } from './flatMap';
import {
	type KnownProjects,
	latestFloor,
	nextProjects,
	projectRules,
	type ProjectsSeen,
	readProjects,
	writeProjects,
} from './knownProjects';

interface KnownState {
	/** Values by ID of a record, without the empty one that every record begins with */
	values: Map<string, string>;
	projects: KnownProjects;
}

function readState(state: EventState | undefined): KnownState | undefined {
	const values = fromFlatMap(state?.values, isText);
	const projects = readProjects(state?.projects);
	return values === undefined || projects === undefined ? undefined : { values, projects };
}

export const isValuesState = (state: EventState): boolean => readState(state) !== undefined;

/** A record as far as its change is told. */
export interface ValueSighting {
	id: string;
	value: string;
	/** Milliseconds since 1970 */
	created: number;
	updated: number;
	/** Where it is, if projects play a part */
	project?: string;
}

/**
 * Tells records whose value has changed. Only what differs from the value that a new record has is kept,
 * so that a record made since then needs no entry, and the state follows from what was given.
 */
export class ChangedValues {
	/** What an earlier poll has left; nothing while watching begins */
	private readonly stored: KnownState | undefined;

	private readonly known: KnownState['values'];

	private readonly rules: ReturnType<typeof projectRules> | undefined;

	private readonly listed = new Set<string>();

	/** Values with which records have become visible, by ID */
	private readonly baseline = new Map<string, string>();

	/** Time of the newest change, for a service that does not tell its time */
	private newest = 0;

	/** @param serviceTime nothing when the service does not tell it */
	constructor(
		state: EventState | undefined,
		private readonly serviceTime: () => ServiceTime | undefined,
		private readonly isStale: boolean,
	) {
		this.stored = readState(state);
		this.known = this.stored?.values ?? new Map<string, string>();
		this.rules = this.stored && projectRules(this.stored.projects, this.latest);
	}

	/** Whether the value differs from the known one */
	isChanged(sighting: ValueSighting): boolean {
		const { id, value, updated } = sighting;
		this.listed.add(id);
		this.newest = Math.max(this.newest, updated);
		if (value === (this.known.get(id) ?? '')) return false;
		if (this.known.has(id) || !this.isOld(sighting)) return true;
		this.baseline.set(id, value);
		return false;
	}

	/** @param changed all records whose value has changed */
	result(changed: TriggerItem[], projects: ProjectsSeen): PollResult {
		const items = changed.sort(byTimeAndId);
		return this.stored === undefined
			? { items: [], nextState: () => this.nextState(items, projects) }
			: { items, nextState: (emitted) => this.nextState(emitted, projects) };
	}

	private readonly latest = (): number => latestFloor(this.serviceTime());

	/** Whether it was like this when its project became visible, so that nothing has happened. */
	private isOld({ created, updated, project }: ValueSighting): boolean {
		if (this.rules === undefined || !this.rules.isNew(project)) return false;
		const floor = this.rules.floorOf(project, 0);
		// In a restart it may have been lost that the project was seen before: rather an item twice than none.
		return (this.isStale ? updated : created) <= floor;
	}

	private nextState(emitted: TriggerItem[], projects: ProjectsSeen): EventState {
		const next = nextProjects(this.stored?.projects, {
			...projects,
			serviceTime: this.serviceTime(),
			newest: this.newest,
			latest: this.latest(),
			floor: 0,
			pending: new Set(),
		});
		const values = new Map([...this.known, ...this.baseline]);
		for (const { id, version } of emitted) {
			if (version === '') values.delete(id);
			else values.set(id, version);
		}
		// Records may be missing from a list, even all of them, and come back. So entries are let go only
		// when there are too many, and no more of them than have to be.
		for (const id of values.keys()) {
			if (values.size <= limits.triggerMaxValues) break;
			if (!this.listed.has(id)) values.delete(id);
		}
		return { values: toFlatMap(values), projects: writeProjects(next) };
	}
}
