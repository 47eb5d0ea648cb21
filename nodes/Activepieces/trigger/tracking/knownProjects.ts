import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../transport/limits';
import { isRecord } from '../../transport/values/isRecord';
import type { ServiceTime } from '../serviceTime';
import { isText, isTime } from './flatMap';

/** The projects as a poll has seen them. */
export interface ProjectsSeen {
	/** IDs of all that were listed; nothing when projects play no part, as for users or a chosen project */
	listed?: string[];
	/** Projects among them that could not be read */
	unread: ReadonlySet<string>;
}

/** A project of which not everything is known that is known of the others. */
interface Exception {
	/** Time up to which everything of it is known, or is no event */
	floor: number;
	/** Whether it was not read, or not to the end of its events */
	isBehind: boolean;
	/** Since when it is missing from the list, in milliseconds since 1970; 0 when it is listed */
	missingSince: number;
	/** Whether it was ever read */
	isBegun: boolean;
}

/** The projects of one state. */
export interface KnownProjects {
	/** When the service was last polled, by its own clock; 0 when it does not tell it */
	lastPoll: number;
	/** Read to their end by the last poll; nothing when projects play no part */
	read?: Set<string>;
	exceptions: Map<string, Exception>;
}

/** @returns nothing when the stored text is not of this shape */
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

/** The service tells its time in whole seconds, so what is dated at that very time came after it. */
const before = (time: number): number => Math.max(0, time - 1);

/**
 * The latest time up to which something can be known. A later floor is from a server, a proxy or a clock that
 * was wrong, or from an edited state. That of n8n counts too, so that a `Date` that is behind lowers no floor.
 *
 * @returns Infinity when the time is not certain: the clock of n8n alone, which may be behind, lowers no floor
 */
export const latestFloor = (serviceTime: ServiceTime | undefined): number =>
	serviceTime?.isCertain === true ? Math.max(serviceTime.time, Date.now()) : Infinity;

/**
 * The rule for what comes with a project:
 *
 * - One that the last poll did not list is **new**. What is dated before that poll is no event, and what is
 *   dated after it is, also in a project that was made since. What is dated in the last
 *   `limits.triggerLatenessMs` before that poll is an event as well: it may have been stored, or dated by
 *   another clock, after the poll. (A flow has no time for being published or enabled: what is old is decided
 *   by when it was created.)
 * - One that was read and now is **behind**, because it is missing from the list or cannot be read, loses
 *   nothing: it keeps the floor it had then, until it is read again and all its events are given.
 * - One that is missing for `limits.triggerMissingProjectMs` is forgotten, and new when it comes back.
 *
 * After a restart of n8n the last poll is the last one that n8n has stored.
 *
 * @param latest no floor is later
 */
export const projectRules = (
	{ lastPoll, read, exceptions }: KnownProjects,
	latest: () => number,
) => ({
	/** Whether nothing of the project was read before */
	isNew: (id: string | undefined): boolean =>
		id !== undefined &&
		read !== undefined &&
		!read.has(id) &&
		!(exceptions.get(id)?.isBegun ?? false),

	/** Gives the time up to which everything of the project is known, or is no event. */
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

	/** Whether entries of the project have to be kept, however old. */
	isBehind: (id: string | undefined): boolean =>
		id !== undefined && (exceptions.get(id)?.isBehind ?? false),
});

interface Polled extends ProjectsSeen {
	serviceTime: ServiceTime | undefined;
	/** Time of the newest record, for a service that does not tell its own; 0 for none */
	newest: number;
	/** No floor is later */
	latest: number;
	/** Floor of everything that belongs to no exception */
	floor: number;
	/** Projects with events that were not given yet */
	pending: ReadonlySet<string>;
}

/** The projects once a poll is over. */
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
	// One that cannot be read when watching begins: nothing of it is known, so its time alone decides.
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
			// One that is new begins later than the others, until they have caught up with it.
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
	// Of those that are missing the latest are kept.
	const absent = [...exceptions].filter(([id]) => missing.has(id));
	const surplus = absent
		.sort(([, a], [, b]) => b.missingSince - a.missingSince)
		.slice(limits.triggerMissingProjects);
	for (const [id] of surplus) exceptions.delete(id);
	return { lastPoll, read, exceptions };
}
