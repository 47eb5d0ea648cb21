import { byId } from '../engine/harness/byId';
import { casesFor } from '../operations';
import { RELEASES, type Service } from '../service';
import type { Home } from './support/home';
import { credentialJson, execute, importCredentials, importWorkflows } from './support/headless';
import { freshHome } from './support/homes';
import { N8N_RELEASES } from './support/install';
import type { Outcome } from './support/outcome';
import { useServices } from './support/services';
import { activepieces, chain, fields, fromEach, rows, trigger, workflow } from './support/workflow';

/** Every operation, one after the other: each has the trigger's single item as its input. */
function everyOperation(id: string, { data, release }: Service) {
	const start = trigger();
	const steps = casesFor(release).map((each) => activepieces(each.pair, id, each.parameters(data)));
	return workflow(id, [start, ...steps], fromEach([start], steps));
}

/** Lists flows of several projects, one of which does not exist, with nodes after both outputs. */
function linked(id: string, service: Service) {
	const projects = service.data.projects.map((project) => project.id);
	const asked = [projects[1], 'nosuchproject', projects[0]].map((projectId) => ({ projectId }));
	const list = { resource: 'flow', operation: 'getAll', limit: 3, simplify: false };
	const parameters = { ...list, projectId: byId('={{ $json.projectId }}') };
	const node = activepieces('Activepieces', id, parameters, { onError: 'continueErrorOutput' });
	const listed = fields('Listed', {
		flow: '={{ $json.id }}',
		linked: "={{ $('Activepieces').item.json.id }}",
		projectOfFlow: '={{ $json.projectId }}',
		projectOfRow: "={{ $('Projects').item.json.projectId }}",
	});
	const refused = fields('Refused', {
		error: '={{ $json.error }}',
		advice: '={{ $json.message }}',
		projectOfRow: "={{ $('Projects').item.json.projectId }}",
	});
	const steps = [trigger(), ...rows('Projects', asked), node, listed];
	const links = [...chain(...steps), { from: node.name, to: refused.name, output: 1 }];
	return workflow(`${id}-linked`, [...steps, refused], links);
}

const jsonOf = (outcome: Outcome, node: string, output?: number) =>
	outcome.items(node, output).map(({ json }) => json);

describe.each(N8N_RELEASES)('n8n %s, headless', (n8n) => {
	const services = useServices();
	let home: Home;

	beforeAll(async () => {
		home = await freshHome(n8n);
		await importCredentials(
			home,
			RELEASES.map((release) => credentialJson(release, services[release])),
		);
		await importWorkflows(
			home,
			RELEASES.flatMap((release) => [
				everyOperation(release, services[release]),
				linked(release, services[release]),
			]),
		);
	});

	describe.each(RELEASES)('Activepieces %s', (release) => {
		test('all operations return the service’s records, and make the changes that they report', async () => {
			const service = services[release];
			const before = structuredClone(service.data);
			const outcome = await execute(home, release);

			for (const each of casesFor(release)) {
				const { pair } = each;
				const id = each.idIn(before);
				expect(outcome.executed).toContain(pair);
				const given = each.inOrder(jsonOf(outcome, pair));
				expect([pair, given]).toMatchObject([pair, each.expected(before, id)]);
				expect([pair, each.isChanged(service, id, before)]).not.toEqual([pair, false]);
			}
			expect(outcome.printed).not.toContain(service.apiKey);
		});

		test('each item of a list from several input items, with an error output, is linked to its input item', async () => {
			const [first, second] = services[release].data.projects;
			const outcome = await execute(home, `${release}-linked`);

			const listed = jsonOf(outcome, 'Listed');
			expect(listed.map(({ projectOfRow }) => projectOfRow)).toEqual(
				[second, second, second, first, first, first].map(({ id }) => id),
			);
			for (const { flow, linked: found, projectOfFlow, projectOfRow } of listed) {
				expect(found).toBe(flow);
				expect(projectOfFlow).toBe(projectOfRow);
			}
			const error = expect.stringMatching(/project/i) as string;
			const advice = expect.stringMatching(/\w/) as string;
			expect(jsonOf(outcome, 'Refused')).toEqual([
				{ error, advice, projectOfRow: 'nosuchproject' },
			]);
		});
	});
});
