import type { ApiClient } from './client';
import { pages, type PageOptions, type RecordCollector } from './pages';
export { pageFetcher, fetchUnpagedList } from './pages';
import { limits } from './limits';
import type { ApiRequest } from './request';
import { createLimiter } from './run';
import { sizeOf } from './values';
export async function fetchList(
	client: ApiClient,
	request: ApiRequest,
	pageSize: number,
	c: RecordCollector,
): Promise<void> {
	const wanted = () =>
		c.isFiltered && c.records.length < c.limit ? Infinity : c.limit - c.records.length;
	const options: PageOptions = {
		pageSize,
		seen: c.seen,
		wanted,
		isStopped: () => c.aborted === true,
	};
	for await (const { rows, bytesPerRow } of pages(client, request, options))
		for (const row of rows) {
			if (c.records.length >= c.limit) break;
			const record = c.transform(row);
			if (record === undefined) continue;
			c.records.push(record);
			const bytes = record === row ? bytesPerRow : sizeOf(record);
			if (c.keep) c.keep(bytes);
			else client.run.keep(bytes);
		}
}
export async function readInParallel(
	collectors: RecordCollector[],
	read: (index: number) => Promise<void>,
): Promise<void> {
	const limiter = createLimiter(limits.maxConcurrency);
	const readOrStop = async (index: number) =>
		await read(index).catch((error: unknown) => {
			for (const each of collectors) each.aborted = true;
			throw error;
		});
	await Promise.all(
		collectors.map(async (_e, index) => await limiter(async () => await readOrStop(index))),
	);
}
