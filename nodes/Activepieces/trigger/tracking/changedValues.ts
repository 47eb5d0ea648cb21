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
	/** Values by ID of a record, without the empty value that every record starts with */
	values: Map<string, string>;
	projects: KnownProjects;
}

function readState(state: EventState | undefined): KnownState | undefined {
	const values = fromFlatMap(state?.values, isText);
	const projects = readProjects(state?.projects);
	return values === undefined || projects === undefined ? undefined : { values, projects };
}

export const isValuesState = (state: EventState): boolean => readState(state) !== undefined;

/** A record with the data that its changes are recognized by. */
export interface ObservedValue {
	id: string;
	value: string;
	/** Milliseconds since 1970 */
	created: number;
	updated: number;
	/** Its project, if the list has projects */
	project?: string;
}

/**
 * Recognizes records whose value has changed. It keeps only values that differ from that of a new record, so
 * a record created since then needs no entry, and the state follows from the items that were returned.
 */
export class ChangedValues {
	/** State of an earlier poll; undefined while watching starts */
	private readonly stored: KnownState | undefined;

	private readonly known: KnownState['values'];

	private readonly rules: ReturnType<typeof projectRules> | undefined;

	private readonly listed = new Set<string>();

	/** Values by ID with which records became visible */
	private readonly baseline = new Map<string, string>();

	/** Time of the newest change, for a service that does not send its time */
	private newest = 0;

	/** @param serviceTime undefined when the service does not send it */
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
	isChanged(observed: ObservedValue): boolean {
		const { id, value, updated } = observed;
		this.listed.add(id);
		this.newest = Math.max(this.newest, updated);
		if (value === (this.known.get(id) ?? '')) return false;
		if (this.known.has(id) || !this.isOld(observed)) return true;
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

	/** Whether the record had the value when its project became visible, so that nothing has happened. */
	private isOld({ created, updated, project }: ObservedValue): boolean {
		if (this.rules === undefined || !this.rules.isNew(project)) return false;
		const floor = this.rules.floorOf(project, 0);
		// A restart may have lost that the project was seen before; a repeated item is better than a lost one.
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
		// A list may lack records, even all of them, which then return. Entries are therefore removed only when
		// there are too many, and no more than necessary.
		for (const id of values.keys()) {
			if (values.size <= limits.triggerMaxValues) break;
			if (!this.listed.has(id)) values.delete(id);
		}
		return { values: toFlatMap(values), projects: writeProjects(next) };
	}
}
