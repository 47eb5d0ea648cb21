import { limits } from '../../transport/limits';
import { isRecord } from '../../transport/values';
import type { EventState } from '../event';
import { byTimeAndId } from '../oldestOutputs';
import { isText, isTime } from './flatMap';

/** A place in the order in which records are returned. */
export interface Place {
	time: number;
	id: string;
}

/** Writes a place under its name; an empty object when there is none. */
export const writePlace = (name: string, place: Place | undefined): EventState =>
	place === undefined ? {} : { [name]: { ...place } };

export const isPlace = (stored: unknown): stored is Place | undefined =>
	stored === undefined || (isRecord(stored) && isTime(stored.time) && isText(stored.id));

interface KnownUndated {
	/** Versions by ID */
	undated: Map<string, string>;
	undatedUntil?: Place;
}

/** A record that is still to be returned, or the place from which records may not have been read. */
export interface Pending extends Place {
	project?: string;
}

/** A known record without a time of its own that a poll has listed or returned. */
export interface Undated extends Pending {
	version: string;
}

/**
 * The records without a time of their own, up to `limits.triggerMaxEntries`. Records that are no longer
 * listed are dropped first, then the oldest, which are known by their place from then on, and last those
 * of projects that are behind.
 *
 * @param listed records that this poll has listed or returned
 * @param pending records that are still to be returned
 */
export function boundedUndated(
	{ undated, undatedUntil }: KnownUndated,
	listed: Undated[],
	pending: Pending[],
	isBehind: (project: string | undefined) => boolean,
) {
	const isListed = new Set(listed.map(({ id }) => id));
	const unlisted = [...undated].filter(([id]) => !isListed.has(id));
	const sorted = [...listed].sort(
		(a, b) => Number(isBehind(a.project)) - Number(isBehind(b.project)) || byTimeAndId(a, b),
	);
	const dropped = sorted.splice(0, Math.max(0, sorted.length - limits.triggerMaxEntries));
	const room = limits.triggerMaxEntries - sorted.length;
	const kept = [
		...unlisted.slice(Math.max(0, unlisted.length - room)),
		...sorted.map(({ id, version }) => [id, version] as const),
	];

	const [due] = pending.filter(({ project }) => !isBehind(project)).sort(byTimeAndId);
	const places: Place[] = dropped.filter(({ project }) => !isBehind(project));
	if (undatedUntil !== undefined) places.push(undatedUntil);
	const last = places
		.filter((place) => due === undefined || byTimeAndId(place, due) < 0)
		.sort(byTimeAndId)
		.at(-1);
	return {
		known: {
			undated: new Map(kept),
			...(last === undefined ? {} : { undatedUntil: { time: last.time, id: last.id } }),
		},
		/** Records of projects that are behind; only beyond `limits.triggerMaxEntries` */
		dropped: dropped.filter(({ project }) => isBehind(project)),
	};
}
