import * as fc from 'fast-check';

import { limits } from '../../nodes/Activepieces/transport/limits';
import type { PageRequest } from '../../nodes/Activepieces/transport/paging/page';
import { paginate } from '../../nodes/Activepieces/transport/paging/paginate';
import { createRecordCollector } from '../../nodes/Activepieces/transport/paging/recordCollector';

const RUNS = { numRuns: 1_000 };

const restored = { ...limits };
afterEach(() => Object.assign(limits, restored));

// One text, because comparing thousands of arrays takes Jest long.
const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id)).join();

/** Reads a list to its end, and keeps what was asked for. */
async function read(
	fetchPage: (request: PageRequest) => Promise<{ data: object[]; next: unknown }>,
	pageSize: number,
	limit = Infinity,
) {
	const requests: PageRequest[] = [];
	const collector = createRecordCollector(limit);
	const reason = await paginate(
		async (request) => {
			requests.push(request);
			if (requests.length > 10_000) throw new Error('The reading does not come to an end');
			return (await fetchPage(request)) as { data: Array<Record<string, never>>; next: unknown };
		},
		pageSize,
		collector,
	);
	return { reason, records: collector.records, requests };
}

/**
 * A list as the service pages it: the cursor keeps the second of a page's last row, the next page begins
 * after that second, and there is a `next` only when one row more was seen.
 *
 * @param seconds how many rows were created in each second
 * @param cap the most rows that a page has
 */
function fakeList(seconds: number[], cap = Infinity) {
	const rows = seconds.flatMap((count, second) =>
		Array.from({ length: count }, (_, row) => ({ id: `${second}/${row}`, second })),
	);
	const fetchPage = async ({ limit, cursor }: PageRequest) => {
		const start = rows.findIndex(({ second }) => second > Number(cursor ?? -1));
		const data = start < 0 ? [] : rows.slice(start, start + Math.min(cap, limit));
		const hasMore = start >= 0 && start + data.length < rows.length;
		return { data, next: hasMore ? String(data[data.length - 1].second) : null };
	};
	return { rows, fetchPage };
}

/** A page of a server that gives what it likes: rows, and the number of the page that comes next. */
interface FakePage {
	rows: number[];
	next: number | null;
}

/** Serves the pages; a cursor that is none of its own means the first page, as at the real service. */
const fakeServer =
	(pages: FakePage[]) =>
	async ({ cursor }: PageRequest) => {
		const { rows, next } = pages[Number(cursor ?? 0)] ?? pages[0];
		return { data: rows.map((id) => ({ id })), next: next === null ? null : String(next) };
	};

/** What a client that followed every `next` for ever would have seen. */
function reachable(pages: FakePage[]): Set<string> {
	const seen = new Set<number>();
	for (let at: number | null = 0; at !== null && !seen.has(at); at = pages[at].next) seen.add(at);
	return new Set([...seen].flatMap((at) => pages[at].rows.map(String)));
}

/** Pages that follow each other, down to the last one. */
const inARow = (rows: number[][]): FakePage[] =>
	rows.map((each, at) => ({ rows: each, next: at + 1 < rows.length ? at + 1 : null }));

