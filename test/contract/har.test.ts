import { type Edition, type Release, startService } from '../service/index';
import { compare, type Entry, numberOf, readHar, send, titleOf } from './har';
import { HarSeeds } from './harSeeds';

const EMPTY = {
	flows: 0,
	connections: 0,
	connectionsPerProject: 0,
	templates: 0,
	invitations: 0,
	foldersPerProject: 0,
};

/** Sends the entries of one part in their order, and tells how each answer differs. */
async function replay(release: Release, edition: Edition, entries: Entry[]) {
	const service = await startService({ release, edition, data: EMPTY });
	service.webhooks.timeoutSeconds = 0.01;
	try {
		const seeds = new HarSeeds(service, entries);
		const differing: Record<string, string[]> = {};
		let previous: Entry | undefined;
		for (const entry of entries) {
			await seeds.prepare(entry, previous);
			const told = compare(entry, await send(entry, service, seeds.ids), seeds.ids);
			seeds.apply(entry);
			if (told.length > 0) differing[`${numberOf(entry)}: ${titleOf(entry)}`] = told;
			previous = entry;
		}
		return differing;
	} finally {
		await service.close();
	}
}

const FILES: Array<[Edition, Release]> = [
	['enterprise', '0.73'],
	['enterprise', '0.79'],
	['enterprise', '0.85'],
	['community', '0.73'],
	['community', '0.79'],
	['community', '0.85'],
	['community', '0.86'],
];
const PARTS = ['a', 'b', 'c', 'd', 'e'];

describe.each(FILES)('the stand-in against the recording of %s %s', (edition, release) => {
	test.each(PARTS)('part %s', async (part) => {
		const file = `${edition}-${release}${edition === 'enterprise' ? `-${part}` : ''}`;
		const entries = readHar(file).filter(({ pageref }) => pageref === part);
		expect(await replay(release, edition, entries)).toEqual({});
	});
});
