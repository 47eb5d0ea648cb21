import { restoreLimits } from '../../restoreLimits';
import type { Service } from '../../service';
import { limits } from '../harness/built';
import { RELEASES, useService } from '../harness/service';
import { activeTrigger, createTriggerRun, ids } from '../harness/trigger';

restoreLimits(limits);

interface Case {
	event: string;
	/** Where the records are listed */
	path: string;
	/** Lets it happen in a project and gives the ID of what is to come out */
	happen: (service: Service, projectId: string) => string;
}

const CASES: Case[] = [
	{
		event: 'connectionNeedsAttention',
		path: '/v1/app-connections',
		happen: ({ live }, projectId) => live.addConnection({ projectId, status: 'ERROR' }).id,
	},
	{
		event: 'flowCreated',
		path: '/v1/flows',
		happen: ({ live }, projectId) => live.addFlow({ projectId }).id,
	},
	{
		event: 'flowPublished',
		path: '/v1/flows',
		happen: ({ live }, projectId) => live.addFlow({ projectId, published: true }).id,
	},
	{
		event: 'flowStatusChanged',
		path: '/v1/flows',
		happen: ({ live }, projectId) => live.addFlow({ projectId, enabled: true }).id,
	},
	{
		event: 'flowRunFailed',
		path: '/v1/flow-runs',
		happen({ live, data }, projectId) {
			const flow = data.flows.find((each) => each.projectId === projectId);
			// It fails at once: what ends after the last poll is new.
			return live.addFlowRun({ status: 'FAILED', flowId: flow?.id, duration: 0 }).id;
		},
	},
	{
		event: 'flowRunSucceeded',
		path: '/v1/flow-runs',
		happen({ live, data }, projectId) {
			const flow = data.flows.find((each) => each.projectId === projectId);
			return live.addFlowRun({ status: 'SUCCEEDED', flowId: flow?.id, duration: 0 }).id;
		},
	},
];

/** A project with flows, and what takes it from the list and puts it back */
function hideable({ data }: Service) {
	const project = data.projects.find(({ id }) =>
		data.flows.some((flow) => flow.projectId === id && flow.status === 'ENABLED'),
	);
	if (project === undefined) throw new Error('No project has flows');
	return {
		id: project.id,
		hide() {
			data.projects = data.projects.filter(({ id }) => id !== project.id);
		},
		show() {
			data.projects = [...data.projects, project];
		},
	};
}

const DATA = { flowRuns: 60, flows: 60, projects: 4 };

describe('projects', () => {
	const context = useService({ data: DATA });
	// The clock of n8n goes as that of the service does.
	beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => context.service.time.now));
	afterEach(() => jest.restoreAllMocks());

	const refusals = [
		...CASES.map((each) => ({ ...each, status: 403 })),
		...[404, 503].map((status) => ({ ...CASES[0], status })),
	];
	test.each(refusals)(
		'$event: one that answers $status does not silence the others',
		async ({ event, path, happen, status }) => {
			const { service } = context;
			const [other] = service.data.projects
				.filter(({ id }) => service.data.flows.some(({ projectId }) => projectId === id))
				.slice(-1);
			const { id: refused } = hideable(service);
			expect(refused).not.toBe(other.id);
			const run = await activeTrigger(context, { event });
			service.fault({ path, projectId: refused, kind: { status, shape: 'application' } });
			const missed = happen(service, refused);
			const given: string[] = [];
			for (let poll = 0; poll < 4; poll++) {
				given.push(happen(service, other.id));
				await run.poll();
			}
			expect(ids(run.given)).toEqual(given);
			expect(run.warnings).toHaveLength(limits.triggerToleratedFailures);
			expect(run.warnings[0]).toMatch(
				/^Activepieces Trigger: The project ".+" \(.+\) cannot be read: /,
			);
			expect(run.warnings[0]).toContain(refused);
			// The first was given beside what happened.
			expect(run.errors).toHaveLength(2);
			expect(run.errors[0].message).toContain(refused);
			expect(run.errors[0].description).toContain('when they can be read again');
			expect(run.errors[0].description).not.toContain('with Project');
			await run.poll();
			expect(run.errors).toHaveLength(3);

			service.clearFaults();
			await run.poll();
			await run.restart();
			expect(ids(run.given)).toEqual([...given, missed]);
			expect(run.errors).toHaveLength(3);
		},
	);
});

describe.each(RELEASES)('projects on release %s', (release) => {
	const context = useService({ release, data: DATA });

	test('one that is deleted while the others are read is none that cannot be read', async () => {
		const { service } = context;
		const { id, hide, show } = hideable(service);
		const run = await activeTrigger(context, {});
		// It is in the first list only.
		service.fault({
			path: '/v1/flow-runs',
			projectId: id,
			kind: { status: release === '0.73' ? 403 : 404, shape: 'application' },
		});
		const listed = { data: service.data.projects, next: null, previous: null };
		service.fault({ path: /\/projects$/, times: 1, kind: { body: structuredClone(listed) } });
		hide();
		await run.poll();
		show();
		expect(run.errors).toEqual([]);
		// The answer of a fault tells the time of the machine, which is doubted.
		expect(run.warnings.filter((line) => line.includes('cannot be read'))).toEqual([]);
	});
});

