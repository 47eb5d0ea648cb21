import { call } from '../service/client';
import { startService, type Edition, type Release, type Service } from '../service/index';
import { entriesOf, numberOf, send, titleOf, type Entry } from './har';
import { compare } from './harCompare';
import { isException, rowsWithout } from './harExceptions';
import { HarSeeds } from './harSeeds';

/** The number of entries of a recording, and how many of them are compared. */
const RECORDINGS: Array<[Edition, Release, entries: number, compared: number]> = [
	['enterprise', '0.73', 413, 402],
	['enterprise', '0.79', 1149, 1023],
	['enterprise', '0.85', 1293, 1188],
	['enterprise', '0.86', 1157, 1016],
	['community', '0.73', 175, 175],
	['community', '0.79', 366, 354],
	['community', '0.85', 523, 505],
	['community', '0.86', 229, 225],
];

const EMPTY = Object.fromEntries(
	'flows connections connectionsPerProject variablesPerProject templates invitations foldersPerProject tablesPerProject members'
		.split(' ')
		.map((name) => [name, 0]),
);

/** Parts that were recorded with the data that the stand-in calls `recorded`. */
const isSameData = ({ pageref }: Entry): boolean => /^[fgh]$/.test(pageref);

/** Sends the entries of one part in their order, and returns how each response differs. */
async function replay(release: Release, edition: Edition, entries: Entry[]) {
	let now = entries[0].startedDateTime;
	const data = isSameData(entries[0]) ? 'recorded' : EMPTY;
	const service = await startService({ release, edition, data, clock: () => Date.parse(now) });
	service.webhooks.timeoutSeconds = 0.01;
	service.webhooks.speed = 1000;
	service.time.step = isSameData(entries[0]) ? 20 : 1;
	if (isSameData(entries[0])) service.worker.settleAfter = Infinity;
	try {
		const seeds = new HarSeeds(service);
		const differing = new Map<Entry, string[]>();
		let previous: Entry | undefined;
		for (const entry of entries) {
			await seeds.prepare(entry, previous);
			for (let i = 1; i < (entry._times ?? 1); i++) await send(entry, service, seeds.ids);
			now = entry.startedDateTime;
			if (entry._plan) service.plan[entry._plan] = false;
			const told = entry._walk
				? await walked(entry, service)
				: compare(entry, await send(entry, service, seeds.ids), seeds.ids, isSameData(entry));
			if (entry._plan) service.plan[entry._plan] = true;
			if (told.length > 0) differing.set(entry, told);
			previous = entry;
		}
		return differing;
	} finally {
		await service.close();
	}
}

/** The IDs on each page of a list, read to its end. */
async function pagesOf(service: Service, path: string): Promise<string[][]> {
	const key = service.edition === 'community' ? service.userToken : service.apiKey;
	const headers = { authorization: `Bearer ${key}` };
	const pages: string[][] = [];
	for (let cursor = ''; ;) {
		const { text } = await call(service, path + cursor, { headers });
		const page = JSON.parse(text) as { data: Array<{ id: string }>; next: string | null };
		pages.push(page.data.map(({ id }) => id));
		if (page.next === null) return pages;
		cursor = `&cursor=${encodeURIComponent(page.next)}`;
	}
}

/** Compares how much of a list is seen when it is read to its end. */
async function walked({ request, _walk: recorded }: Entry, service: Service): Promise<string[]> {
	const path = request.url.replace('http://127.0.0.1/api', '');
	const all = await pagesOf(service, path.replace(/limit=\d+/, 'limit=1000'));
	const pages = await pagesOf(service, path);
	const here = { rows: all.flat().length, seen: new Set(pages.flat()).size, pages: pages.length };
	const isSame = Object.entries(recorded!).every(([name, n]) => n === here[name as 'rows']);
	return isSame ? [] : [`${JSON.stringify(recorded)} was recorded, not ${JSON.stringify(here)}`];
}

describe.each(RECORDINGS)(
	'the stand-in against the recording of %s %s',
	(edition, release, entries, compared) => {
		const recording = `${edition} ${release}`;
		const all = entriesOf(edition, release);

		// In order: later exchanges depend on changes of earlier ones.
		test.each([...new Set(all.map(({ pageref }) => pageref))])('part %s', async (part) => {
			const ofPart = all.filter(({ pageref }) => pageref === part);
			const differing = await replay(release, edition, ofPart);
			const name = (entry: Entry) => `${numberOf(entry)}: ${titleOf(entry)}`;
			const unexpected = [...differing].filter(([entry]) => !isException(entry, recording));
			expect(unexpected.map(([entry, told]) => [name(entry), ...told])).toEqual([]);
			const matching = ofPart.filter(
				(entry) => isException(entry, recording) && !differing.has(entry),
			);
			expect(matching.map(name)).toEqual([]);
		});

		test('compares as many entries as before', () => {
			const left = all.filter((entry) => !isException(entry, recording));
			expect({ entries: all.length, compared: left.length }).toEqual({ entries, compared });
		});
	},
);

test('each exception matches an entry', () => {
	const all = RECORDINGS.flatMap(([edition, release]) =>
		entriesOf(edition, release).map((entry): [string, Entry] => [`${edition} ${release}`, entry]),
	);
	expect(rowsWithout(all)).toEqual([]);
});
