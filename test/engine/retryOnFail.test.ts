import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { flowFile } from './harness/flowFile';
import { ID, parametersOf, RETRY_ON_FAIL as settings } from './harness/parameters';
import { runFlow } from './harness/runFlow';
import { byId, useService } from './harness/service';

/** Values of which an expression gives another one in each try, but once in many runs of the test. */
const MANY = 40;
const ANY_ID = byId('={{ $json.ids[Math.floor(Math.random() * $json.ids.length)] }}');

/** How often a delete is sent in one try of the node, when each response is lost. */
const ATTEMPTS = 5;

describe('Retry On Fail knows an item by itself, not by the values of its expressions', () => {
	const context = useService({ data: { projects: 2, flows: 2, templates: 3, invitations: 6 } });

	const posts = () => context.requests.filter(({ method }) => method === 'POST');
	/** The service carries out the request, and its response is lost. */
	const loseAnswer = (method = 'POST', times = 1) =>
		context.fault({ method, times, done: true, kind: { status: 502 } });

	describe.each([false, true])('by n8n’s router: %s', (isRouted) => {
		const run = async (parameters: INodeParameters, items: IDataObject[] = [{}]) => {
			const result = await context.run(parameters, { items, settings, isRouted });
			return { error: result.error, records: result.items.map(({ json }) => json) };
		};

		test('an import of which an expression gives the name makes one flow', async () => {
			const before = context.data.flows.length;
			loseAnswer();
			const { error } = await run(
				parametersOf('flow.import', {
					mode: 'create',
					projectId: byId(context.data.projects[0].id),
					content: '={{ { ...$json, displayName: "Import " + Math.random() } }}',
				}),
				[flowFile('Orders', { type: 'CODE', settings: { input: {} } })],
			);
			expect(error?.message).toMatch(
				/^Could not confirm whether the flow "Import 0\.\d+" was imported$/,
			);
			expect(error?.description).toContain('the node did not try again');
			expect(context.data.flows).toHaveLength(before + 1);
			expect(posts()).toHaveLength(1);
		});

		test('a record that only a later try names is not reported as deleted', async () => {
			const ids = Array.from({ length: MANY }, (_, index) => `unknown-${index}`);
			context.fault({ method: 'DELETE', times: ATTEMPTS, kind: { status: 502 } });
			const remove = { resource: 'folder', operation: 'delete', folderId: ANY_ID };
			const { error, records } = await run(remove, [{ ids }]);
			expect(error?.message).toMatch(/^Folder "unknown-\d+" was not found$/);
			expect(records).toEqual([]);
		});

		test('a call of which an expression gives the flow is made once', async () => {
			const add = () => context.live.addFlow({ name: 'Orders', enabled: true, trigger: 'webhook' });
			const ids = Array.from({ length: MANY }, () => add().id);
			loseAnswer();
			const { error } = await run({ ...runFlow(''), flowId: ANY_ID }, [{ ids }]);
			expect(error?.message).toMatch(/^Could not confirm whether flow "Orders" \(\w+\) ran$/);
			expect(posts()).toHaveLength(1);
		});

		test('a retry of which an expression gives the run is made once', async () => {
			const add = () => context.live.addFlowRun({ status: 'FAILED' });
			const ids = Array.from({ length: MANY }, () => add().id);
			loseAnswer();
			const strategy = 'ON_LATEST_VERSION';
			const { error } = await run(parametersOf('flowRun.retry', { flowRunId: ANY_ID, strategy }), [
				{ ids },
			]);
			expect(error?.message).toMatch(/^Could not confirm whether flow run "\w+" was retried$/);
			expect(posts()).toHaveLength(1);
		});

		test('a project with an external ID that is to be used is found again', async () => {
			const name = `Customer ${String(isRouted)}`;
			loseAnswer();
			const { error, records } = await run(
				parametersOf('project.create', {
					displayName: name,
					externalId: `lost-${String(isRouted)}`,
					ifExists: 'use',
				}),
			);
			expect(error).toBeUndefined();
			expect(records).toMatchObject([{ name, externalId: `lost-${String(isRouted)}` }]);
			expect(posts()).toHaveLength(1);
		});

		test.each<[string, string, () => string]>([
			['connection', 'connectionId', () => context.live.addConnection({}).id],
			['flow', 'flowId', () => context.live.addFlow({ trigger: 'webhook' }).id],
			['flowTemplate', 'templateId', () => context.data.templates.find(isOwn)?.id ?? ''],
			['folder', 'folderId', () => context.data.folders.at(-1)?.id ?? ''],
			['project', 'projectId', () => context.live.addProject('To go').id],
			['userInvitation', 'invitationId', () => context.data.invitations.find(isOwn)?.id ?? ''],
		])(
			'a %s is reported as deleted when all responses of an earlier try were lost',
			async (resource, field, idOf) => {
				const id = idOf();
				expect(id).not.toBe('');
				loseAnswer('DELETE', ATTEMPTS);
				const { error, records } = await run(parametersOf(`${resource}.delete`, { [field]: ID }), [
					{ id },
				]);
				expect(error).toBeUndefined();
				expect(records).toEqual([{ deleted: true }]);
			},
		);

		test('a record that was never there is not reported as deleted', async () => {
			context.fault({ method: 'DELETE', times: ATTEMPTS, kind: { status: 429 } });
			const remove = parametersOf('folder.delete', { folderId: ID });
			const { error } = await run(remove, [{ id: 'nobody' }]);
			expect(error?.message).toBe('Folder "nobody" was not found');
		});
	});
});

/** Whether a key of the platform may delete a template or an invitation. */
const isOwn = ({ type }: { type: string }) => type === 'CUSTOM' || type === 'PLATFORM';
