import { byId } from '../engine/harness/byId';
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
	let home: Home;
	let copied: Service;

	beforeAll(async () => {
		home = await freshHome(n8n);
		for (const release of FIRST_AND_LAST) {
			services.set(release, await ends(startService({ data: DATA, release })));
		}
		const all = [...services.values()];
		const credentials = all.map((service) => credentialJson(service.release, service));
		copied = await ends(startService());
		credentials.push(credentialJson('file', copied));
		await importInto(home, credentials, [...all.map(everyOperation), copyByFile(copied)]);
	});

	test('Import takes the file of Export', async () => {
		const { flows, projects } = copied.data;
		const { displayName: name } = flows[0].version;
		const { records } = await execute(home, 'file');
		expect(records('Import')).toMatchObject([{ name, projectId: projects[1].id }]);
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
