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

/** A known record that needs attention. */
interface OpenIssue {
	id: string;
	/** Version that was returned last */
	version: string;
	project: string;
	/** Milliseconds since 1970 */
	time: number;
}

interface KnownIssues {
	/** Versions that were returned last, by project and ID */
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
 * Recognizes records that have come to need attention. A record that needed it at the last poll is
 * known; in a new project, so is one that came to need it before that poll. What is known of a project
 * stays while it cannot be read. After a restart the last known state may be outdated: the record may
 * have recovered and failed again. It is then returned again, unless it has not changed since
 * (`version`), because a repeated message is better than a lost one. Beyond `limits.triggerMaxEntries`,
 * the oldest records are known by their time.
 */
export class OpenIssues {
	/** State of an earlier poll; undefined while watching starts */
	private readonly known: KnownIssues | undefined;

	private readonly rules: ReturnType<typeof projectRules> | undefined;

	/** @param serviceTime undefined when the service does not send it */
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

	/** @param found all records that need attention now, of the projects that were read */
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
		// For a project that was read, all such records are open. It has a floor of its own only for records
		// that were dropped beyond the limit.
		return this.rules.isNew(project) ? own : Math.min(own, floor);
	}

	private isKnown(item: TriggerItem): boolean {
		if (this.known === undefined) return true;
		const project = projectOf(item);
		const floor = this.floorOf(project);
		// The time of a record is 0 if it cannot be parsed.
		const isBeyond = floor > 0 && item.time <= floor;
		const version = this.known.open.get(project)?.get(item.id);
		if (version === undefined) return isBeyond;
		return !this.isStale || version === item.version || isBeyond;
	}

	/** The known records of projects that were not read, which may or may not need attention still. */
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
 * The time up to which dropped records are known, which is before all records that are still to be
 * returned.
 *
 * @param beyond the time of the newest dropped record
 */
const settledUntil = (due: TriggerItem[], beyond: number): number =>
	due.reduce((settled, { time }) => Math.min(settled, time - 1), beyond);

/**
 * Raises the floors of projects that are behind, which are older than the floor of the others. Otherwise
 * dropped records of such a project would be returned again and again.
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
