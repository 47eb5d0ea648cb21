import type { IDataObject } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { call } from '../service/client';
import type { Service } from '../service';
import type { Home } from './stage/home';
import { credentialJson, execute, importCredentials, importWorkflows } from './stage/headless';
import { freshHome } from './stage/homes';
import { N8N_RELEASES } from './stage/install';
import type { Outcome } from './stage/outcome';
import { SERVICE_RELEASES, useServices } from './stage/services';
import { activepieces, chain, fields, rows, trigger, workflow } from './stage/workflow';

/** The first template that a key may delete on every release. */
const deletable = ({ data }: Service) =>
	data.templates.find(({ type }) => type === 'PLATFORM' || type === 'CUSTOM')?.id;

const platformInvitation = ({ data }: Service) =>
	data.invitations.find(({ type }) => type === 'PLATFORM')?.id;

/** All eight pairs, one after the other: the trigger starts each of them with its one item. */
function eightPairs(id: string, service: Service) {
	const [folder] = service.data.folders;
	const pairs = {
		Flows: { resource: 'flow', operation: 'getAll', returnAll: true, simplify: false },
		Templates: { resource: 'flowTemplate', operation: 'getAll', returnAll: true },
		'Delete Template': {
			resource: 'flowTemplate',
			operation: 'delete',
			templateId: byId(deletable(service)),
		},
		Folder: { resource: 'folder', operation: 'get', folderId: byId(folder.id) },
		Rename: {
			resource: 'folder',
			operation: 'update',
			folderId: byId(folder.id),
			displayName: 'Renamed by n8n',
		},
		Connections: { resource: 'globalConnection', operation: 'getAll', limit: 7 },
		Metrics: { resource: 'queue', operation: 'getMetrics' },
		'Delete Invitation': {
			resource: 'userInvitation',
			operation: 'delete',
			invitationId: byId(platformInvitation(service)),
		},
	};
	const start = trigger();
	const steps = Object.entries(pairs).map(([name, parameters]) =>
		activepieces(name, id, parameters),
	);
	return workflow(
		id,
		[start, ...steps],
		steps.map(({ name }) => ({ from: start.name, to: name })),
	);
}

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
	const keep: Record<string, { template?: string; invitation?: string }> = {};

	beforeAll(async () => {
		home = await freshHome(n8n);
		await importCredentials(
			home,
			SERVICE_RELEASES.map((release) => credentialJson(release, services[release])),
		);
		for (const release of SERVICE_RELEASES) {
			keep[release] = {
				template: deletable(services[release]),
				invitation: platformInvitation(services[release]),
			};
		}
		await importWorkflows(
			home,
			SERVICE_RELEASES.flatMap((release) => [
				eightPairs(release, services[release]),
				linked(release, services[release]),
			]),
		);
	});

	describe.each(SERVICE_RELEASES)('Activepieces %s', (release) => {
		test('all eight operations give what the service holds, and do what they say', async () => {
			const service = services[release];
			const outcome = await execute(home, release);
			const { data } = service;

			const flows = jsonOf(outcome, 'Flows');
			expect(new Set(flows.map(({ id }) => id))).toEqual(new Set(data.flows.map(({ id }) => id)));
			const [first] = flows;
			const sent = (
				await call(service, `/v1/flows?projectId=${String(first.projectId)}&limit=1000`)
			)
				.json()
				.data.find(({ id }) => id === first.id);
			expect(first).toEqual(sent);

			const templates = jsonOf(outcome, 'Templates').map(({ id }) => id);
			expect(templates).toContain(keep[release].template);
			expect(jsonOf(outcome, 'Delete Template')).toEqual([{ deleted: true }]);
			expect(data.templates.map(({ id }) => id)).not.toContain(keep[release].template);

			const [folder] = data.folders;
			expect(folder.displayName).toBe('Renamed by n8n');
			expect(jsonOf(outcome, 'Folder')).toMatchObject([{ id: folder.id }]);
			expect(jsonOf(outcome, 'Rename')).toMatchObject([
				{ id: folder.id, displayName: 'Renamed by n8n' },
			]);

			const connections = jsonOf(outcome, 'Connections');
			expect(connections).toHaveLength(7);
			const held = new Map(data.connections.map((each) => [each.id, each]));
			for (const { id, name } of connections) {
				expect(name).toBe(held.get(String(id))?.displayName);
			}

			const [metrics] = jsonOf(outcome, 'Metrics');
			const { active, waiting, prioritized } = data.queue;
			expect(metrics.stats as IDataObject).toMatchObject(
				release === '0.85' ? { active, waiting: waiting + prioritized } : { ...data.queue },
			);

			expect(jsonOf(outcome, 'Delete Invitation')).toEqual([{ deleted: true }]);
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