describe('a list that the service gives as it should', () => {
	test('any page size, cap and limit: the right records in order, no row too many, few requests', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 300 }),
				fc.integer({ min: 1, max: 120 }),
				fc.integer({ min: 1, max: 120 }),
				fc.oneof(fc.integer({ min: 1, max: 350 }), fc.constant(Infinity)),
				async (total, cap, pageSize, wanted) => {
					const { rows, fetchPage } = fakeList(Array<number>(total).fill(1), cap);
					const { reason, records, requests } = await read(fetchPage, pageSize, wanted);
					expect(reason).toBeUndefined();
					expect(ids(records)).toBe(ids(rows.slice(0, wanted)));
					const count = Math.min(total, wanted);
					expect(requests.length).toBe(Math.max(1, Math.ceil(count / Math.min(cap, pageSize))));
					let given = 0;
					for (const { limit } of requests) {
						expect(limit).toBe(Math.min(pageSize, wanted - given));
						given += Math.min(cap, limit);
					}
				},
			),
			RUNS,
		);
	});

	test('one that grows meanwhile gives all that was there when the reading began', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 80 }),
				fc.integer({ min: 1, max: 15 }),
				fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 }),
				async (before, pageSize, growth) => {
					let total = before;
					let page = 0;
					const { reason, records } = await read(async ({ limit, cursor }) => {
						const start = Number(cursor ?? 0);
						const end = Math.min(total, start + limit);
						const data = Array.from({ length: end - start }, (_, row) => ({ id: start + row }));
						const next = end < total ? String(end) : null;
						total += growth[page++] ?? 0;
						return { data, next };
					}, pageSize);
					expect(reason).toBeUndefined();
					expect(records.map(({ id }) => id)).toEqual(records.map((_, index) => index));
					expect(records.length).toBeGreaterThanOrEqual(before);
				},
			),
			RUNS,
		);
	});

	test('any text as cursor is handed back exactly as it came', async () => {
		const text = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', minLength: 1 }));
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 10 }), async (cursors) => {
				let page = 0;
				const { requests } = await read(
					async () => ({ data: [{ id: page }], next: cursors[page++] ?? null }),
					10,
				);
				expect(requests.map(({ cursor }) => cursor)).toEqual([undefined, ...cursors]);
			}),
			RUNS,
		);
	});

	test('records without an id are all given, since nothing tells them apart', async () => {
		const { records } = await read(async () => ({ data: [{ a: 1 }, { a: 1 }], next: null }), 10);
		expect(records).toHaveLength(2);
	});
});

describe('rows of one second, which the service skips at page edges', () => {
	test('are all given, whatever their number and the page size, in few requests', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 800 }),
				fc.integer({ min: 1, max: 400 }),
				async (count, pageSize) => {
					const { rows, fetchPage } = fakeList([count]);
					const { reason, records, requests } = await read(fetchPage, pageSize);
					expect(reason).toBeUndefined();
					expect(ids(records)).toBe(ids(rows));
					const doublings = Math.max(0, Math.ceil(Math.log2(count / pageSize)));
					expect(requests.length).toBeLessThanOrEqual(2 + doublings);
				},
			),
			RUNS,
		);
	});

	test('the last second of a list is whole, whatever came before it; nothing is given twice', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
				fc.integer({ min: 1, max: 30 }),
				async (seconds, pageSize) => {
					const { rows, fetchPage } = fakeList(seconds);
					const { reason, records } = await read(fetchPage, pageSize);
					expect(reason).toBeUndefined();
					const ofLast = (all: Array<{ id?: unknown; second?: unknown }>) =>
						all.filter(({ second }) => second === seconds.length - 1);
					expect(ids(ofLast(records))).toBe(ids(ofLast(rows)));
					expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
				},
			),
			RUNS,
		);
	});

	test('Limit stays exact, and no more rows are asked for than it takes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 400 }),
				fc.integer({ min: 1, max: 120 }),
				fc.integer({ min: 1, max: 450 }),
				async (count, pageSize, wanted) => {
					const { rows, fetchPage } = fakeList([count]);
					const { reason, records, requests } = await read(fetchPage, pageSize, wanted);
					expect(reason).toBeUndefined();
					expect(ids(records)).toBe(ids(rows.slice(0, wanted)));
					expect(Math.max(...requests.map(({ limit }) => limit))).toBeLessThanOrEqual(wanted);
				},
			),
			RUNS,
		);
	});

	test('rows lost on every page, however long: its part is not given as the whole', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 50 }),
				fc.integer({ min: 1, max: 200 }),
				async (cap, pageSize) => {
					const { reason, requests } = await read(async ({ limit, cursor }) => {
						if (cursor !== undefined) return { data: [], next: null };
						const rows = Math.min(limit, cap);
						return { data: Array.from({ length: rows }, (_, id) => ({ id })), next: 'on' };
					}, pageSize);
					// A page that is as full as can be, and no longer when asked for more, is the last one.
					const isFull = Number.isInteger(Math.log2(cap / pageSize)) && cap >= pageSize;
					expect(reason).toBe(isFull ? undefined : 'missingRecords');
					expect(requests.length).toBeLessThanOrEqual(10);
				},
			),
			RUNS,
		);
	});

	test('a second without end is left where one input item ends', async () => {
		const { reason, requests } = await read(async ({ limit, cursor }) => {
			if (cursor !== undefined) return { data: [], next: null };
			return { data: Array.from({ length: limit }, (_, id) => ({ id })), next: 'on' };
		}, 1_000);
		expect(reason).toBe('missingRecords');
		const lengths = requests.filter(({ cursor }) => cursor === undefined).map(({ limit }) => limit);
		expect(lengths).toEqual([1, 2, 4, 8, 16, 32, 64, 100].map((thousands) => thousands * 1_000));
	});
});

