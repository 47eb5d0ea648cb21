import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { createTally, type PageRequest, readPages } from '../../nodes/Activepieces/transport/pages';

const RUNS = 2_000;

/** A service that holds `total` records and gives at most `cap` of them a page. */
function service(
	total: number,
	cap: number,
	turn: (next: string, page: number) => string | null = (next) => next,
) {
	const requests: PageRequest[] = [];
	const fetchPage = async (request: PageRequest) => {
		requests.push(request);
		if (requests.length > 10_000) throw new Error('The reading does not come to an end');
		// As the real one does it, a cursor that is not understood means the first page.
		const start = Math.max(0, Math.trunc(Number(request.cursor ?? 0)) || 0);
		const rows = Math.min(cap, request.limit);
		const data: IDataObject[] = [];
		for (let id = start; id < Math.min(start + rows, total); id++) data.push({ id: `r${id}` });
		const end = start + rows;
		return { data, next: end < total ? turn(String(end), requests.length) : null };
	};
	return { requests, fetchPage };
}

const sizes = {
	total: fc.integer({ min: 0, max: 300 }),
	cap: fc.integer({ min: 1, max: 120 }),
	pageSize: fc.integer({ min: 1, max: 120 }),
	wanted: fc.oneof(fc.integer({ min: 1, max: 350 }), fc.constant(Infinity)),
};

test('any page size, cap and limit: the right records in order, no row asked for too many, few requests', async () => {
	await fc.assert(
		fc.asyncProperty(fc.record(sizes), async ({ total, cap, pageSize, wanted }) => {
			const { requests, fetchPage } = service(total, cap);
			const tally = createTally(wanted);
			expect(await readPages(fetchPage, pageSize, tally)).toBeUndefined();

			const count = Math.min(total, wanted);
			expect(tally.records.map(({ id }) => id)).toEqual(
				Array.from({ length: count }, (_, index) => `r${index}`),
			);
			expect(requests.length).toBe(Math.max(1, Math.ceil(count / Math.min(cap, pageSize))));
			let given = 0;
			for (const { limit } of requests) {
				expect(limit).toBe(Math.min(pageSize, wanted - given));
				given += Math.min(cap, limit);
			}
		}),
		{ numRuns: RUNS },
	);
});

test('any cursors at all: it ends, gives no record twice and none that the service did not give', async () => {
	const cursors = fc.array(
		fc.oneof(fc.constant(''), fc.constant('again'), fc.nat(300).map(String), fc.string()),
		{ minLength: 1, maxLength: 8 },
	);
	await fc.assert(
		fc.asyncProperty(fc.record(sizes), cursors, async ({ total, cap, pageSize, wanted }, turns) => {
			const { requests, fetchPage } = service(
				total,
				cap,
				(_next, page) => turns[page % turns.length],
			);
			const tally = createTally(wanted);
			const stop = await readPages(fetchPage, pageSize, tally);

			expect([undefined, 'circling', 'losing']).toContain(stop);
			const given = tally.records.map(({ id }) => id);
			expect(new Set(given).size).toBe(given.length);
			expect(given.length).toBeLessThanOrEqual(Math.min(total, wanted));
			// Each cursor is followed once at most, and what it skips is asked for again once per doubling.
			expect(requests.length).toBeLessThanOrEqual((new Set(turns).size + 1) * 20);
		}),
		{ numRuns: RUNS },
	);
});

test('ever new cursors to what is known already are followed three times, not for ever, and said', async () => {
	let requests = 0;
	const tally = createTally(Infinity);
	await readPages(async () => ({ data: [{ id: 'a' }], next: `cursor-${++requests}` }), 10, tally);
	expect(tally.records).toEqual([{ id: 'a' }]);
	expect(requests).toBe(4);
});

test('a last page that repeats its cursor is the end of the list', async () => {
	const pages = [
		{ data: [{ id: 'a' }], next: '1' },
		{ data: [{ id: 'b' }], next: '1' },
	];
	const tally = createTally(Infinity);
	const stop = await readPages(async ({ cursor }) => pages[Number(cursor ?? 0)], 10, tally);
	expect(stop).toBeUndefined();
	expect(tally.records.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('an empty page with a `next` is not the end of the list', async () => {
	const pages = [
		{ data: [{ id: 'a' }], next: '1' },
		{ data: [], next: '2' },
		{ data: [{ id: 'b' }], next: null },
	];
	const tally = createTally(Infinity);
	await readPages(async ({ cursor }) => pages[Number(cursor ?? 0)], 10, tally);
	expect(tally.records.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('records move between pages while they are read: each is given once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.array(fc.nat(40), { maxLength: 10 }), { minLength: 1, maxLength: 10 }),
			async (pages) => {
				const tally = createTally(Infinity);
				await readPages(
					async ({ cursor }) => {
						const page = Number(cursor ?? 0);
						return {
							data: pages[page].map((id) => ({ id: `r${id}` })),
							next: page + 1 < pages.length ? String(page + 1) : null,
						};
					},
					10,
					tally,
				);
				const ids = tally.records.map(({ id }) => id);
				expect(new Set(ids).size).toBe(ids.length);
			},
		),
		{ numRuns: RUNS },
	);
});

test('records without an id are all given, since nothing tells them apart', async () => {
	const tally = createTally(Infinity);
	await readPages(async () => ({ data: [{ a: 1 }, { a: 1 }], next: null }), 10, tally);
	expect(tally.records).toHaveLength(2);
});

test('a service that never stops giving new records is left at the cap, and says so', async () => {
	let id = 0;
	const tally = createTally(Infinity);
	const stop = await readPages(
		async () => ({ data: [{ id: `r${id++}` }], next: `cursor-${id}` }),
		1,
		tally,
		50,
	);
	expect(stop).toBe('endless');
	expect(tally.records).toHaveLength(50);
});
