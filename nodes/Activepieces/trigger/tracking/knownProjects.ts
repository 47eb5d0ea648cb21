import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../transport/limits';
import { isRecord } from '../../transport/values';
import type { ServiceTime } from '../serviceTime';
import { isText, isTime } from './flatMap';

/** The projects as a poll has seen them. */
export interface ProjectsSeen {
	/** IDs of all listed projects; undefined for lists without projects, such as users, or a chosen project */
	listed?: string[];
	/** Listed projects that could not be read */
	unread: ReadonlySet<string>;
}

/** A project of which less is known than of the others. */
interface Exception {
	/** Time up to which everything in it is known, or is no event */
	floor: number;
	/** Whether it was not read completely, or some of its events were not returned yet */
	isBehind: boolean;
	/** Since when it is missing from the list, in milliseconds since 1970; 0 when it is listed */
	missingSince: number;
	/** Whether it was ever read */
	isBegun: boolean;
}

/** The projects of one state. */
export interface KnownProjects {
	/** The last time at which the service was polled, by its own clock; 0 when it does not send it */
	lastPoll: number;
	/** IDs of projects that the last poll read completely; undefined for lists without projects */
	read?: Set<string>;
	exceptions: Map<string, Exception>;
}

/** @returns undefined when the stored text does not have this shape */
export function readProjects(stored: unknown): KnownProjects | undefined {
	if (!isRecord(stored) || !isTime(stored.lastPoll) || !Array.isArray(stored.exceptions)) {
		return undefined;
	}
	const { lastPoll, read } = stored;
	if (read !== undefined && !(Array.isArray(read) && read.every(isText))) return undefined;
	const exceptions = new Map<string, Exception>();
	for (const each of stored.exceptions as unknown[]) {
		if (!Array.isArray(each)) return undefined;
		const [id, floor, isBehind, missingSince, isBegun] = each as unknown[];
		if (!isText(id) || !isTime(floor) || !isTime(missingSince)) return undefined;
		exceptions.set(id, {
			floor,
			isBehind: isBehind === true,
			missingSince,
			isBegun: isBegun === true,
		});
	}
	return {
		lastPoll,
		exceptions,
		...(read === undefined ? {} : { read: new Set(read as string[]) }),
	};
}

export const writeProjects = ({ lastPoll, read, exceptions }: KnownProjects): IDataObject => ({
	lastPoll,
	...(read === undefined ? {} : { read: [...read] }),
	exceptions: [...exceptions].map(([id, { floor, isBehind, missingSince, isBegun }]) => [
		id,
		floor,
		isBehind,
		missingSince,
		isBegun,
	]),
});

/** The service sends its time in whole seconds, so a record with that very time came after it. */
const before = (time: number): number => Math.max(0, time - 1);

/**
 * The latest time for a floor. A later floor comes from a server, a proxy or a clock that was wrong, or
 * from an edited state. The clock of n8n counts too, so that a `Date` that is behind lowers no floor.
 *
 * @returns Infinity when the time is not certain: the clock of n8n alone, which may be behind, lowers no
 * floor
 */
export const latestFloor = (serviceTime: ServiceTime | undefined): number =>
	serviceTime?.isCertain === true ? Math.max(serviceTime.time, Date.now()) : Infinity;

/**
 * The rules for a project:
 *
 * - One that the last poll did not list is **new**. Records dated before that poll are no events.
 *   Records dated after it are, even if the project was created since. So are records dated in the last
 *   `limits.triggerLatenessMs` before that poll: they may have been stored, or dated by another clock,
 *   after the poll. (A flow has no time of publishing or enabling, so its time of creation decides.)
 * - One that was read and now is **behind**, because it is missing from the list or cannot be read,
 *   loses nothing: it keeps its floor until it is read again and all its events are returned.
 * - One that is missing for `limits.triggerMissingProjectMs` is forgotten, and new when it returns.
 *
 * After a restart of n8n, the last poll is the last one that n8n has stored.
 *
 * @param latest no floor is later
 */