describe('the end of a list', () => {
	test.each([
		['the longer page gives the same rows, and a `next`', { data: [1, 2], next: '1' }, undefined],
		['the longer page gives the same rows, and no `next`', { data: [1, 2], next: null }, undefined],
		[
			'the longer page is full and has a `next`',
			{ data: [1, 2, 1, 2], next: '1' },
			'missingRecords',
		],
		['the longer page has lost a row', { data: [1], next: '1' }, 'missingRecords'],
		['the longer page is empty', { data: [], next: null }, 'missingRecords'],
	])('after a full page whose `next` leads to an empty one: %s', async (_name, longer, reason) => {
		const { reason: found, records } = await read(async ({ limit, cursor }) => {
			if (cursor !== undefined) return { data: [], next: null };
			const { data, next } = limit > 2 ? longer : { data: [1, 2], next: '1' };
			return { data: data.map((id) => ({ id })), next };
		}, 2);
		expect(found).toBe(reason);
		expect(ids(records)).toBe('1,2');
	});

	test('a longer page that leads on elsewhere is followed there', async () => {
		const { reason, records, requests } = await read(async ({ limit, cursor }) => {
			if (cursor === 'nowhere') return { data: [], next: null };
			if (cursor === 'on') return { data: [{ id: 5 }], next: null };
			return limit === 2
				? { data: [{ id: 1 }, { id: 2 }], next: 'nowhere' }
				: { data: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }], next: 'on' };
		}, 2);
		expect(reason).toBeUndefined();
		expect(ids(records)).toBe('1,2,3,4,5');
		expect(requests.map(({ limit, cursor }) => [limit, cursor])).toEqual([
			[2, undefined],
			[2, 'nowhere'],
			[4, undefined],
			[2, 'on'],
		]);
	});

	test.each([
		['with new rows', [2]],
		['with known rows', [1]],
		['without rows', []],
	])(
		'a page %s that repeats its cursor says that more follows, and is no end',
		async (_name, rows) => {
			const pages = [
				{ rows: [1], next: 1 },
				{ rows, next: 1 },
			];
			const { reason, requests } = await read(fakeServer(pages), 10);
			expect(reason).toBe('repeatedPages');
			expect(requests).toHaveLength(2);
		},
	);

	test('empty pages between full ones are no end', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.integer({ min: 0, max: 19 }), fc.integer({ min: 1, max: 5 })), {
					minLength: 1,
					maxLength: 6,
				}),
				async (parts) => {
					let id = 0;
					const rows = parts.flatMap(([gap, size]) => [
						...Array.from({ length: gap }, () => []),
						Array.from({ length: size }, () => id++),
					]);
					const { reason, records } = await read(fakeServer(inARow(rows)), 10);
					expect(reason).toBeUndefined();
					expect(records).toHaveLength(id);
				},
			),
			RUNS,
		);
	});

	test('rows that come again, in another order, on later pages are each given once', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 60 }),
				fc.integer({ min: 1, max: 10 }),
				fc.array(fc.nat(200), { maxLength: 40 }),
				async (total, size, picks) => {
					const rows: number[][] = [];
					for (let start = 0; start < total; start += size) {
						const length = Math.min(size, total - start);
						const fresh = Array.from({ length }, (_, row) => start + row);
						// A few of those before, in between: rows move while they are read.
						const old = picks.map((pick) => pick % total).filter((id) => id < start);
						rows.push([...old, ...fresh.reverse(), ...old]);
					}
					const { reason, records } = await read(fakeServer(inARow(rows)), size);
					expect(reason).toBeUndefined();
					expect(records.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(
						Array.from({ length: total }, (_, id) => id),
					);
				},
			),
			RUNS,
		);
	});
});

