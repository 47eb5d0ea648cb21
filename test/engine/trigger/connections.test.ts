import { FIRST_AND_LAST, type TestContext, useService } from '../harness/service';
import { SIGN_IN, signInCredential } from '../harness/signIn';
import { activeTrigger, ids, TriggerRun } from '../harness/trigger';

const WATCH = { event: 'connectionNeedsAttention' };

const GLOBAL_FIELDS = ['projectIds', 'flowCount', 'type'];
const PROJECT_FIELDS = ['projectId', 'projectName', 'flowIds'];

/** Starts to watch with the Sign-In credential. */
async function watchSignedIn(context: TestContext, parameters = {}) {
	const credential = signInCredential(context);
	const run = new TriggerRun({ ...context, credential }, { ...WATCH, ...SIGN_IN, ...parameters });
	await run.activate();
	return run;
}

describe.each(FIRST_AND_LAST)('on the Community edition of release %s', (release) => {
	const context = useService({ release, edition: 'community', data: { flows: 4 } });

	test('a broken connection starts a workflow that names its flows, once', async () => {
		const connection = context.live.addConnection({ externalId: 'breaks', name: 'Breaks' });
		const projectId = connection.projectIds[0];
		const flow = context.live.addFlow({ projectId, enabled: true, connectionIds: ['breaks'] });
		const run = await watchSignedIn(context);
		expect(await run.poll()).toEqual([]);

		context.live.setConnectionStatus(connection.id, 'ERROR');
		const text = expect.any(String) as string;
		const { id, pieceName } = connection;
		expect(await run.poll()).toEqual([
			{
				...{ id, externalId: 'breaks', name: 'Breaks', pieceName, status: 'ERROR', projectId },
				...{ projectName: text, flowIds: [flow.id], ownerEmail: text, updated: text },
			},
		]);
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

	test('Global Connections says that the server has none', async () => {
		const watching = watchSignedIn(context, { scope: 'global' });
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
