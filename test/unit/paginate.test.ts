import * as fc from 'fast-check';

import { limits } from '../../nodes/Activepieces/transport/limits';
import { type PageRequest, paginate } from '../../nodes/Activepieces/transport/api/pages';
import { restoreLimits } from '../restoreLimits';

restoreLimits(limits);

/** Rules for any values. */
const property = <Values extends [unknown, ...unknown[]]>(
	name: string,
	...args: [
		...{ [Value in keyof Values]: fc.Arbitrary<Values[Value]> },
		(...values: Values) => Promise<void>,
	]
) => test(name, async () => await fc.assert(fc.asyncProperty(...args), { numRuns: 100 }));

const upTo = (max: number, min = 1) => fc.integer({ min, max });
const numbered = (length: number, start = 0) =>
	Array.from({ length }, (_, index) => ({ id: start + index }));

// As one text, because jest compares thousands of arrays slowly.
const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id)).join();

/** Reads a list to its end, and keeps its requests. */
async function read(
	fetchPage: (
		request: PageRequest,
	) => Promise<{ data: object[]; next: unknown; previous?: unknown }>,
	pageSize: number,
	limit = Infinity,
) {
	const requests: PageRequest[] = [];
	const records: Array<Record<string, unknown>> = [];
	const fetch = async (request: PageRequest) => {
		requests.push(request);
		if (requests.length > 10_000) throw new Error('Reading the list never ends');
		const { data, ...cursors } = await fetchPage(request);
		return { data: data as Array<Record<string, never>>, ...cursors, bytes: 0 };
	};
	const walked = paginate(fetch, { pageSize, wanted: () => limit - records.length });
	for (;;) {
		const { done, value } = await walked.next();
		const reason = value === 'unwanted' ? undefined : value;
		if (done) return { reason, records, requests };
		records.push(...value.rows.slice(0, limit - records.length));
	}
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A `next` or `previous` of the service for a record of a second. */
const cursorOf = (direction: 'next' | 'prev', second: number) =>
	base64(`${direction}_${base64(`created:${second}`)}`);

function parseCursor(cursor: string) {
	const [direction, inner] = Buffer.from(cursor, 'base64').toString().split('_');
	const [, second] = Buffer.from(inner, 'base64').toString().split(':');
	return { isBackward: direction === 'prev', second: Number(second) };
}

/** The pages of a list itself, without the few records before each of them. */
const pagesOf = (requests: PageRequest[]) =>
	requests.filter(({ cursor }) => cursor === undefined || !parseCursor(cursor).isBackward);

/**
 * A list with the service's paging: the cursor contains the second of a page's last record, the next
 * page begins after that second, and there is a `next` only if one more record was seen. With a `previous` as cursor
 * come the records before the second of a page's first record.
 *
 * @param seconds number of records created in each second
 * @param cap maximum number of records on a page
 */
function fakeList(seconds: number[], cap = Infinity) {
	const rows = seconds.flatMap((count, second) =>
		Array.from({ length: count }, (_, row) => ({ id: `${second}/${row}`, second })),
	);
	const fetchPage = async ({ limit, cursor }: PageRequest) => {
		const from = cursor === undefined ? { isBackward: false, second: -1 } : parseCursor(cursor);
		if (from.isBackward) {
			const end = rows.findIndex(({ second }) => second >= from.second);
			return { data: rows.slice(Math.max(0, end - Math.min(cap, limit)), end), next: 'on' };
		}
		const start = rows.findIndex(({ second }) => second > from.second);
		const data = start < 0 ? [] : rows.slice(start, start + Math.min(cap, limit));
		const hasMore = start >= 0 && start + data.length < rows.length;
		return {
			data,
			next: hasMore ? cursorOf('next', data[data.length - 1].second) : null,
			previous: cursor === undefined || data.length === 0 ? null : cursorOf('prev', data[0].second),
		};
	};
	return { rows, fetchPage };
}

/** A page of an arbitrary server: its records, and the number of the next page. */
interface FakePage {
	rows: number[];
	next: number | null;
}

/** Serves the pages; an unknown cursor means the first page, as with the real service. */
const fakeServer =
	(pages: FakePage[]) =>
	async ({ cursor }: PageRequest) => {
		const { rows, next } = pages[Number(cursor ?? 0)] ?? pages[0];
		return { data: rows.map((id) => ({ id })), next: next === null ? null : String(next) };
	};

/** What a client would see that followed every `next`. */
function reachable(pages: FakePage[]): Set<string> {
	const seen = new Set<number>();
	for (let at: number | null = 0; at !== null && !seen.has(at); at = pages[at].next) seen.add(at);
	return new Set([...seen].flatMap((at) => pages[at].rows.map(String)));
}

property(
	'a list of a correct service: any page size, cap and limit: the right records in order, no row too many, few requests',
	upTo(300, 0),
	upTo(120),
	upTo(120),
	fc.oneof(upTo(350), fc.constant(Infinity)),
	async (total, cap, pageSize, wanted) => {
		const { rows, fetchPage } = fakeList(Array<number>(total).fill(1), cap);
		const { reason, records, requests } = await read(fetchPage, pageSize, wanted);
		expect(reason).toBeUndefined();
		expect(ids(records)).toBe(ids(rows.slice(0, wanted)));
		const each = Math.min(cap, pageSize);
		const pages = Math.max(1, Math.ceil(Math.min(total, wanted) / each));
		const asked = [...Array(pages).keys()].map((page) => Math.min(pageSize, wanted - page * each));
		expect(
			pagesOf(requests)
				.map(({ limit }) => limit)
				.join(),
		).toBe(asked.join());
		// One small request for each edge.
		expect(requests.length).toBeLessThanOrEqual(2 * pages - 1);
	},
);

describe('records of one second, which the service skips at page edges', () => {
	property(
		'a list is complete and in order, and nothing is returned twice, with any number of records in each second',
		fc.array(upTo(40), { minLength: 1, maxLength: 20 }),
		upTo(30),
		fc.oneof(upTo(350), fc.constant(Infinity)),
		async (seconds, pageSize, wanted) => {
			const { rows, fetchPage } = fakeList(seconds);
			const { reason, records } = await read(fetchPage, pageSize, wanted);
			expect(reason).toBeUndefined();
			expect(ids(records)).toBe(ids(rows.slice(0, wanted)));
		},
	);

	property(
		'a list that is sorted by another time than its cursor compares, as that of flows up to 0.73, is never returned in part',
		fc.array(upTo(9), { minLength: 1, maxLength: 40 }),
		upTo(12),
		async (seconds, pageSize) => {
			// Sorted by their place, although the cursor is about the seconds.
			const rows = seconds.map((second, id) => ({ id, second }));
			const { reason, records } = await read(async ({ limit, cursor }) => {
				const from = cursor === undefined ? { isBackward: false, second: -1 } : parseCursor(cursor);
				const fit = rows.filter(({ second }) =>
					from.isBackward ? second < from.second : second > from.second,
				);
				const data = from.isBackward ? fit.slice(-limit) : fit.slice(0, limit);
				const [first] = data;
				return {
					data,
					next: fit.length > data.length ? cursorOf('next', data.at(-1)!.second) : null,
					previous:
						cursor === undefined || first === undefined ? null : cursorOf('prev', first.second),
				};
			}, pageSize);
			if (reason === undefined) expect(records).toHaveLength(rows.length);
		},
	);

	test('an endless second ends at the maximum of an input item', async () => {
		limits.maxRecordsPerItem = 1_000;
		// A first page only, which says that more follows.
		const { reason, requests } = await read(
			async ({ limit, cursor }) =>
				cursor === undefined ? { data: numbered(limit), next: 'on' } : { data: [], next: null },
			10,
		);
		expect(reason).toBe('missingRecords');
		const lengths = requests.filter(({ cursor }) => cursor === undefined).map(({ limit }) => limit);
		expect(lengths).toEqual([10, 20, 40, 80, 160, 320, 640, 1_000]);
	});
});

describe('the end of a list', () => {
	test.each<[string, { data: number[]; next: string | null }, string | undefined, number?]>([
		['gives the same rows, and a `next`', { data: [1, 2], next: '1' }, undefined],
		['does so, though the first one had room', { data: [1, 2], next: '1' }, 'missingRecords', 3],
		['gives the same rows, and no `next`', { data: [1, 2], next: null }, undefined],
		['is full and has a `next`', { data: [1, 2, 1, 2], next: '1' }, 'missingRecords'],
		['has lost a row', { data: [1], next: '1' }, 'missingRecords'],
		['is empty', { data: [], next: null }, 'missingRecords'],
	])('before an empty page: the larger page %s', async (_name, longer, reason, size = 2) => {
		// Another empty page may come after it.
		for (const after of [null, '2']) {
			const { reason: found, records } = await read(async ({ limit, cursor }) => {
				if (cursor !== undefined) return { data: [], next: cursor === '1' ? after : null };
				const { data, next } = limit > size ? longer : { data: [1, 2], next: '1' };
				return { data: data.map((id) => ({ id })), next };
			}, size);
			expect(found).toBe(reason);
			expect(ids(records)).toBe('1,2');
		}
	});

	test('a larger page with another cursor is followed', async () => {
		const { reason, records, requests } = await read(async ({ limit, cursor }) => {
			if (cursor === 'nowhere') return { data: [], next: null };
			if (cursor === 'on') return { data: [{ id: 5 }], next: null };
			return { data: numbered(limit, 1), next: limit === 2 ? 'nowhere' : 'on' };
		}, 2);
		expect(reason).toBeUndefined();
		expect(ids(records)).toBe('1,2,3,4,5');
		const sent = requests.map(({ limit, cursor }) => `${limit} ${cursor}`);
		expect(sent).toEqual(['2 undefined', '2 nowhere', '4 undefined', '2 on']);
	});
});

property(
	'a service that misbehaves: any pages with any cursors: it ends, and a part of a list is never returned as the whole list',
	fc
		.array(
			fc.record({ rows: fc.array(fc.nat(60), { maxLength: 8 }), next: fc.option(fc.nat(11)) }),
			{ minLength: 1, maxLength: 12 },
		)
		.map((pages): FakePage[] =>
			pages.map(({ rows, next }) => ({ rows, next: next === null ? null : next % pages.length })),
		),
	upTo(20),
	fc.oneof(upTo(60), fc.constant(Infinity)),
	async (pages, pageSize, wanted) => {
		const { reason, records, requests } = await read(fakeServer(pages), pageSize, wanted);
		const given = records.map(({ id }) => String(id));
		const all = reachable(pages);
		expect(new Set(given).size).toBe(given.length);
		expect(given.length).toBeLessThanOrEqual(wanted);
		expect(given.filter((id) => !all.has(id))).toEqual([]);
		if (reason === undefined) expect(given.length).toBe(Math.min(wanted, all.size));
		expect(requests.length).toBeLessThanOrEqual(pages.length + 40);
	},
);
