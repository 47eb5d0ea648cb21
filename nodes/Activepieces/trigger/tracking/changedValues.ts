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
 *
 * @param serviceTime nothing when the service does not tell it
 */
export function trackChangedValues(
	state: EventState | undefined,
	serviceTime: () => ServiceTime | undefined,
	isStale: boolean,
) {
	const stored = readState(state);
	const known = stored?.values ?? new Map<string, string>();
	const latest = () => latestFloor(serviceTime());
	const rules = stored && projectRules(stored.projects, latest);
	const listed = new Set<string>();
	const baseline = new Map<string, string>();
	/** Time of the newest change, for a service that does not tell its time */
	let newest = 0;

	/** Whether it was like this when its project became visible, so that nothing has happened. */
	function isOld({ created, updated, project }: ValueSighting): boolean {
		if (rules === undefined || !rules.isNew(project)) return false;
		const floor = rules.floorOf(project, 0);
		// In a restart it may have been lost that the project was seen before: rather an item twice than none.
		return (isStale ? updated : created) <= floor;
	}

	function nextState(emitted: TriggerItem[], projects: ProjectsSeen): EventState {
		const next = nextProjects(stored?.projects, {
			...projects,
			serviceTime: serviceTime(),
			newest,
			latest: latest(),
			floor: 0,
			pending: new Set(),
		});
		const values = new Map([...known, ...baseline]);
		for (const { id, version } of emitted) {
			if (version === '') values.delete(id);
			else values.set(id, version);
		}
		// Records may be missing from a list, even all of them, and come back. So entries are let go only
		// when there are too many, and no more of them than have to be.
		for (const id of values.keys()) {
			if (values.size <= limits.triggerMaxValues) break;
			if (!listed.has(id)) values.delete(id);
		}
		return { values: toFlatMap(values), projects: writeProjects(next) };
	}

	return {
		/** Whether the value differs from the known one. */
		isChanged(sighting: ValueSighting): boolean {
			const { id, value } = sighting;
			listed.add(id);
			newest = Math.max(newest, sighting.updated);
			if (value === (known.get(id) ?? '')) return false;
			if (known.has(id) || !isOld(sighting)) return true;
			baseline.set(id, value);
			return false;
		},

		/** @param changed all records whose value has changed */
		result(changed: TriggerItem[], projects: ProjectsSeen): PollResult {
			const items = changed.sort(byTimeAndId);
			return stored === undefined
				? { items: [], nextState: () => nextState(items, projects) }
				: { items, nextState: (emitted) => nextState(emitted, projects) };
		},
	};
}
