import { limits } from '../limits';

/**
 * Fetches pages that are read one after the other ahead of their turn, as many side by side as a run may
 * have requests in flight.
 *
 * @param count how many there are, from index 0
 * @param width how many are fetched side by side from an index on
 * @returns gives the page of an index. A page is fetched ahead once: asked for again it is fetched anew
 */
export function createReadAhead<Page>(
	count: number,
	fetch: (index: number) => Promise<Page>,
	width: (index: number) => number = () => limits.maxConcurrency,
): (index: number) => Promise<Page> {
	const ahead = new Map<number, Promise<Page>>();
	let end = 0;
	return async (index) => {
		for (end = Math.max(end, index); end < Math.min(index + width(index), count); end++) {
			const page = fetch(end);
			// Its error is thrown when its turn comes; until then nobody waits for it.
			page.catch(() => {});
			ahead.set(end, page);
		}
		const page = ahead.get(index) ?? fetch(index);
		ahead.delete(index);
		return await page;
	};
}