export const projectRules = (
	{ lastPoll, read, exceptions }: KnownProjects,
	latest: () => number,
) => ({
	/** Whether no part of the project was read before */
	isNew: (id: string | undefined): boolean =>
		id !== undefined &&
		read !== undefined &&
		!read.has(id) &&
		!(exceptions.get(id)?.isBegun ?? false),

	/** The time up to which everything in the project is known, or is no event. */
	floorOf(id: string | undefined, floor: number): number {
		const own = () => {
			if (id === undefined || read === undefined) return floor;
			const exception = exceptions.get(id);
			if (exception !== undefined) {
				return exception.isBehind ? exception.floor : Math.max(floor, exception.floor);
			}
			return read.has(id) ? floor : Math.max(floor, lastPoll - limits.triggerLatenessMs);
		};
		return Math.min(own(), latest());
	},

	/** Whether entries of the project have to be kept, whatever their age. */
	isBehind: (id: string | undefined): boolean =>
		id !== undefined && (exceptions.get(id)?.isBehind ?? false),
});

interface Polled extends ProjectsSeen {
	serviceTime: ServiceTime | undefined;
	/** Time of the newest record, for a service that does not send its own time; 0 for none */
	newest: number;
	/** No floor is later */
	latest: number;
	/** Floor of all projects that are not exceptions */
	floor: number;
	/** IDs of projects with events that were not returned yet */
	pending: ReadonlySet<string>;
}

/** The projects after a poll. */
export function nextProjects(
	last: KnownProjects | undefined,
	{ listed, unread, serviceTime, newest, latest, floor, pending }: Polled,
): KnownProjects {
	const earliest = serviceTime?.isCertain === false ? (last?.lastPoll ?? 0) : 0;
	const now = Math.max(serviceTime?.time ?? newest, earliest);
	const lastPoll = now || (last?.lastPoll ?? 0);
	if (listed === undefined) return { lastPoll, exceptions: new Map() };
	const known = last ?? { lastPoll, read: new Set<string>(), exceptions: new Map() };
	const rules = projectRules(known, () => latest);
	// If a project cannot be read when watching starts, nothing of it is known, so only the time decides.
	const firstFloorOf = (id: string) => (unread.has(id) ? Math.max(floor, before(now)) : floor);
	const floorOf = (id: string) =>
		last === undefined ? firstFloorOf(id) : rules.floorOf(id, floor);
	const isNew = (id: string) => last === undefined || rules.isNew(id);

	const read = new Set<string>();
	const exceptions = new Map<string, Exception>();
	for (const id of listed) {
		const isBehind = unread.has(id) || (rules.isBehind(id) && pending.has(id));
		const own = floorOf(id);
		if (isBehind) {
			const isBegun = !isNew(id) || !unread.has(id);
			exceptions.set(id, { floor: own, isBehind, missingSince: 0, isBegun });
		} else {
			read.add(id);
			// A new project starts with a later floor than the others, until theirs reaches it.
			if (own > floor) {
				exceptions.set(id, { floor: own, isBehind, missingSince: 0, isBegun: true });
			}
		}
	}
	const missing = new Set(
		[...(known.read ?? []), ...known.exceptions.keys()].filter(
			(id) => !read.has(id) && !exceptions.has(id),
		),
	);
	// A time that is not certain ends no absence: the clock of n8n may be days ahead at one poll.
	const until = serviceTime === undefined ? Date.now() : serviceTime.isCertain ? now : 0;
	for (const id of missing) {
		const missingSince = known.exceptions.get(id)?.missingSince || until || now;
		if (until - missingSince > limits.triggerMissingProjectMs) continue;
		exceptions.set(id, { floor: floorOf(id), isBehind: true, missingSince, isBegun: !isNew(id) });
	}
	// Keeps those that are missing since the latest time.
	const absent = [...exceptions].filter(([id]) => missing.has(id));
	const surplus = absent
		.sort(([, a], [, b]) => b.missingSince - a.missingSince)
		.slice(limits.triggerMissingProjects);
	for (const [id] of surplus) exceptions.delete(id);
	return { lastPoll, read, exceptions };
}
