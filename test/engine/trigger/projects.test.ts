import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { restoreLimits } from '../../restoreLimits';
import type { Service } from '../../service';
import { limits } from '../harness/built';
import { RELEASES, useService } from '../harness/service';
import { createTriggerRun } from '../harness/trigger';

restoreLimits(limits);

const ids = (items: IDataObject[]) => items.map(({ id }) => id);

interface Case {
	event: string;
	/** Where the records are listed */
	path: string;
	/** Lets it happen in a project and gives the ID of what is to come out */
	happen: (service: Service, projectId: string) => string;
}

const CASES: Case[] = [
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
];

describe.each(RELEASES)('projects on release %s', (release) => {
	const context = useService({ release, data: { flowRuns: 60, flows: 60, projects: 4 } });
	// The clock of n8n goes as that of the service does.
	beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => context.service.time.now));
	afterEach(() => jest.restoreAllMocks());
	const start = (parameters: INodeParameters) =>
		createTriggerRun(context.engine, context.credential, parameters);

	/** A project with flows, and what takes it from the list and puts it back */
	function hideable() {
		const { data } = context.service;
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

	test.each(CASES)('$event: one that becomes visible gives nothing old', async (each) => {
		const { service } = context;
		// So that what happened a moment before the last poll is old.
		limits.triggerLatenessMs = 1;
		const { id, hide, show } = hideable();
		hide();
		each.happen(service, id);
		const run = start({ event: each.event });
		await run.activate();
		const meanwhile = each.happen(service, id);
		await run.poll();
		show();
		await run.poll();
		expect(run.given).toEqual([]);
		// n8n stored nothing of these polls: what happened since the one that it has stored may come.
		await run.restart();
		await run.poll();
		expect(ids(run.given)).toEqual([meanwhile]);
		run.given.length = 0;

		const made = each.happen(service, id);
		await run.poll();
		await run.poll();
		expect(ids(run.given)).toEqual([made]);
		expect(run.errors).toEqual([]);
	});

	test.each(CASES)('$event: one that one list leaves out loses nothing', async (each) => {
		const { service } = context;
		const { id, hide, show } = hideable();
		const run = start({ event: each.event });
		await run.activate();
		hide();
		await run.poll();
		const made = each.happen(service, id);
		await run.poll();
		show();
		await run.poll();
		await run.poll();
		expect(ids(run.given)).toEqual([made]);
	});

	test.each(CASES.flatMap((each) => [403, 404, 503].map((status) => ({ ...each, status }))))(
		'$event: one that answers $status does not silence the others',
		async ({ event, path, happen, status }) => {
			const { service } = context;
			const [other] = service.data.projects
				.filter(({ id }) => service.data.flows.some(({ projectId }) => projectId === id))
				.slice(-1);
			const { id: refused } = hideable();
			expect(refused).not.toBe(other.id);
			const run = start({ event });
			await run.activate();
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
			expect(run.errors[0].description).toContain('when it can be read again');
			await run.poll();
			expect(run.errors).toHaveLength(3);

			service.clearFaults();
			await run.poll();
			await run.restart();
			expect(ids(run.given)).toEqual([...given, missed]);
			expect(run.errors).toHaveLength(3);
		},
	);

	test('an answer that is about all of them gives the poll up', async () => {
		const { service } = context;
		const { id } = hideable();
		const run = start({ event: 'flowCreated' });
		await run.activate();
		const kind = { status: 401, shape: 'application', code: 'AUTHENTICATION' } as const;
		service.fault({ path: '/v1/flows', projectId: id, kind });
		await run.poll();
		expect(run.errors.map(({ message }) => message)).toEqual([
			expect.stringMatching(/did not accept the API key/),
		]);
	});

	test('one that is deleted while the others are read is none that cannot be read', async () => {
		const { service } = context;
		const { id } = hideable();
		const run = start({});
		await run.activate();
		const { hide, show } = hideable();
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
		const { service, engine, credential } = context;
		const project = service.live.addProject('Hidden');
		const old = service.live.addInvitation({ projectId: project.id });
		const hide = () => {
			service.data.invitations = service.data.invitations.filter(({ id }) => id !== old.id);
		};
		hide();
		const run = createTriggerRun(engine, credential, { event: 'userInvitationCreated' });
		await run.activate();
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
			const { service, engine, credential } = context;
			const run = createTriggerRun(engine, credential, {});
			await run.activate();
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
