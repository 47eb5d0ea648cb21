import type { IDataObject, INodeParameterResourceLocator, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { OPERATIONS, operationsFor } from '../engine/harness/operations';
import { call } from '../service/client';
import type { Service, ServiceData } from '../service';
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
function everyPair(id: string, { data, release }: Service) {
	const start = trigger();
	const steps = operationsFor(release).map(([pair, parametersOf]) =>
		activepieces(pair, id, { ...parametersOf(data), ...OTHERWISE[pair] }),
	);
	return workflow(
		id,
		[start, ...steps],
		steps.map(({ name }) => ({ from: start.name, to: name })),
	);
}

/** The record that a pair is about. */
const idIn = (pair: string, locator: string, data: ServiceData) =>
	(OPERATIONS[pair](data)[locator] as INodeParameterResourceLocator).value;

const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id)).sort();

/** @throws when there is no record with the id */
function find<T extends { id: string }>(records: T[], id: unknown): T {
	const found = records.find((record) => record.id === id);
	if (found === undefined) throw new Error(`There is no record ${String(id)}`);
	return found;
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

	beforeAll(async () => {
		home = await freshHome(n8n);
		await importCredentials(
			home,
			SERVICE_RELEASES.map((release) => credentialJson(release, services[release])),
		);
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
			const { data } = service;
			const before = structuredClone(data);
			const outcome = await execute(home, release);
			const given = (pair: string) => jsonOf(outcome, pair);
			/** The record that a pair was told by its locator. */
			const chosen = (pair: string, locator: string) => idIn(pair, locator, before);

			expect(outcome.executed).toEqual(
				expect.arrayContaining(operationsFor(release).map(([pair]) => pair)),
			);

			const flows = given('flow.getAll');
			expect(ids(flows)).toEqual(ids(before.flows));
			const changed = ['flow.update', 'flow.delete', 'flow.setStatus', 'flow.publish'].map((pair) =>
				chosen(pair, 'flowId'),
			);
			const [last] = flows.filter(({ id }) => !changed.includes(String(id))).slice(-1);
			const sent = (await call(service, `/v1/flows?projectId=${String(last.projectId)}&limit=1000`))
				.json()
				.data.find(({ id }) => id === last.id);
			expect(last).toEqual(sent);
			const [{ id, status, version }] = before.flows;
			expect(given('flow.get')).toMatchObject([{ id, status, name: version.displayName }]);

			expect(given('flow.export')).toMatchObject([
				{ name: version.displayName, status, flow: { schemaVersion: version.schemaVersion } },
			]);

			const called = chosen('flow.run', 'flowId');
			expect(given('flow.run')).toMatchObject([{ accepted: true, flowId: called }]);
			expect(service.webhooks.runs.map(({ flowId }) => flowId)).toContain(called);

			const switched = chosen('flow.setStatus', 'flowId');
			expect(given('flow.setStatus')).toMatchObject([{ id: switched, status: 'DISABLED' }]);
			expect(find(data.flows, switched).status).toBe('DISABLED');

			const published = chosen('flow.publish', 'flowId');
			expect(given('flow.publish')).toMatchObject([{ id: published, status: 'ENABLED' }]);
			expect(find(data.flows, published).publishedVersionId).toBe(
				find(before.flows, published).version.id,
			);

			const [createdFlow] = given('flow.create');
			expect(find(data.flows, createdFlow.id).version.displayName).toBe('Created');
			expect(createdFlow).toMatchObject({ name: 'Created', published: false });
			const [importedFlow] = given('flow.import');
			expect(importedFlow).toMatchObject({
				name: 'Imported',
				published: false,
				runsOldVersion: false,
			});
			expect(find(data.flows, importedFlow.id).version.trigger.name).toBe('trigger');
			const renamed = chosen('flow.update', 'flowId');
			expect(given('flow.update')).toMatchObject([{ id: renamed, name: 'Renamed' }]);
			expect(given('flow.delete')).toEqual([{ deleted: true }]);
			expect(ids(data.flows)).not.toContain(chosen('flow.delete', 'flowId'));

			// With the run of the flow that was called.
			expect(ids(given('flowRun.getAll'))).toEqual(ids(data.flowRuns));
			const run = chosen('flowRun.get', 'flowRunId');
			expect(given('flowRun.get')).toMatchObject([
				{ id: run, status: 'FAILED', failedStep: { message: expect.stringMatching(/\w/) } },
			]);
			expect(given('flowRun.retry')).toMatchObject([
				{ id: run, retriedRunId: run, status: 'QUEUED' },
			]);

			const canceled = chosen('flowRun.cancel', 'flowRunId');
			expect(given('flowRun.cancel')).toMatchObject([{ id: canceled, status: 'CANCELED' }]);

			const template = chosen('flowTemplate.delete', 'templateId');
			expect(given('flowTemplate.getAll').map(({ id }) => id)).toContain(template);
			expect(given('flowTemplate.delete')).toEqual([{ deleted: true }]);
			expect(ids(data.templates)).not.toContain(template);

			const [folder] = data.folders;
			expect(folder.displayName).toBe('Renamed');
			expect(given('folder.get')).toMatchObject([{ id: folder.id }]);
			expect(given('folder.update')).toMatchObject([{ id: folder.id, name: 'Renamed' }]);
			expect(ids(given('folder.getAll'))).toEqual(ids(before.folders));
			const [created] = given('folder.create');
			expect(find(data.folders, created.id).displayName).toBe('Created');
			expect(given('folder.delete')).toEqual([{ deleted: true }]);
			expect(ids(data.folders)).not.toContain(chosen('folder.delete', 'folderId'));

			expect(ids(given('connection.getAll'))).toEqual(ids(before.projectConnections));

			if (release !== '0.73') {
				expect(given('connection.delete')).toEqual([{ deleted: true }]);
				expect(ids(data.projectConnections)).not.toContain(
					chosen('connection.delete', 'connectionId'),
				);
			}

			const connections = given('globalConnection.getAll');
			expect(connections).toHaveLength(7);
			for (const { id, name } of connections) {
				expect(name).toBe(find(before.connections, id).displayName);
			}

			expect(ids(given('project.getAll'))).toEqual(ids(before.projects));

			const [createdProject] = given('project.create');
			expect(find(data.projects, createdProject.id).displayName).toBe('Created');
			const renamedProject = chosen('project.update', 'projectId');
			expect(given('project.update')).toMatchObject([{ id: renamedProject, name: 'Renamed' }]);
			expect(given('project.delete')).toEqual([{ deleted: true }]);
			expect(ids(data.projects)).not.toContain(chosen('project.delete', 'projectId'));

			const [metrics] = given('queue.getMetrics');
			const { active, waiting, prioritized } = data.queue;
			expect(metrics.stats as IDataObject).toMatchObject(
				release === '0.85' ? { active, waiting: waiting + prioritized } : { ...data.queue },
			);

			expect(ids(given('userInvitation.getAll'))).toEqual(ids(before.invitations));
			expect(given('userInvitation.delete')).toEqual([{ deleted: true }]);
			expect(ids(data.invitations)).not.toContain(chosen('userInvitation.delete', 'invitationId'));

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
