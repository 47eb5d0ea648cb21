import { limits } from '../harness/built';
import { FIRST_AND_LAST, useService } from '../harness/service';
import { activeTrigger, ids, TriggerRun } from '../harness/trigger';

afterEach(() => jest.restoreAllMocks());

describe.each(FIRST_AND_LAST)('a project deleted meanwhile on %s', (release) => {
	const context = useService({ release, data: { flows: 20, flowRuns: 30, projects: 4 } });
	/** Only the first list contains all projects that there are now. */
	const listOnce = () => {
		const body = { data: structuredClone(context.data.projects), next: null, previous: null };
		context.fault({ path: /\/projects$/, times: 1, kind: { body } });
	};

	test('is not reported as unreadable', async () => {
		const run = await activeTrigger(context, {});
		const { projects } = context.data;
		const kind = { status: release === '0.73' ? 403 : 404, shape: 'application' } as const;
		context.fault({ path: '/v1/flow-runs', projectId: projects[0].id, kind });
		listOnce();
		context.data.projects = projects.slice(1);
		await run.poll();
		context.data.projects = projects;
		expect(run.errors).toEqual([]);
		// The response of a fault contains the time of the machine, which is doubted.
		expect(run.warnings.filter((line) => line.includes('cannot be read'))).toEqual([]);
	});

	if (release !== '0.73') return;
	test('has no runs in a list of the newest', async () => {
		listOnce();
		context.live.removeProject(context.data.projects[0].id);
		const runs = await context.records({ resource: 'flowRun', operation: 'getAll', limit: 50 });
		expect(runs).toHaveLength(Math.min(50, context.data.flowRuns.length));
	});
});

describe.each(FIRST_AND_LAST)('Log Size Exceeded on release %s', (release) => {
	const context = useService({ release, data: { flowRuns: 30 } });
	const asked = () =>
		context.requests
			.filter(({ path }) => path === '/v1/flow-runs')
			.map(({ query }) => [query.status].flat().includes('LOG_SIZE_EXCEEDED'));

	test('is requested by default, and then left out for some time if it is refused', async () => {
		const isOld = release === '0.73';
		const run = await activeTrigger(context, {});
		expect(asked()).toContain(true);
		expect(asked().at(-1)).toBe(!isOld);
		const made = [context.live.addFlowRun({ status: 'FAILED' }).id];
		if (!isOld) made.push(context.live.addFlowRun({ status: 'LOG_SIZE_EXCEEDED' }).id);
		context.clearRequests();
		await run.poll();
		expect(ids(run.given)).toEqual(made);
		expect(new Set(asked())).toEqual(new Set([!isOld]));
		expect([...run.errors, ...run.warnings]).toEqual([]);
		expect(await run.fetchTestEvent()).toHaveLength(1);
	});

	if (release !== '0.73') return;
	test('alone is refused if the release does not know it', async () => {
		const statuses = ['LOG_SIZE_EXCEEDED'];
		await expect(new TriggerRun(context, { statuses }).activate()).rejects.toThrow();
		const { results } = await context.search('searchFlowRuns');
		expect(results.length).toBeGreaterThan(0);
	});
});

describe('invitations', () => {
	const context = useService({ data: { projects: 4, invitations: 6 } });

	test('to a project that becomes visible are returned only when they are new', async () => {
		// So that an event just before the last poll is old.
		limits.triggerLatenessMs = 1;
		const project = context.live.addProject('Hidden');
		const old = context.live.addInvitation({ projectId: project.id });
		const hide = () => {
			context.data.invitations = context.data.invitations.filter(({ id }) => id !== old.id);
		};
		hide();
		const run = await activeTrigger(context, { event: 'userInvitationCreated' });
		await run.poll();
		context.data.invitations = [...context.data.invitations, old];
		await run.poll();
		expect(run.given).toEqual([]);
		const { id } = context.live.addInvitation({ projectId: project.id });
		await run.poll();
		await run.restart();
		expect(ids(run.given)).toEqual([id]);
	});
});
