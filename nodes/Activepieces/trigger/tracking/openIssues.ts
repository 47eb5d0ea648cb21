import { limits } from '../../transport/limits';
import type { EventState, PollResult, TriggerItem } from '../event';
import { byTimeAndId } from '../oldestOutputs';
import { type ServiceTime, toTime } from '../serviceTime';
import { fromFlatMap, isText, isTime, toFlatMap } from './flatMap';
import {
	type KnownProjects,
	latestFloor,
	nextProjects,
	projectRules,
	type ProjectsSeen,
	readProjects,
	writeProjects,
} from './knownProjects';

/** A record that is known to need attention. */
interface OpenIssue {
	id: string;
	/** Version that was given last */
	version: string;
	project: string;
	/** Milliseconds since 1970 */
	time: number;
}

interface KnownIssues {
	/** Versions that were given last, by project and ID */
	open: Map<string, Map<string, string>>;
	/** Time up to which records are known although they are not in `open`; 0 while all are in it */
	floor: number;
	projects: KnownProjects;
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

function readState(state: EventState | undefined): KnownIssues | undefined {
	const lists = fromFlatMap(state?.open, isList);
	const projects = readProjects(state?.projects);
	const floor = state?.floor;
	if (lists === undefined || projects === undefined || !isTime(floor)) return undefined;
	const open = new Map<string, Map<string, string>>();
	for (const [project, list] of lists) {
		const versions = fromFlatMap(list, isText);
		if (versions === undefined) return undefined;
		open.set(project, versions);
	}
	return { open, floor, projects };
}

export const isIssuesState = (state: EventState): boolean => readState(state) !== undefined;

function byProject(issues: OpenIssue[]): Map<string, Map<string, string>> {
	const open = new Map<string, Map<string, string>>();
	for (const { id, version, project } of issues) {
		const versions = open.get(project) ?? new Map<string, string>();
		open.set(project, versions.set(id, version));
	}
	return open;
}

const projectOf = ({ project = '' }: TriggerItem): string => project;

/**
 * Tells records that have come into a state which needs attention. One that was in it at the last poll is
 * known; of a project that is new, one that came into it before that poll is as well. What is known of a project
 * stays while it cannot be read. A state that may be older than the last poll says less: the record may have left
 * that state and come back. It is given again then, unless nothing of it has changed since (`version`); rather a
 * message twice than one lost. Beyond `limits.triggerMaxEntries` the oldest are known by their time.
 */
export class OpenIssues {
	/** What an earlier poll has left; nothing while watching begins */
	private readonly known: KnownIssues | undefined;

	private readonly rules: ReturnType<typeof projectRules> | undefined;

	/** @param serviceTime nothing when the service does not tell it */
	constructor(
		state: EventState | undefined,
		private readonly serviceTime: () => ServiceTime | undefined,
		private readonly isStale: boolean,
	) {
		this.known = readState(state);
		this.rules = this.known && projectRules(this.known.projects, this.latest);
	}

	isNew(item: TriggerItem): boolean {
		return !this.isKnown(item);
	}

	/** @param found all records that are in that state now, of the projects that were read */
	result(found: TriggerItem[], projects: ProjectsSeen): PollResult {
		return {
			items: found.filter((item) => this.isNew(item)).sort(byTimeAndId),
			nextState: (emitted) => this.nextState(found, emitted, projects),
		};
	}

	private readonly latest = (): number => latestFloor(this.serviceTime());

	/** The time up to which records of a project are known although they are not open. */
	private floorOf(project: string): number {
		if (this.known === undefined || this.rules === undefined) return 0;
		const { floor } = this.known;
		const own = this.rules.floorOf(project, floor);
		// Of one that was read all were open: it has a time of its own only for what is let go beyond the limit.
		return this.rules.isNew(project) ? own : Math.min(own, floor);
	}

	private isKnown(item: TriggerItem): boolean {
		if (this.known === undefined) return true;
		const project = projectOf(item);
		const floor = this.floorOf(project);
		// One without a time that can be read has the time 0.
		const isBeyond = floor > 0 && item.time <= floor;
		const version = this.known.open.get(project)?.get(item.id);
		if (version === undefined) return isBeyond;
		return !this.isStale || version === item.version || isBeyond;
	}

	/** What is known of projects that were not read, so that nothing tells whether it is still so. */
	private unreadIssues({ listed = [], unread }: ProjectsSeen): OpenIssue[] {
		const read = new Set(listed.filter((id) => !unread.has(id)));
		return [...(this.known?.open ?? [])]
			.filter(([project]) => !read.has(project))
			.flatMap(([project, versions]) =>
				[...versions].map(([id, version]) => ({ id, version, project, time: toTime(version) })),
			);
	}

	private nextState(found: TriggerItem[], emitted: TriggerItem[], seen: ProjectsSeen): EventState {
		const isEmitted = new Set(emitted);
		const isOpen = (item: TriggerItem) => isEmitted.has(item) || this.isKnown(item);
		const due = found.filter((item) => !isOpen(item));
		const open: OpenIssue[] = [
			...found.filter(isOpen).map((item) => ({ ...item, project: projectOf(item) })),
			...this.unreadIssues(seen),
		].sort((a, b) => b.time - a.time);
		const lastFloor = this.known?.floor ?? 0;
		const beyond = open.at(limits.triggerMaxEntries)?.time ?? 0;
		const projects = nextProjects(this.known?.projects, {
			...seen,
			serviceTime: this.serviceTime(),
			newest: found.reduce((newest, { time }) => Math.max(newest, time), 0),
			latest: this.latest(),
			// That of the last poll: a project that cannot be read from now on was read up to then.
			floor: lastFloor,
			pending: new Set(due.map(projectOf)),
		});
		raiseFloors(projects, seen, due, beyond);
		const isRemembered = ({ project }: OpenIssue) =>
			projects.read?.has(project) === true || projects.exceptions.has(project);
		const kept = open.filter(isRemembered).slice(0, limits.triggerMaxEntries);
		return {
			open: [...byProject(kept)].flatMap(([project, versions]) => [project, toFlatMap(versions)]),
			floor: Math.max(lastFloor, settledUntil(due, beyond)),
			projects: writeProjects(projects),
		};
	}
}

/**
 * The time up to which what is let go is known by its time: nothing before it is still to be given.
 *
 * @param beyond the time of the newest record that is let go
 */
const settledUntil = (due: TriggerItem[], beyond: number): number =>
	due.reduce((settled, { time }) => Math.min(settled, time - 1), beyond);

/**
 * Raises the floors of projects that are behind: they are older than that of the others, and what is let go of such a
 * project would come again and again.
 */
function raiseFloors(
	{ exceptions }: KnownProjects,
	{ listed = [], unread }: ProjectsSeen,
	due: TriggerItem[],
	beyond: number,
): void {
	for (const id of listed) {
		const exception = exceptions.get(id);
		if (exception?.isBehind !== true || unread.has(id)) continue;
		const ofProject = due.filter((item) => projectOf(item) === id);
		exception.floor = Math.max(exception.floor, settledUntil(ofProject, beyond));
	}
}
