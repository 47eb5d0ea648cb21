import type { IDataObject, INodeParameterResourceLocator, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { OPERATIONS } from '../engine/harness/operations';
import { call } from '../service/client';
import type { Service } from '../service';
import type { Home } from './support/home';
import { credentialJson, execute, importCredentials, importWorkflows } from './support/headless';
import { freshHome } from './support/homes';
import { N8N_RELEASES } from './support/install';
import type { Outcome } from './support/outcome';
import { SERVICE_RELEASES, useServices } from './support/services';
import { activepieces, chain, fields, rows, trigger, workflow } from './support/workflow';

/** What is looked at here, and not in the engine alone. */
const OTHERWISE: Record<string, INodeParameters> = {
	'flow.getAll': { simplify: false },
	'globalConnection.getAll': { returnAll: false, limit: 7 },
};

/** Every pair, one after the other: the trigger starts each of them with its one item. */
function everyPair(id: string, { data }: Service) {
	const start = trigger();
	const steps = Object.entries(OPERATIONS).map(([pair, parametersOf]) =>
		activepieces(pair, id, { ...parametersOf(data), ...OTHERWISE[pair] }),
	);
	return workflow(
		id,
		[start, ...steps],
		steps.map(({ name }) => ({ from: start.name, to: name })),
	);
}

/** The record that a pair is about. */
const idIn = (pair: string, locator: string, { data }: Service) =>
	(OPERATIONS[pair](data)[locator] as INodeParameterResourceLocator).value;

/** Lists flows of several projects, one of which does not exist, and follows both outputs. */
function linked(id: string, service: Service) {
	const projects = service.data.projects.map((project) => project.id);
	const start = trigger();
	const [list, split] = rows(
		'Projects',
		[projects[1], 'nosuchproject', projects[0]].map((projectId) => ({ projectId })),
	);
	const node = activepieces(
		'Activepieces',
		id,
		{
			resource: 'flow',
			operation: 'getAll',
			projectId: byId('={{ $json.projectId }}'),
			limit: 3,
			simplify: false,
		},
		{ onError: 'continueErrorOutput' },
	);
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
	return workflow(
		`${id}-linked`,
		[start, list, split, node, listed, refused],
		[...chain(start, list, split, node, listed), { from: node.name, to: refused.name, output: 1 }],
	);
}

const jsonOf = (outcome: Outcome, node: string, output?: number) =>
	outcome.items(node, output).map(({ json }) => json);

describe.each(N8N_RELEASES)('n8n %s, headless', (n8n) => {
	const services = useServices();
	let home: Home;
	/** The records that are taken away or changed, by release. */
	const keep: Record<string, Record<string, unknown>> = {};

	beforeAll(async () => {
		home = await freshHome(n8n);
		await importCredentials(
			home,
			SERVICE_RELEASES.map((release) => credentialJson(release, services[release])),
		);
		for (const release of SERVICE_RELEASES) {
			keep[release] = {
				template: idIn('flowTemplate.delete', 'templateId', services[release]),
				invitation: idIn('userInvitation.delete', 'invitationId', services[release]),
				changed: idIn('flow.setStatus', 'flowId', services[release]),
				published: idIn('flow.publish', 'flowId', services[release]),
				run: idIn('flowRun.get', 'flowRunId', services[release]),
				folder: idIn('folder.delete', 'folderId', services[release]),
			};
		}
		await importWorkflows(
			home,
			SERVICE_RELEASES.flatMap((release) => [
				everyPair(release, services[release]),
				linked(release, services[release]),
			]),
		);
	});

	describe.each(SERVICE_RELEASES)('Activepieces %s', (release) => {
		test('all operations give what the service holds, and do what they say', async () => {
			const service = services[release];
			const outcome = await execute(home, release);
			const { data } = service;

			const flows = jsonOf(outcome, 'flow.getAll');
			expect(new Set(flows.map(({ id }) => id))).toEqual(new Set(data.flows.map(({ id }) => id)));
			const [first] = flows;
			const sent = (
				await call(service, `/v1/flows?projectId=${String(first.projectId)}&limit=1000`)
			)
				.json()
				.data.find(({ id }) => id === first.id);
			expect(first).toEqual(sent);

			const templates = jsonOf(outcome, 'flowTemplate.getAll').map(({ id }) => id);
			expect(templates).toContain(keep[release].template);
			expect(jsonOf(outcome, 'flowTemplate.delete')).toEqual([{ deleted: true }]);
			expect(data.templates.map(({ id }) => id)).not.toContain(keep[release].template);

			const [folder] = data.folders;
			expect(folder.displayName).toBe('Renamed');
			expect(jsonOf(outcome, 'folder.get')).toMatchObject([{ id: folder.id }]);
			expect(jsonOf(outcome, 'folder.update')).toMatchObject([
				{ id: folder.id, displayName: 'Renamed' },
			]);

			const [flow] = jsonOf(outcome, 'flow.get');
			expect(data.flows.map(({ id }) => id)).toContain(flow.id);
			const changed = keep[release].changed;
			expect(jsonOf(outcome, 'flow.setStatus')).toMatchObject([
				{ id: changed, status: 'DISABLED' },
			]);
			expect(data.flows.find(({ id }) => id === changed)?.status).toBe('DISABLED');
			const [published] = jsonOf(outcome, 'flow.publish');
			expect(published).toMatchObject({ id: keep[release].published, status: 'ENABLED' });
			const live = data.flows.find(({ id }) => id === published.id);
			expect(live?.publishedVersionId).toBe(live?.version.id);

			const runs = jsonOf(outcome, 'flowRun.getAll');
			expect(new Set(runs.map(({ id }) => id))).toEqual(new Set(data.flowRuns.map(({ id }) => id)));
			const [run] = jsonOf(outcome, 'flowRun.get');
			expect(run).toMatchObject({ id: keep[release].run, status: 'FAILED' });
			expect(run.failedStep).toMatchObject({ message: expect.stringMatching(/\w/) });
			expect(jsonOf(outcome, 'flowRun.retry')).toMatchObject([
				{ id: run.id, retriedRunId: run.id, status: 'QUEUED' },
			]);

			const folders = jsonOf(outcome, 'folder.getAll').map(({ id }) => id);
			expect(folders).toEqual(expect.arrayContaining(data.folders.slice(0, 2).map(({ id }) => id)));
			const [created] = jsonOf(outcome, 'folder.create');
			expect(data.folders.find(({ id }) => id === created.id)?.displayName).toBe('Created');
			expect(jsonOf(outcome, 'folder.delete')).toEqual([{ deleted: true }]);
			expect(data.folders.map(({ id }) => id)).not.toContain(keep[release].folder);

			expect(jsonOf(outcome, 'project.getAll')).toHaveLength(data.projects.length);
			const invitations = jsonOf(outcome, 'userInvitation.getAll').map(({ id }) => id);
			expect(invitations).toContain(keep[release].invitation);

			const connections = jsonOf(outcome, 'globalConnection.getAll');
			expect(connections).toHaveLength(7);
			const held = new Map(data.connections.map((each) => [each.id, each]));
			for (const { id, name } of connections) {
				expect(name).toBe(held.get(String(id))?.displayName);
			}

			const [metrics] = jsonOf(outcome, 'queue.getMetrics');
			const { active, waiting, prioritized } = data.queue;
			expect(metrics.stats as IDataObject).toMatchObject(
				release === '0.85' ? { active, waiting: waiting + prioritized } : { ...data.queue },
			);

			expect(jsonOf(outcome, 'userInvitation.delete')).toEqual([{ deleted: true }]);
			expect(data.invitations.map(({ id }) => id)).not.toContain(keep[release].invitation);

			expect(outcome.printed).not.toContain(service.apiKey);
		});

		test('a list from several input items, with an error output: each item is linked to its own', async () => {
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
			expect(jsonOf(outcome, 'Refused')).toEqual([
				{
					error: expect.stringMatching(/project/i),
					advice: expect.stringMatching(/\w/),
					projectOfRow: 'nosuchproject',
				},
			]);
		});
	});
});
