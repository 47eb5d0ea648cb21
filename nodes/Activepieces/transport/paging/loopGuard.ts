import { limits } from '../limits';

/** Judges each page that has a `next`: nothing when it may be followed, else how the list ends there. */
export type LoopGuard = (
	rows: number,
	isKnown: boolean,
	next: string,
) => 'end' | 'repeatedPages' | 'emptyPages' | undefined;

/** Watches over one list, so that no service can keep its reading in a loop. */
export function createLoopGuard(): LoopGuard {
	const cursors = new Set<string>();
	let known = 0;
	let empty = 0;

	return (rows, isKnown, next) => {
		if (!isKnown) known = empty = 0;
		else if (rows > 0) known++;
		else empty++;
		if (empty >= limits.maxEmptyPages) return 'emptyPages';
		if (known >= limits.maxRepeatedPages) return 'repeatedPages';
		// All that a cursor leads to was read when it comes again, unless what it led to was the first
		// page, as for every cursor that the service does not know.
		if (cursors.has(next)) return isKnown && rows > 0 ? 'repeatedPages' : 'end';
		cursors.add(next);
		return undefined;
	};
}
