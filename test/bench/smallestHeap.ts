/** Smaller ones hold no n8n. */
const LEAST_MB = 64;
/** Nothing that is compared needs as much. */
const MOST_MB = 4096;
const PRECISION = 1.05;

/**
 * The smallest heap in which something works, found by halving; what a process holds at most says less,
 * since it collects only when it has to.
 * @param works whether it does with so many MB
 * @returns MB, at most 5 % too many
 * @throws Error when it does not work in 4 GB
 */
export async function smallestHeap(works: (heapMb: number) => Promise<boolean>): Promise<number> {
	let [fails, enough] = [LEAST_MB, LEAST_MB * 2];
	while (!(await works(enough))) {
		if (enough >= MOST_MB) throw new Error(`It does not work in ${enough} MB`);
		[fails, enough] = [enough, enough * 2];
	}
	while (enough / fails > PRECISION) {
		const middle = Math.round(Math.sqrt(fails * enough));
		if (await works(middle)) enough = middle;
		else fails = middle;
	}
	return enough;
}
