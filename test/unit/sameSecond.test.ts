import * as fc from 'fast-check';

import { createTally, type PageRequest, readPages } from '../../nodes/Activepieces/transport/pages';

const RUNS = 2_000;

/**
 * A list as the service pages it: the cursor keeps the second of a page's last row, the next page begins
 * after that second, and there is a `next` only when one row more was seen.
 *
 * @param seconds how many rows were created in each second
 */
function service(seconds: number[]) {
	const rows = seconds.flatMap((count, second) =>
		Array.from({ length: count }, (_, row) => ({ id: `${second}/${row}`, second })),
	);
	const requests: PageRequest[] = [];
	const fetchPage = async ({ limit, cursor }: PageRequest) => {
		requests.push({ limit, cursor });
		if (requests.length > 10_000) throw new Error('The reading does not come to an end');
		const start = rows.findIndex(({ second }) => second > Number(cursor ?? -1));
		const data = start < 0 ? [] : rows.slice(start, start + limit);
		const more = start >= 0 && start + limit < rows.length;
		return { data, next: more ? String(data[data.length - 1].second) : null };
	};
	return { rows, requests, fetchPage };
}

// One text, because comparing thousands of arrays takes Jest long.
const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id).join();

test('all rows of one second are given, whatever their number and the page size, in few requests', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 800 }),
			fc.integer({ min: 1, max: 400 }),
			async (count, pageSize) => {
				const { rows, requests, fetchPage } = service([count]);
				const tally = createTally(Infinity);
				expect(await readPages(fetchPage, pageSize, tally)).toBeUndefined();
				expect(ids(tally.records)).toBe(ids(rows));
				const doublings = Math.max(0, Math.ceil(Math.log2(count / pageSize)));
				expect(requests.length).toBeLessThanOrEqual(2 + doublings);
			},
		),
		{ numRuns: RUNS },
	);
});

test('the last second of a list is whole, whatever came before it; nothing is given twice', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
			fc.integer({ min: 1, max: 30 }),
			async (seconds, pageSize) => {
				const { rows, fetchPage } = service(seconds);
				const tally = createTally(Infinity);
				expect(await readPages(fetchPage, pageSize, tally)).toBeUndefined();
				const ofLast = (records: Array<{ id?: unknown; second?: unknown }>) =>
					records.filter(({ second }) => second === seconds.length - 1);
				expect(ids(ofLast(tally.records))).toBe(ids(ofLast(rows)));
				expect(new Set(tally.records.map(({ id }) => id)).size).toBe(tally.records.length);
			},
		),
		{ numRuns: RUNS },
	);
});

test('Limit stays exact, and no more rows are asked for than it takes', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 400 }),
			fc.integer({ min: 1, max: 120 }),
			fc.integer({ min: 1, max: 450 }),
			async (count, pageSize, wanted) => {
				const { rows, requests, fetchPage } = service([count]);
				const tally = createTally(wanted);
				expect(await readPages(fetchPage, pageSize, tally)).toBeUndefined();
				expect(ids(tally.records)).toBe(ids(rows.slice(0, wanted)));
				expect(Math.max(...requests.map(({ limit }) => limit))).toBeLessThanOrEqual(wanted);
			},
		),
		{ numRuns: RUNS },
	);
});

test('a service that loses rows however long the page is left, and its part is not given as the whole', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 50 }),
			fc.integer({ min: 1, max: 200 }),
			async (cap, pageSize) => {
				let requests = 0;
				const fetchPage = async ({ limit, cursor }: PageRequest) => {
					requests++;
					if (cursor !== undefined) return { data: [], next: null };
					const rows = Math.min(limit, cap);
					return { data: Array.from({ length: rows }, (_, id) => ({ id })), next: 'on' };
				};
				const stop = await readPages(fetchPage, pageSize, createTally(Infinity));
				expect(stop).toBe('losing');
				expect(requests).toBeLessThanOrEqual(10);
			},
		),
		{ numRuns: RUNS },
	);
});

test('a second without end is left where one input item ends', async () => {
	const limits: number[] = [];
	const fetchPage = async ({ limit, cursor }: PageRequest) => {
		if (cursor !== undefined) return { data: [], next: null };
		limits.push(limit);
		return { data: Array.from({ length: limit }, (_, id) => ({ id })), next: 'on' };
	};
	expect(await readPages(fetchPage, 1_000, createTally(Infinity))).toBe('losing');
	expect(limits).toEqual([1, 2, 4, 8, 16, 32, 64, 100].map((thousands) => thousands * 1_000));
});

test('a list whose last rows are deleted meanwhile is no loss', async () => {
	const pages = [
		{ data: [{ id: 'a' }, { id: 'b' }], next: '1' },
		{ data: [], next: null },
		{ data: [{ id: 'a' }, { id: 'b' }], next: null },
	];
	const tally = createTally(Infinity);
	expect(await readPages(async () => pages.shift() ?? pages[0], 2, tally)).toBeUndefined();
	expect(ids(tally.records)).toBe('a,b');
});
