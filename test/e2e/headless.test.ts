import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, sortedIds as ids } from '../engine/harness/byId';
import { locatorOf, operationsFor, RECORDS } from '../engine/harness/operations';
import { RELEASES, type Service } from '../service';
import { call } from '../service/client';
import { credentialJson, execute, importCredentials, importWorkflows } from './support/headless';
import { freshHome, type Home } from './support/homes';
import { N8N_RELEASES } from './support/install';
import type { Outcome } from './support/outcome';
import { useServices } from './support/services';
import { activepieces, chain, fields, fromEach, rows, trigger, workflow } from './support/workflow';

/** Parameters that differ from those of the engine's tests. */
const OTHERWISE: Record<string, INodeParameters> = {
	'flow.getAll': { simplify: false },
	'globalConnection.getAll': { returnAll: false, limit: 7 },
};

/** Every pair, one after the other: each has the trigger's single item as its input. */
function everyPair(id: string, { data, release }: Service) {
	const start = trigger();
	const steps = operationsFor(release).map(([pair, parametersOf]) =>
		activepieces(pair, id, { ...parametersOf(data), ...OTHERWISE[pair] }),
	);
	return workflow(id, [start, ...steps], fromEach([start], steps));
}

/** The resources whose lists contain all of their records, and those whose records are deleted. */
const LISTED = ['flow', 'flowRun', 'folder', 'connection', 'project', 'userInvitation'];
const DELETED = ['flow', 'flowTemplate', 'folder', 'connection', 'project', 'userInvitation'];

/** @throws when there is no record with this ID */
function find<T extends { id: string }>(records: T[], id: unknown): T {
	const found = records.find((record) => record.id === id);
	if (found === undefined) throw new Error(`There is no record ${String(id)}`);
	return found;
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
				everyPair(release, services[release]),
				linked(release, services[release]),
			]),
		);
	});

	describe.each(RELEASES)('Activepieces %s', (release) => {
		test('all operations return the service’s records, and make the changes that they report', async () => {
			const service = services[release];
			const { data } = service;
			const before = structuredClone(data);
			const outcome = await execute(home, release);
			const given = (pair: string) => jsonOf(outcome, pair);
			/** The record that the pair's locator selects. */
			const chosen = (pair: string) => locatorOf(pair, before)?.[1].value;

			const pairs = operationsFor(release).map(([pair]) => pair);
			expect(outcome.executed).toEqual(expect.arrayContaining(pairs));

			for (const resource of LISTED) {
				// Including the run of the called flow.
				const held = resource === 'flowRun' ? data : before;
				const pair = `${resource}.getAll`;
				expect([pair, ids(given(pair))]).toEqual([pair, ids(RECORDS[resource](held))]);
			}
			const flows = given('flow.getAll');
			const changed = ['flow.update', 'flow.delete', 'flow.setStatus', 'flow.publish'].map((pair) =>
				chosen(pair),
			);
			const [last] = flows.filter(({ id }) => !changed.includes(String(id))).slice(-1);
			const sent = (await call(service, `/v1/flows?projectId=${String(last.projectId)}&limit=1000`))
				.json()
				.data.find(({ id }) => id === last.id);
			expect(last).toEqual(sent);

			for (const resource of DELETED) {
				const pair = `${resource}.delete`;
				if (!pairs.includes(pair)) continue;
				expect([pair, given(pair)]).toEqual([pair, [{ deleted: true }]]);
				expect(ids(RECORDS[resource](data))).not.toContain(chosen(pair));
				expect(ids(RECORDS[resource](before))).toContain(chosen(pair));
			}

			const [{ id, status, version }] = before.flows;
			const name = version.displayName;
			const run = chosen('flowRun.get');
			const failedStep = { message: expect.stringMatching(/\w/) as string };
			const expected: Record<string, object> = {
				'flow.get': { id, status, name },
				'flow.export': { name, status, flow: { schemaVersion: version.schemaVersion } },
				'flow.run': { accepted: true, flowId: chosen('flow.run') },
				'flow.setStatus': { id: chosen('flow.setStatus'), status: 'DISABLED' },
				'flow.publish': { id: chosen('flow.publish'), status: 'ENABLED' },
				'flow.create': { name: 'Created', published: false },
				'flow.import': { name: 'Imported', published: false, runsOldVersion: false },
				'flow.update': { id: chosen('flow.update'), name: 'Renamed' },
				'flowRun.get': { id: run, status: 'FAILED', failedStep },
				'flowRun.retry': { id: run, retriedRunId: run, status: 'QUEUED' },
				'flowRun.cancel': { id: chosen('flowRun.cancel'), status: 'CANCELED' },
				'folder.get': { id: data.folders[0].id },
				'folder.update': { id: data.folders[0].id, name: 'Renamed' },
				'project.update': { id: chosen('project.update'), name: 'Renamed' },
			};
			for (const [pair, record] of Object.entries(expected)) {
				expect([pair, given(pair)]).toMatchObject([pair, [record]]);
			}

			expect(service.webhooks.runs.map(({ flowId }) => flowId)).toContain(chosen('flow.run'));
			expect(find(data.flows, chosen('flow.setStatus')).status).toBe('DISABLED');
			const published = chosen('flow.publish');
			expect(find(data.flows, published).publishedVersionId).toBe(
				find(before.flows, published).version.id,
			);
			const made = (pair: string) => given(pair)[0].id;
			expect(find(data.flows, made('flow.create')).version.displayName).toBe('Created');
			expect(find(data.flows, made('flow.import')).version.trigger.name).toBe('trigger');
			expect(find(data.folders, made('folder.create')).displayName).toBe('Created');
			expect(find(data.projects, made('project.create')).displayName).toBe('Created');
			expect(data.folders[0].displayName).toBe('Renamed');

			const template = chosen('flowTemplate.delete');
			expect(given('flowTemplate.getAll').map(({ id }) => id)).toContain(template);
			const connections = given('globalConnection.getAll');
			expect(connections).toHaveLength(7);
			for (const { id, name } of connections) {
				expect(name).toBe(find(before.connections, id).displayName);
			}
			const { active, waiting, prioritized } = data.queue;
			expect(given('queue.getMetrics')[0].stats as IDataObject).toMatchObject(
				release >= '0.85' ? { active, waiting: waiting + prioritized } : { ...data.queue },
			);

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
