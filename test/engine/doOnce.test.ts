import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from './harness/agentTool';
import { limits, skipWaits, waitReally } from './harness/built';
import { RETRY_ON_FAIL as settings } from './harness/parameters';
import { runFlow, stepsOf } from './harness/runFlow';
import { byId, useService } from './harness/service';

const RUN: INodeParameters = runFlow('={{ $json.id }}');

describe('Retry On Fail does not repeat an action', () => {
	const context = useService({ data: { projects: 1, flows: 2 } });

	const create = (displayName = '={{ $json.name }}'): INodeParameters => ({
		resource: 'flow',
		operation: 'create',
		projectId: byId(context.data.projects[0].id),
		displayName,
	});
	const posts = () => context.requests.filter(({ method }) => method === 'POST');
	const addFlow = () => context.live.addFlow({ name: 'Orders', trigger: 'webhook', enabled: true });
	const flowsNamed = (name: string) =>
		context.data.flows.filter(({ version }) => version.displayName === name);
	const createProject = (externalId: string): INodeParameters => ({
		resource: 'project',
		operation: 'create',
		displayName: '={{ $json.name }}',
		externalId: externalId && `${externalId}{{ $json.name }}`,
	});
	const projectsNamed = (name: string) =>
		context.data.projects.filter(({ displayName }) => displayName === name);
	/** The service carries out the request, and its response is lost. */
	const loseAnswer = (after = 0) =>
		context.fault({ method: 'POST', after, times: 1, done: true, kind: { status: 502 } });
	const refuse = (after = 0) =>
		context.fault({ method: 'POST', after, times: 1, kind: { status: 422, message: 'no' } });

	describe.each([false, true])('by n8n’s router: %s', (isRouted) => {
		const run = async (parameters: INodeParameters, items: IDataObject[]) => {
			const result = await context.run(parameters, { items, settings, isRouted });
			return { error: result.error, records: result.items.map(({ json }) => json) };
		};
		const named = (names: string[]) => names.map((name) => ({ name }));

		test('a call whose response was lost is reported as uncertain, and not sent again', async () => {
			const { id } = addFlow();
			loseAnswer();
			const { error } = await run(RUN, [{ id }]);
			expect(error?.message).toBe(`Could not confirm whether flow "Orders" (${id}) ran`);
			expect(posts()).toHaveLength(1);
		});

		test('calls made before another item failed are not made again', async () => {
			const { id } = addFlow();
			refuse(1);
			const { records } = await run(RUN, [{ id }, { id }, { id }]);
			expect(records).toMatchObject([{ flowId: id }, { flowId: id }, { flowId: id }]);
			expect(posts()).toHaveLength(4);
		});

		test('a call that was waiting, or about to be sent, when another item failed is made in the next try', async () => {
			waitReally();
			const [later, refused] = [addFlow(), addFlow()];
			const path = (id: string) => `/v1/webhooks/${id}`;
			const tooMany = { status: 429, headers: { 'retry-after': '1' } };
			context.fault({ path: path(later.id), times: 1, kind: tooMany });
			context.fault({ path: path(refused.id), times: 1, kind: { status: 422, message: 'no' } });
			const { error, records } = await run(RUN, [{ id: later.id }, { id: refused.id }]);
			expect(error).toBeUndefined();
			expect(records).toMatchObject([{ flowId: later.id }, { flowId: refused.id }]);
		});

		test.each([
			['a flow', 'flow', () => create(), flowsNamed],
			['a project', 'the project', () => createProject(''), projectsNamed],
		] as const)('%s is not created again', async (what, noun, parametersOf, made) => {
			const name = `Lost ${what} ${String(isRouted)}`;
			loseAnswer();
			const { error } = await run(parametersOf(), [{ name }]);
			expect(error?.message).toBe(`Could not confirm whether ${noun} "${name}" was created`);
			expect(error?.description).toContain('the node did not try again');
			expect(made(name)).toHaveLength(1);

			const names = ['First', 'Second', 'Third'].map((each) => `${each} ${name}`);
			refuse(1);
			const { error: none, records } = await run(parametersOf(), named(names));
			expect(none).toBeUndefined();
			expect(records.map((record) => record.name)).toEqual(names);
			for (const each of names) expect(made(each)).toHaveLength(1);
		});

		test('a project is not created again, because its external ID finds it', async () => {
			const name = `Found project ${String(isRouted)}`;
			loseAnswer();
			const create = createProject(`=customer-${String(isRouted)}`);
			const { error, records } = await run(create, [{ name }]);
			expect(error).toBeUndefined();
			expect(records).toMatchObject([{ name }]);
			expect(projectsNamed(name)).toHaveLength(1);
		});

		test('items deleted before another one failed are reported as deleted', async () => {
			const { live } = context.service;
			const made = [live.addConnection({}), live.addConnection({})].map(({ id }) => ({ id }));
			const path = new RegExp(made[1].id);
			context.fault({ method: 'DELETE', path, times: 1, kind: { status: 500 } });
			const connectionId = byId('={{ $json.id }}');
			const remove = { resource: 'connection', operation: 'delete', connectionId };
			const { error, records } = await run(remove, made);
			expect(error).toBeUndefined();
			expect(records).toEqual([{ deleted: true }, { deleted: true }]);
		});

		test('folders created before another one failed are returned', async () => {
			const names = ['First', 'Second'].map((name) => `${name} again ${isRouted}`);
			context.fault({ method: 'POST', after: 1, times: 1, kind: { status: 500 } });
			const { error, records } = await run({ ...create(), resource: 'folder' }, named(names));
			expect(error).toBeUndefined();
			expect(records.map(({ name }) => name)).toEqual(names);
		});

		test('a folder is not created again with another name', async () => {
			loseAnswer();
			const renamed = { ...create('=Report {{ Math.random() }}'), resource: 'folder' };
			const { error } = await run(renamed, [{}]);
			expect(error?.message).toMatch(
				/^Could not confirm whether the folder "Report 0\.\d+" was created$/,
			);
			expect(posts()).toHaveLength(1);
		});

		test('a folder whose creation was not confirmed is returned', async () => {
			const name = `Lost by ${isRouted}`;
			loseAnswer();
			const { error, records } = await run({ ...create(), resource: 'folder' }, [{ name }]);
			expect(error).toBeUndefined();
			expect(records).toMatchObject([{ name }]);
			expect(posts()).toHaveLength(1);
		});

		test('a flow is not run again because its response was too large', async () => {
			const steps = stepsOf('webhook', {}, { body: [{ a: 1 }, { a: 2 }] });
			const { id } = context.live.addFlow({ name: 'Orders', enabled: true, steps });
			const { maxOutputBytes } = limits;
			limits.maxOutputBytes = 10;
			const { error } = await run({ ...RUN, waitForResponse: true }, [{ id }]);
			limits.maxOutputBytes = maxOutputBytes;
			expect(error?.message).toBe(`Could not confirm whether flow "Orders" (${id}) ran`);
			expect(posts()).toHaveLength(1);
		});

		test('a flow that responded with an error of its own is run in each try', async () => {
			const steps = stepsOf('webhook', {}, { status: 500, body: { message: 'Out of stock' } });
			const { id } = context.live.addFlow({ name: 'Orders', enabled: true, steps });
			const { error } = await run({ ...RUN, waitForResponse: true }, [{ id }]);
			expect(error?.message).toContain('responded with HTTP 500');
			expect(error?.description).toContain('Out of stock');
			expect(posts()).toHaveLength(settings.maxTries);
		});

		test('an item that appears twice in the input is processed twice', async () => {
			const item = { id: addFlow().id };
			await run(RUN, [item, item]);
			expect(posts()).toHaveLength(2);
		});

		test('a create that was refused is sent again', async () => {
			const name = `Refused by ${isRouted}`;
			refuse();
			const { records } = await run(create(), [{ name }]);
			expect(records).toMatchObject([{ name }]);
			expect(posts()).toHaveLength(2);
		});
	});

	describe('by an agent of n8n 1', () => {
		const tool = (parameters: INodeParameters) =>
			agentTool(context.engine, context.credential, parameters, settings);
		const runTool = (id: string) =>
			tool({ ...RUN, flowId: byId(id), input: "={{ $fromAI('input', '', 'json') }}" });
		beforeEach(skipWaits);

		test('a call whose response was lost is not sent again', async () => {
			const { id } = addFlow();
			loseAnswer();
			await expect(runTool(id)({ input: { order: 1 } })).rejects.toMatchObject({
				message: expect.stringContaining('Could not confirm whether flow "Orders"'),
			});
			expect(posts().map(({ body }) => body)).toEqual([{ order: 1 }]);
		});

		test('each call of the tool is one call of the flow, even with the same input', async () => {
			const { id } = addFlow();
			const call = runTool(id);
			for (let count = 0; count < 2; count++) {
				const answer = JSON.parse(await call({ input: { order: 1 } })) as unknown;
				expect(answer).toEqual([{ accepted: true, flowId: id, requestId: expect.any(String) }]);
			}
			expect(posts()).toHaveLength(2);
		});
	});
});
