import * as fc from 'fast-check';

import { createTally, type PageRequest, readPages } from '../../nodes/Activepieces/transport/pages';

const RUNS = 2_000;
const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id));

/** A page of a service that gives what it likes: rows, and the number of the page that comes next. */
interface Card {
	rows: number[];
	next: number | null;
}

/** Pages that lead to each other in any way: on, back, round in circles, to themselves. */
const cards = (rows: fc.Arbitrary<number[]>) =>
	fc
		.array(fc.record({ rows, next: fc.option(fc.nat(11)) }), { minLength: 1, maxLength: 12 })
		.map((pages): Card[] =>
			pages.map(({ rows, next }) => ({ rows, next: next === null ? null : next % pages.length })),
		);

const anyRows = fc.array(fc.nat(60), { maxLength: 8 });

/** Serves the cards; a cursor that is none of its own means the first page, as at the real service. */
function dealer(pages: Card[]) {
	const requests: PageRequest[] = [];
	const fetchPage = async (request: PageRequest) => {
		requests.push(request);
		if (requests.length > 10_000) throw new Error('The reading does not come to an end');
		const { rows, next } = pages[Number(request.cursor ?? 0)] ?? pages[0];
		return { data: rows.map((id) => ({ id })), next: next === null ? null : String(next) };
	};
	return { requests, fetchPage };
}

/** What a client that followed every `next` for ever would have seen. */
function reachable(pages: Card[]): Set<string> {
	const seen = new Set<number>();
	for (let at: number | null = 0; at !== null && !seen.has(at); at = pages[at].next) seen.add(at);
	return new Set([...seen].flatMap((at) => pages[at].rows.map(String)));
}

test('any pages that lead anywhere: it ends, and a part of a list is never given as the whole', async () => {
	await fc.assert(
		fc.asyncProperty(cards(anyRows), fc.integer({ min: 1, max: 20 }), async (pages, pageSize) => {
			const { requests, fetchPage } = dealer(pages);
			const tally = createTally(Infinity);
			const stop = await readPages(fetchPage, pageSize, tally);

			const given = idsOf(tally.records);
			expect(new Set(given).size).toBe(given.length);
			const all = reachable(pages);
			for (const id of given) expect(all).toContain(id);
			if (stop === undefined) expect(new Set(given)).toEqual(all);
			expect(requests.length).toBeLessThanOrEqual(pages.length + 40);
		}),
		{ numRuns: RUNS },
	);
});

test('any pages and any limit: never more than Limit, and Limit itself where the service has as many', async () => {
	const distinct = fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 8 });
	await fc.assert(
		fc.asyncProperty(
			fc.array(distinct, { minLength: 1, maxLength: 8 }),
			fc.integer({ min: 1, max: 60 }),
			async (rows, wanted) => {
				const pages = rows.map((each, at): Card => ({
					rows: each,
					next: at + 1 < rows.length ? at + 1 : null,
				}));
				const { fetchPage } = dealer(pages);
				const tally = createTally(wanted);
				const stop = await readPages(fetchPage, 10, tally);
				if (stop === 'circling') return;
				expect(tally.records).toHaveLength(Math.min(wanted, reachable(pages).size));
			},
		),
		{ numRuns: RUNS },
	);
});

test('a service that gives ever new cursors, with empty, known or new rows in any order, is left in the end', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom('empty', 'known', 'new'), { minLength: 1, maxLength: 20 }),
			fc.integer({ min: 1, max: 30 }),
			async (kinds, pageSize) => {
				let count = 0;
				const fetchPage = async () => {
					const kind = kinds[count % kinds.length];
					count++;
					const data = kind === 'empty' ? [] : [{ id: kind === 'known' ? 'same' : `r${count}` }];
					return { data, next: `cursor-${count}` };
				};
				const tally = createTally(Infinity);
				const stop = await readPages(fetchPage, pageSize, tally, 500);
				expect(['endless', 'circling', 'empty']).toContain(stop);
				expect(count).toBeLessThanOrEqual(500);
			},
		),
		{ numRuns: RUNS },
	);
});

test('empty pages between full ones are no end', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.tuple(fc.integer({ min: 0, max: 19 }), fc.integer({ min: 1, max: 5 })), {
				minLength: 1,
				maxLength: 6,
			}),
			async (parts) => {
				let id = 0;
				const pages: Card[] = [];
				for (const [gap, size] of parts) {
					for (let i = 0; i < gap; i++) pages.push({ rows: [], next: pages.length + 1 });
					const rows = Array.from({ length: size }, () => id++);
					pages.push({ rows, next: pages.length + 1 });
				}
				pages[pages.length - 1].next = null;
				const tally = createTally(Infinity);
				expect(await readPages(dealer(pages).fetchPage, 10, tally)).toBeUndefined();
				expect(tally.records).toHaveLength(id);
			},
		),
		{ numRuns: RUNS },
	);
});

test('rows that come again and in another order on later pages are each given once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 60 }),
			fc.integer({ min: 1, max: 10 }),
			fc.array(fc.nat(200), { maxLength: 40 }),
			async (total, size, shuffles) => {
				const pages: Card[] = [];
				for (let start = 0; start < total; start += size) {
					const fresh = Array.from({ length: Math.min(size, total - start) }, (_, i) => start + i);
					// A few of those before, in between: rows move while they are read.
					const old = shuffles.map((pick) => pick % total).filter((id) => id < start);
					pages.push({ rows: [...old, ...fresh.reverse(), ...old], next: pages.length + 1 });
				}
				pages[pages.length - 1].next = null;
				const tally = createTally(Infinity);
				expect(await readPages(dealer(pages).fetchPage, size, tally)).toBeUndefined();
				expect(idsOf(tally.records).sort()).toEqual(
					Array.from({ length: total }, (_, id) => String(id)).sort(),
				);
			},
		),
		{ numRuns: RUNS },
	);
});

test('a list that grows while it is read gives all that was there when the reading began', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 80 }),
			fc.integer({ min: 1, max: 15 }),
			fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 }),
			async (before, pageSize, growth) => {
				let total = before;
				let page = 0;
				const fetchPage = async ({ limit, cursor }: PageRequest) => {
					const start = Number(cursor ?? 0);
					const end = Math.min(total, start + limit);
					const data = Array.from({ length: end - start }, (_, i) => ({ id: start + i }));
					const next = end < total ? String(end) : null;
					total += growth[page++] ?? 0;
					return { data, next };
				};
				const tally = createTally(Infinity);
				expect(await readPages(fetchPage, pageSize, tally)).toBeUndefined();
				const given = tally.records.map(({ id }) => Number(id));
				expect(given).toEqual(given.map((_, index) => index));
				expect(given.length).toBeGreaterThanOrEqual(before);
			},
		),
		{ numRuns: RUNS },
	);
});

test('any text as cursor is handed back exactly as it came', async () => {
	const text = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', minLength: 1 }));
	await fc.assert(
		fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 10 }), async (cursors) => {
			const sent: unknown[] = [];
			const fetchPage = async ({ cursor }: PageRequest) => {
				sent.push(cursor);
				return { data: [{ id: sent.length }], next: cursors[sent.length - 1] ?? null };
			};
			await readPages(fetchPage, 10, createTally(Infinity));
			expect(sent).toEqual([undefined, ...cursors]);
		}),
		{ numRuns: RUNS },
	);
});
