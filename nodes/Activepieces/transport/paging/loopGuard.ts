import { limits } from '../limits';

/** Judges each page that has a `next`: nothing when it may be followed, else why the list cannot be read on. */
export type LoopGuard = (
	rows: number,
	isKnown: boolean,
	next: string,
) => 'repeatedPages' | 'emptyPages' | undefined;

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
		// No end, since it says that more follows. The service itself repeats none: it stands for the last row
		// of a page, which lies behind that of the page before (recorded).
		if (cursors.has(next)) return 'repeatedPages';
		cursors.add(next);
		return undefined;
	};
}