describe('invitations', () => {
	const context = useService({ data: { projects: 4, invitations: 6 } });

	test('to a project that becomes visible are given only when they are new', async () => {
		// So that what happened a moment before the last poll is old.
		limits.triggerLatenessMs = 1;
		const { service } = context;
		const project = service.live.addProject('Hidden');
		const old = service.live.addInvitation({ projectId: project.id });
		const hide = () => {
			service.data.invitations = service.data.invitations.filter(({ id }) => id !== old.id);
		};
		hide();
		const run = await activeTrigger(context, { event: 'userInvitationCreated' });
		await run.poll();
		service.data.invitations = [...service.data.invitations, old];
		await run.poll();
		expect(run.given).toEqual([]);
		const { id } = service.live.addInvitation({ projectId: project.id });
		await run.poll();
		await run.restart();
		expect(ids(run.given)).toEqual([id]);
	});
});

describe('Log Size Exceeded', () => {
	describe.each(['0.73', '0.79', '0.85'] as const)('on release %s', (release) => {
		const context = useService({ release, data: { flowRuns: 30 } });
		const asked = () =>
			context.service.requests
				.filter(({ path }) => path === '/v1/flow-runs')
				.map(({ query }) => [query.status].flat().includes('LOG_SIZE_EXCEEDED'));

		test('is asked for by default, and not for long where it is refused', async () => {
			const { service } = context;
			const run = await activeTrigger(context, {});
			const isRefused = release === '0.73';
			expect(asked()).toContain(true);
			expect(asked().at(-1)).toBe(!isRefused);
			const made = [service.live.addFlowRun({ status: 'FAILED' }).id];
			if (!isRefused) made.push(service.live.addFlowRun({ status: 'LOG_SIZE_EXCEEDED' }).id);
			service.clearRequests();
			await run.poll();
			expect(ids(run.given)).toEqual(made);
			expect(new Set(asked())).toEqual(new Set([!isRefused]));
			expect(run.errors).toEqual([]);
			expect(run.warnings).toEqual([]);
		});

		test('has an example in Fetch Test Event', async () => {
			const { engine, credential } = context;
			expect(await createTriggerRun(engine, credential, {}).fetchTestEvent()).toHaveLength(1);
		});

		if (release !== '0.73') return;
		test('alone says that the release does not know it', async () => {
			const { engine, credential } = context;
			const statuses = ['LOG_SIZE_EXCEEDED'];
			await expect(createTriggerRun(engine, credential, { statuses }).activate()).rejects.toThrow();
		});

		test('leaves the list of failed runs of a locator as it was', async () => {
			const { engine, credential } = context;
			const { results } = await engine.search('searchFlowRuns', { credential });
			expect(results.length).toBeGreaterThan(0);
		});
	});
});

describe('lists of many projects', () => {
	const context = useService({ release: '0.73', data: { projects: 40, flows: 200, flowRuns: 60 } });
	const askedFor = (path: string) =>
		context.service.requests.filter((request) => request.path === path);
	const newest = () => ({
		credential: context.credential,
		parameters: { resource: 'flowRun', operation: 'getAll', returnAll: false, limit: 50 },
	});
	const newestRuns = async () => await context.engine.records(newest());

	test('a list of the newest is left when one project cannot be read, and other items go on', async () => {
		const { service, engine } = context;
		service.fault({ path: '/v1/flow-runs', times: 1, kind: { status: 403, shape: 'application' } });
		const { items } = await engine.run({
			...newest(),
			items: [{}, {}],
			onError: 'continueRegularOutput',
		});
		expect(items.filter(({ json }) => json.error !== undefined)).toHaveLength(1);
		expect(items.length).toBeGreaterThan(1);
		// All projects for one item; for the other one those that were being asked.
		expect(askedFor('/v1/flow-runs').length).toBeLessThan(
			service.data.projects.length + 3 * limits.maxConcurrency,
		);
	});

	test('a project that is deleted while the others are read has nothing: 0.73 answers 403', async () => {
		const { service } = context;
		const { projects } = service.data;
		const [gone] = projects;
		const first = { data: structuredClone(projects), next: null, previous: null };
		service.fault({ path: /\/projects$/, times: 1, kind: { body: first } });
		service.live.removeProject(gone.id);
		const runs = await newestRuns();
		expect(runs).toHaveLength(Math.min(50, service.data.flowRuns.length));
	});

	test('one that is searched for the first record of a kind is read in whole pages', async () => {
		const { engine, credential, service } = context;
		limits.defaultPageSize = 2;
		limits.triggerRunsPageSize = limits.defaultPageSize;
		for (const flow of service.data.flows) Object.assign(flow, { publishedVersionId: null });
		const run = createTriggerRun(engine, credential, { event: 'flowPublished' });
		await expect(run.fetchTestEvent()).rejects.toThrow('No flow is published');
		const pages = askedFor('/v1/flows');
		expect(pages.length).toBeGreaterThan(0);
		expect(pages.some(({ query }) => query.cursor !== undefined)).toBe(true);
		// A page that is asked for once more is longer (`enlargePage`).
		expect(pages.filter(({ query }) => Number(query.limit) < 2)).toEqual([]);
	});
});
