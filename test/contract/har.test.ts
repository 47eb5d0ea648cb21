import { type Edition, type Release, startService } from '../service/index';
import { compare, type Entry, entriesOf, numberOf, send, titleOf } from './har';
import { rowsWithout, whyNot } from './harExceptions';
import { HarSeeds } from './harSeeds';

/** The number of entries of a recording, and how many of them are compared. */
const RECORDINGS: Array<[Edition, Release, entries: number, compared: number]> = [
	['enterprise', '0.73', 579, 453],
	['enterprise', '0.79', 590, 459],
	['enterprise', '0.85', 583, 454],
	['enterprise', '0.86', 142, 130],
	['community', '0.73', 59, 49],
	['community', '0.79', 59, 48],
	['community', '0.85', 199, 177],
	['community', '0.86', 62, 51],
];

const EMPTY = Object.fromEntries(
	'flows connections connectionsPerProject templates invitations foldersPerProject tablesPerProject'
		.split(' ')
		.map((name) => [name, 0]),
);

/** Sends the entries of one part in their order, and returns how each response differs. */
async function replay(release: Release, edition: Edition, entries: Entry[]) {
	const service = await startService({ release, edition, data: EMPTY });
	service.webhooks.timeoutSeconds = 0.01;
	try {
		const seeds = new HarSeeds(service, entries);
		const differing = new Map<Entry, string[]>();
		let previous: Entry | undefined;
		for (const entry of entries) {
			await seeds.prepare(entry, previous);
			const told = compare(entry, await send(entry, service, seeds.ids), seeds.ids);
			seeds.apply(entry);
			if (told.length > 0) differing.set(entry, told);
			previous = entry;
		}
		return differing;
	} finally {
		await service.close();
	}
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
			const unexpected = [...differing].filter(([entry]) => !whyNot(entry, recording));
			expect(unexpected.map(([entry, told]) => [name(entry), ...told])).toEqual([]);
			const matching = ofPart.filter((entry) => whyNot(entry, recording) && !differing.has(entry));
			expect(matching.map(name)).toEqual([]);
		});

		test('compares as many entries as before', () => {
			const left = all.filter((entry) => whyNot(entry, recording) === undefined);
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
