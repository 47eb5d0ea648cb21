import { type Edition, type Release, startService } from '../service/index';
import { compare, type Entry, numberOf, readHar, send, titleOf } from './har';
import { namesWithout, whyNot } from './harExceptions';
import { HarSeeds } from './harSeeds';

/** How many entries a recording has, and how many of them are compared. */
const RECORDINGS: Array<{ edition: Edition; release: Release; entries: number; compared: number }> =
	[
		{ edition: 'enterprise', release: '0.73', entries: 432, compared: 318 },
		{ edition: 'enterprise', release: '0.79', entries: 447, compared: 326 },
		{ edition: 'enterprise', release: '0.85', entries: 441, compared: 322 },
		{ edition: 'community', release: '0.73', entries: 59, compared: 49 },
		{ edition: 'community', release: '0.79', entries: 59, compared: 48 },
		{ edition: 'community', release: '0.85', entries: 61, compared: 51 },
		{ edition: 'community', release: '0.86', entries: 62, compared: 51 },
	];
const PARTS = ['a', 'b', 'c', 'd', 'e'];

const EMPTY = {
	flows: 0,
	connections: 0,
	connectionsPerProject: 0,
	templates: 0,
	invitations: 0,
	foldersPerProject: 0,
};

const entriesOf = (edition: Edition, release: Release): Entry[] =>
	edition === 'community'
		? readHar(`${edition}-${release}`)
		: PARTS.flatMap((part) => readHar(`${edition}-${release}-${part}`));

/** Sends the entries of one part in their order, and tells how each answer differs. */
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
	'the stand-in against the recording of $edition $release',
	({ edition, release, entries, compared }) => {
		const recording = `${edition} ${release}`;
		const all = entriesOf(edition, release);

		// In order: later exchanges meet what earlier ones changed.
		test.each(PARTS)('part %s', async (part) => {
			const ofPart = all.filter(({ pageref }) => pageref === part);
			const differing = await replay(release, edition, ofPart);
			const name = (entry: Entry) => `${numberOf(entry)}: ${titleOf(entry)}`;
			const unexpected = [...differing].filter(([entry]) => !whyNot(entry, recording));
			expect(unexpected.map(([entry, told]) => [name(entry), ...told])).toEqual([]);
			const matching = ofPart.filter((entry) => whyNot(entry, recording) && !differing.has(entry));
			expect(matching.map(name)).toEqual([]);
		});

		test('as many entries are compared as before', () => {
			const left = all.filter((entry) => whyNot(entry, recording) === undefined);
			expect({ entries: all.length, compared: left.length }).toEqual({ entries, compared });
		});
	},
);

test('each row of what is not compared has an entry', () => {
	const all = RECORDINGS.flatMap(({ edition, release }) =>
		entriesOf(edition, release).map((entry): [string, Entry] => [`${edition} ${release}`, entry]),
	);
	expect(namesWithout(all)).toEqual([]);
});
