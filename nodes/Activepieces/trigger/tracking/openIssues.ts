import type { EventState, Look, Occurrence } from '../event';

/**
 * Tells records that have come into a state which needs attention. One that was in it at the last look is
 * known. A state that may be older than the last look says less: the record may have left that state and
 * come back. It is given again then, unless nothing of it has changed since (`version`); rather a message
 * twice than one lost.
 *
 * @param found all records that are in that state now
 */
export function trackOpenIssues(
	state: EventState | undefined,
	isStale: boolean,
	found: Occurrence[],
): Look {
	const known = (state?.open ?? {}) as Record<string, string>;
	const isKnown = ({ id, version }: Occurrence): boolean =>
		state === undefined || (isStale ? known[id] === version : Object.hasOwn(known, id));
	return {
		occurrences: found.filter((each) => !isKnown(each)).sort((a, b) => a.time - b.time),
		remember: (given) => ({
			open: Object.fromEntries(
				found
					.filter((each) => isKnown(each) || given.includes(each))
					.map(({ id, version }) => [id, version]),
			),
		}),
	};
}
