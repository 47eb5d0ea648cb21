import { byId } from '../engine/harness/byId';
import { casesFor, type Case } from '../operations';
import {
	FIRST_AND_LAST,
	startService,
	type Release,
	type Service,
	type ServiceData,
} from '../service';
import { credentialJson, execute, importInto, type Outcome } from './support/headless';
import { freshHome, type Home } from './support/homes';
import { N8N_RELEASES } from './support/install';
import { useEnds } from './support/running';
import { activepieces, trigger, workflow } from './support/workflow';

const DATA = { flows: 240, flowRuns: 80, connections: 25, templates: 12, invitations: 24 };

const nameOf = (release: Release, { pair }: Case) => `${release} ${pair}`;

/** The operations for which a key is enough. */
const casesOf = (release: Release) =>
	casesFor(release).filter(({ facts }) => facts.needsSession !== true);

/** Every operation, one after the other: each has the trigger's single item as its input. */
const everyOperation = ({ data, release }: Service) =>
	casesOf(release).map((each) => [
		activepieces(nameOf(release, each), release, each.parameters(data)),
	]);

/** Exports a flow, and imports the file into another project, as n8n stores it in between. */
function copyByFile({ data }: Service) {
	const [, { id }] = data.projects;
	const include = { includeFile: true, flowId: byId(data.flows[0].id) };
	const source = { projectId: byId(id), inputSource: 'binary' };
	return workflow('file', [
		trigger(),
		activepieces('Export', 'file', { resource: 'flow', operation: 'export', ...include }),
		activepieces('Import', 'file', { resource: 'flow', operation: 'import', ...source }),
	]);
}

describe.each(N8N_RELEASES)('n8n %s, headless', (n8n) => {
	const ends = useEnds();
	const services = new Map<Release, Service>();
	const before = new Map<Release, ServiceData>();
	let home: Home;
	let copied: Service;
	let outcome: Outcome;

	beforeAll(async () => {
		home = await freshHome(n8n);
		for (const release of FIRST_AND_LAST) {
			const service = await ends(startService({ data: DATA, release }));
			services.set(release, service);
		}
		const all = [...services.values()];
		const credentials = all.map((service) => credentialJson(service.release, service));
		copied = await ends(startService());
		credentials.push(credentialJson('file', copied));
		const steps = all.flatMap(everyOperation);
		for (const { release, data } of all) before.set(release, structuredClone(data));
		const workflows = [workflow('operations', [trigger()], steps), copyByFile(copied)];
		await importInto(home, credentials, workflows);
		outcome = await execute(home, 'operations');
	});

	test('Import takes the file of Export', async () => {
		const { flows, projects } = copied.data;
		const { displayName: name } = flows[0].version;
		const { records } = await execute(home, 'file');
		expect(records('Import')).toMatchObject([{ name, projectId: projects[1].id }]);
	});

	test.each(FIRST_AND_LAST)(
		'all operations return the records of Activepieces %s, and make the changes that they report',
		(release) => {
			const service = services.get(release)!;
			const given = before.get(release)!;

			for (const each of casesOf(release)) {
				const { pair } = each;
				const id = each.idIn(given);
				expect(outcome.executed).toContain(nameOf(release, each));
				const records = each.inOrder(outcome.records(nameOf(release, each)));
				expect([pair, records]).toMatchObject([pair, each.expected(given, id)]);
				expect([pair, each.isChanged(service, id, given)]).not.toEqual([pair, false]);
			}
			expect(outcome.printed).not.toContain(service.apiKey);
		},
	);
});
