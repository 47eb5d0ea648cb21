import { limits } from '../limits';

/**
 * Fetches pages ahead that are read one after the other, in parallel up to the number of requests that a
 * run may have in flight.
 *
 * @param count number of pages, from index 0
 * @param width number of pages to fetch in parallel, from an index on
 * @returns a function that returns the page of an index. A page is fetched ahead once; a second call
 * fetches it again
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
			// Its error is thrown in its turn; nothing awaits it before.
			page.catch(() => {});
			ahead.set(end, page);
		}
		const page = ahead.get(index) ?? fetch(index);
		ahead.delete(index);
		return await page;
	};
}
