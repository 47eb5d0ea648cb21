import { limits } from '../../transport/limits';
import type { EventState, PollResult, TriggerItem } from '../event';
import { byTimeAndId } from '../oldestOutputs';
import { fromFlatMap, isText, isTime, toFlatMap } from './flatMap';

interface KnownIssues {
	/** Version that was given last, by ID */
	open: Map<string, string>;
	/** Time up to which records are known although they are not in `open`; 0 while all are in it */
	floor: number;
}

function readState(state: EventState | undefined): KnownIssues | undefined {
	const open = fromFlatMap(state?.open, isText);
	const floor = state?.floor;
	return open === undefined || !isTime(floor) ? undefined : { open, floor };
}

export const isIssuesState = (state: EventState): boolean => readState(state) !== undefined;

export interface IssueTracker {
	isNew(item: TriggerItem): boolean;
	/** @param found all records that are in that state now */
	result(found: TriggerItem[]): PollResult;
}

/**
 * Tells records that have come into a state which needs attention. One that was in it at the last poll is
 * known. A state that may be older than the last poll says less: the record may have left that state and
 * come back. It is given again then, unless nothing of it has changed since (`version`); rather a message
 * twice than one lost. Beyond `limits.triggerMaxEntries` the oldest are known by their time.
 */
export function trackOpenIssues(state: EventState | undefined, isStale: boolean): IssueTracker {
	const known = readState(state);
	const isKnown = ({ id, version, time }: TriggerItem): boolean => {
		if (known === undefined) return true;
		const { open, floor } = known;
		// One without a time that can be read has the time 0.
		const isBeyond = floor > 0 && time <= floor;
		if (!open.has(id)) return isBeyond;
		return !isStale || open.get(id) === version || isBeyond;
	};
	const nextState = (found: TriggerItem[], emitted: TriggerItem[]): EventState => {
		const isEmitted = new Set(emitted);
		const open = found.filter((each) => isEmitted.has(each) || isKnown(each));
		open.sort((a, b) => b.time - a.time);
		const beyond = open.at(limits.triggerMaxEntries)?.time ?? 0;
		const due = found
			.filter((each) => !isEmitted.has(each) && !isKnown(each))
			.reduce((oldest, { time }) => Math.min(oldest, time), Infinity);
		return {
			open: toFlatMap(
				new Map(open.slice(0, limits.triggerMaxEntries).map(({ id, version }) => [id, version])),
			),
			floor: Math.max(known?.floor ?? 0, Math.min(beyond, due - 1)),
		};
	};
	return {
		isNew: (item) => !isKnown(item),
		result: (found) => ({
			items: found.filter((each) => !isKnown(each)).sort(byTimeAndId),
			nextState: (emitted) => nextState(found, emitted),
		}),
	};
}
