import * as fc from 'fast-check';

import { paginate, type PageRequest } from '../../nodes/Activepieces/transport/api/pages';
import { limits } from '../../nodes/Activepieces/transport/limits';
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
	fetchPage: (request: PageRequest) => Promise<{ data: object[]; next: unknown }>,
	pageSize: number,
	limit = Infinity,
) {
	const requests: PageRequest[] = [];
	const records: Array<Record<string, unknown>> = [];
	const fetch = async (request: PageRequest) => {
		requests.push(request);
		if (requests.length > 10_000) throw new Error('Reading the list never ends');
		const { data, next } = await fetchPage(request);
		return { data: data as Array<Record<string, never>>, next };
	};
	const walked = paginate(fetch, { pageSize, wanted: () => limit - records.length });
	for (;;) {
		const { done, value } = await walked.next();
		const reason = value === 'unwanted' ? undefined : value;
		if (done) return { reason, records, requests };
		records.push(...value.rows.slice(0, limit - records.length));
	}
}

/**
 * A list with the service's paging: the cursor names the last record of a page, and there is a `next` only if one more
 * record was seen.
 *
 * @param cap maximum number of records on a page
 */
function fakeList(total: number, cap: number) {
	const rows = numbered(total);
	const fetchPage = async ({ limit, cursor = '0' }: PageRequest) => {
		const end = Number(cursor) + Math.min(cap, limit);
		return { data: rows.slice(Number(cursor), end), next: end < total ? String(end) : null };
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
		const { rows, fetchPage } = fakeList(total, cap);
		const { reason, records, requests } = await read(fetchPage, pageSize, wanted);
		expect(reason).toBeUndefined();
		expect(ids(records)).toBe(ids(rows.slice(0, wanted)));
		const each = Math.min(cap, pageSize);
		const pages = Math.max(1, Math.ceil(Math.min(total, wanted) / each));
		const asked = [...Array(pages).keys()].map((page) => Math.min(pageSize, wanted - page * each));
		expect(requests.map(({ limit }) => limit).join()).toBe(asked.join());
	},
);

test('an empty page after a `next` is no end: the service skips the rest of a second', async () => {
	const { reason } = await read(
		async ({ cursor }) =>
			cursor === undefined ? { data: numbered(2), next: 'on' } : { data: [], next: null },
		2,
	);
	expect(reason).toBe('missingRecords');
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
