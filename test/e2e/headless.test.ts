import { casesFor } from '../operations';
import { FIRST_AND_LAST, type Release, type Service, startService } from '../service';
import { credentialJson, execute, importInto } from './support/headless';
import { freshHome, type Home } from './support/homes';
import { N8N_RELEASES } from './support/install';
import { useEnds } from './support/running';
import { activepieces, trigger, workflow } from './support/workflow';

const DATA = { flows: 240, flowRuns: 80, connections: 25, templates: 12, invitations: 24 };

/** Every operation, one after the other: each has the trigger's single item as its input. */
function everyOperation({ data, release }: Service) {
	const steps = casesFor(release).map((each) => [
		activepieces(each.pair, release, each.parameters(data)),
	]);
	return workflow(release, [trigger()], steps);
}

describe.each(N8N_RELEASES)('n8n %s, headless', (n8n) => {
	const ends = useEnds();
	const services = new Map<Release, Service>();
	let home: Home;

	beforeAll(async () => {
		home = await freshHome(n8n);
		for (const release of FIRST_AND_LAST) {
			services.set(release, await ends(startService({ data: DATA, release })));
		}
		const all = [...services.values()];
		const credentials = all.map((service) => credentialJson(service.release, service));
		await importInto(home, credentials, all.map(everyOperation));
	});

	test.each(FIRST_AND_LAST)(
		'all operations return the records of Activepieces %s, and make the changes that they report',
		async (release) => {
			const service = services.get(release)!;
			const before = structuredClone(service.data);
			const { executed, records, printed } = await execute(home, release);

			for (const each of casesFor(release)) {
				const { pair } = each;
				const id = each.idIn(before);
				expect(executed).toContain(pair);
				const given = each.inOrder(records(pair));
				expect([pair, given]).toMatchObject([pair, each.expected(before, id)]);
				expect([pair, each.isChanged(service, id, before)]).not.toEqual([pair, false]);
			}
			expect(printed).not.toContain(service.apiKey);
		},
	);
});
