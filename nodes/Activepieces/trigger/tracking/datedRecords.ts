import { limits } from '../../transport/limits';
import { byTimeAndId } from '../oldestOutputs';
import type { ServiceTime } from '../serviceTime';
import { latestFloor } from './knownProjects';
import type { Pending, Place } from './undatedRecords';

export interface Seen {
	time: number;
	project: string;
}

/** The known records that have a time of their own. */
export interface DatedRecords {
	/** Records with this time or an earlier one are known */
	floor: number;
	/** By ID */
	seen: Map<string, Seen>;
	/** Records dated in the future up to this place are known; undefined when all are in `seen` */
	future?: Place;
}

/**
 * Records with a later time are dated in the future, and do not make others old. The clock of n8n counts
 * only if the service sends no time, and then only for dates that are off by years.
 */
export const latestTime = (serviceTime: ServiceTime | undefined): number =>
	serviceTime === undefined
		? Date.now() + limits.triggerFutureMs.unknownTime
		: serviceTime.time + limits.triggerFutureMs.knownTime;

interface Bounds {
	serviceTime: ServiceTime | undefined;
	/** Records that are still to be returned */
	pending: Pending[];
	isBehind: (project: string | undefined) => boolean;
}

/**
 * The newest records by ID and time, up to a limit; older ones are below the floor. It keeps all records
 * that are recent enough for others to appear late among them, and those of projects that are behind, up
 * to `limits.triggerMaxEntries`. While the time is not certain, it is unknown which ones those are, and
 * which are dated in the future.
 */
export function boundedDated(
	{ floor, seen, future }: DatedRecords,
	{ serviceTime, pending, isBehind }: Bounds,
) {
	const isUncertain = serviceTime?.isCertain === false;
	// By the clock that is ahead, because records that were dropped are known only while they are in the future.
	const latest =
		serviceTime === undefined
			? latestTime(serviceTime)
			: latestFloor(serviceTime) + limits.triggerFutureMs.knownTime;
	const records = [...seen].map(([id, each]) => ({ id, ...each }));
	records.sort((a, b) => byTimeAndId(b, a));
	const ahead = records.filter(({ time }) => time > latest);
	const present = records.slice(ahead.length);

	const unsettled =
		Math.min(present[0]?.time ?? 0, serviceTime?.time ?? Infinity) - limits.triggerLatenessMs;
	const due = pending
		.filter(({ project }) => !isBehind(project))
		.reduce((oldest, { time }) => Math.min(oldest, time), Infinity);
	const kept = present
		.filter(
			({ time, project }, index) =>
				isUncertain ||
				index < limits.triggerSeenRecords ||
				time >= Math.min(unsettled, due) ||
				isBehind(project),
		)
		.slice(0, limits.triggerMaxEntries);
	const isKept = new Set(kept);
	const dropped = present.filter((each) => !isKept.has(each));

	const keptAhead = ahead.slice(0, limits.triggerSeenRecords);
	const beyond = ahead.at(limits.triggerSeenRecords);
	const nextFuture =
		beyond === undefined || (future !== undefined && byTimeAndId(future, beyond) > 0)
			? future
			: { time: beyond.time, id: beyond.id };
	return {
		known: {
			floor: dropped
				.filter(({ project }) => !isBehind(project))
				.reduce((highest, { time }) => Math.max(highest, time), floor),
			seen: new Map(
				[...keptAhead, ...kept].map(({ id, time, project }) => [id, { time, project }]),
			),
			...(due === Infinity ? {} : { due }),
			...(nextFuture === undefined ? {} : { future: nextFuture }),
		},
		/** Records of projects that are behind; only beyond `limits.triggerMaxEntries` */
		dropped: dropped.filter(({ project }) => isBehind(project)),
	};
}