describe('a service that misbehaves', () => {
	test('any pages that lead anywhere: it ends, and a part of a list is never given as the whole', async () => {
		const anyPages = fc
			.array(
				fc.record({ rows: fc.array(fc.nat(60), { maxLength: 8 }), next: fc.option(fc.nat(11)) }),
				{ minLength: 1, maxLength: 12 },
			)
			.map((pages): FakePage[] =>
				pages.map(({ rows, next }) => ({ rows, next: next === null ? null : next % pages.length })),
			);
		await fc.assert(
			fc.asyncProperty(
				anyPages,
				fc.integer({ min: 1, max: 20 }),
				fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(Infinity)),
				async (pages, pageSize, wanted) => {
					const { reason, records, requests } = await read(fakeServer(pages), pageSize, wanted);
					const given = records.map(({ id }) => String(id));
					const all = reachable(pages);
					expect(new Set(given).size).toBe(given.length);
					expect(given.length).toBeLessThanOrEqual(wanted);
					for (const id of given) expect(all).toContain(id);
					if (reason === undefined) expect(given.length).toBe(Math.min(wanted, all.size));
					expect(requests.length).toBeLessThanOrEqual(pages.length + 40);
				},
			),
			RUNS,
		);
	});

	test('ever new cursors, with empty, known or new rows in any order, are left in the end', async () => {
		limits.maxPages = 500;
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.constantFrom('empty', 'known', 'new'), { minLength: 1, maxLength: 20 }),
				fc.integer({ min: 1, max: 30 }),
				async (kinds, pageSize) => {
					let count = 0;
					const { reason } = await read(async () => {
						const kind = kinds[count % kinds.length];
						count++;
						const data = kind === 'empty' ? [] : [{ id: kind === 'known' ? 'same' : `r${count}` }];
						return { data, next: `cursor-${count}` };
					}, pageSize);
					expect(['maxPages', 'repeatedPages', 'emptyPages']).toContain(reason);
					expect(count).toBeLessThanOrEqual(500);
				},
			),
			{ numRuns: 500 },
		);
	});

	test('known rows with ever new cursors are followed three times, not for ever', async () => {
		let page = 0;
		const next = () => `cursor-${++page}`;
		const { reason, records, requests } = await read(
			async () => ({ data: [{ id: 'a' }], next: next() }),
			10,
		);
		expect(reason).toBe('repeatedPages');
		expect(records).toEqual([{ id: 'a' }]);
		expect(requests).toHaveLength(4);
	});

	test('no list has more pages than the cap, and no item more records than n8n can take', async () => {
		expect([limits.maxPages, limits.maxRecordsPerItem]).toEqual([100_000, 100_000]);
		let id = 0;
		const endless = async () => ({ data: [{ id: id++ }], next: `cursor-${id}` });
		limits.maxPages = 50;
		expect((await read(endless, 1)).reason).toBe('maxPages');
		expect(id).toBe(50);
		limits.maxRecordsPerItem = 20;
		expect((await read(endless, 1)).reason).toBe('tooManyRecords');
		expect(id).toBe(50 + 21);
	});
});
