/** A page may repeat what is known, since rows move while they are read; so many in a row may not. */
const KNOWN_PAGES = 3;

/** So many empty pages in a row may have a `next`; the service itself gives none. */
const EMPTY_PAGES = 20;

/** Judges each page that has a `next`: nothing when it may be followed, else how the list ends there. */
export type LoopGuard = (
	rows: number,
	isKnown: boolean,
	next: string,
) => 'end' | 'circling' | 'empty' | undefined;

/** Watches over one list, so that no service can keep its reading in a loop. */
export function createLoopGuard(): LoopGuard {
	const cursors = new Set<string>();
	let known = 0;
	let empty = 0;

	return (rows, isKnown, next) => {
		if (!isKnown) known = empty = 0;
		else if (rows > 0) known++;
		else empty++;
		if (empty >= EMPTY_PAGES) return 'empty';
		if (known >= KNOWN_PAGES) return 'circling';
		// All that a cursor leads to was read when it comes again, unless what it led to was the first
		// page, as for every cursor that the service does not know.
		if (cursors.has(next)) return isKnown && rows > 0 ? 'circling' : 'end';
		cursors.add(next);
		return undefined;
	};
}
