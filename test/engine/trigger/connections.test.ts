import { FIRST_AND_LAST, byId, type TestContext, useService } from '../harness/service';
import { SIGN_IN, signInCredential } from '../harness/signIn';
import { activeTrigger, ids, TriggerRun } from '../harness/trigger';

const WATCH = { event: 'connectionNeedsAttention' };

const GLOBAL_FIELDS = ['projectIds', 'flowCount', 'type'];
const PROJECT_FIELDS = ['projectId', 'projectName', 'flowIds'];

/** Starts to watch with the Sign-In credential. */
async function watchAs(context: TestContext, account = 0, parameters = {}) {
	const credential = signInCredential(context, account);
	const run = new TriggerRun({ ...context, credential }, { ...WATCH, ...SIGN_IN, ...parameters });
	await run.activate();
	return run;
}

describe.each(FIRST_AND_LAST)('on the Community edition of release %s', (release) => {
	const context = useService({ release, edition: 'community', data: { flows: 4 } });

	test('a broken connection starts a workflow that names its flows, once', async () => {
		const connection = context.live.addConnection({ externalId: 'breaks', name: 'Breaks' });
		const projectId = connection.projectIds[0];
		const uses = { name: 'Stopped', connectionIds: ['breaks'] };
		const flow = context.live.addFlow({ projectId, enabled: true, ...uses });
		const run = await watchAs(context);
		expect(await run.poll()).toEqual([]);

		context.live.setConnectionStatus(connection.id, 'ERROR');
		expect(await run.poll()).toEqual([
			{
				id: connection.id,
				externalId: 'breaks',
				name: 'Breaks',
				pieceName: connection.pieceName,
				status: 'ERROR',
				projectId,
				projectName: expect.any(String),
				flowIds: [flow.id],
				ownerEmail: expect.any(String),
				updated: expect.any(String),
			},
		]);
		// By name, as the next node of the workflow reads them.
		const named = await context.engine.records({
			credential: signInCredential(context),
			parameters: { ...SIGN_IN, resource: 'flow', operation: 'get', flowId: byId(flow.id) },
		});
		expect(named).toMatchObject([{ id: flow.id, name: 'Stopped', status: 'ENABLED' }]);
		await run.poll();
		await run.restart();
		expect(run.given).toHaveLength(1);

		context.live.setConnectionStatus(connection.id, 'ACTIVE');
		await run.poll();
		context.live.setConnectionStatus(connection.id, 'MISSING');
		await run.poll();
		expect(ids(run.given)).toEqual([connection.id, connection.id]);
		expect([...run.errors, ...run.warnings, ...run.logged]).toEqual([]);
	});

	test('of one project it is told as well', async () => {
		const { id, projectIds } = context.live.addConnection();
		const run = await watchAs(context, 0, { projectId: byId(projectIds[0]) });
		context.live.setConnectionStatus(id, 'ERROR');
		const [item] = await run.poll();
		expect(item).toMatchObject({ id, projectName: expect.any(String) });
		expect([...run.errors, ...run.warnings]).toEqual([]);
	});

	test('Global Connections says that the server has none', async () => {
		const watching = watchAs(context, 0, { scope: 'global' });
		await expect(watching).rejects.toThrow(/has no global connections/);
	});
});

describe.each(FIRST_AND_LAST)('on Enterprise, release %s', (release) => {
	const context = useService({ release, data: { flows: 4, projects: 3 } });

	test.each([
		['all', ['global', 'project']],
		['global', ['global']],
		['project', ['project']],
	])('Scope %s: each has the fields of its Get Many', async (scope, kinds) => {
		const { live, data } = context.service;
		const run = await activeTrigger(context, { ...WATCH, scope });
		const { id: globalId } = data.connections.filter(({ status }) => status === 'ACTIVE')[0];
		live.setConnectionStatus(globalId, 'ERROR');
		const { id } = live.addConnection({ projectId: data.projects[1].id, status: 'ERROR' });
		const given = await run.poll();
		const wanted: Record<string, string> = { global: globalId, project: id };
		expect(ids(given)).toEqual(kinds.map((kind) => wanted[kind]));
		for (const item of given) {
			const isGlobal = item.id === globalId;
			for (const field of GLOBAL_FIELDS) expect(field in item).toBe(isGlobal);
			for (const field of PROJECT_FIELDS) expect(field in item).toBe(!isGlobal);
		}
		expect([...run.errors, ...run.warnings]).toEqual([]);
	});
});

describe('a member, who may not see global connections', () => {
	const context = useService({ release: '0.85', data: { flows: 4 } });

	test('watches the connections of their projects', async () => {
		const account = context.accounts.findIndex(({ user }) => user.platformRole === 'MEMBER');
		expect(account).toBeGreaterThan(0);
		const run = await watchAs(context, account);
		const made = context.data.projects.map(
			({ id: projectId }) => context.live.addConnection({ projectId, status: 'ERROR' }).id,
		);
		const given = ids(await run.poll());
		expect(given.length).toBeGreaterThan(0);
		expect(made).toEqual(expect.arrayContaining(given));
		expect([...run.errors, ...run.warnings]).toEqual([]);
	});
});
