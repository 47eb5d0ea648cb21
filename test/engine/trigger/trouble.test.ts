import { sleep, type INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST, ROUTE_MISSING, type FaultKind } from '../../service';
import { limits, waitReally } from '../harness/built';
import { byId, ids } from '../harness/byId';
import { endSilences, requestPaths, useService } from '../harness/service';
import { signInCredential } from '../harness/signIn';
import { activeTrigger, TriggerRun } from '../harness/trigger';

const USERS = { event: 'userJoined' };

const context = useService();

describe('a service that is down', () => {
	test.each<[string, FaultKind, RegExp, string]>([
		['too many requests', { status: 429 }, /too many requests/, 'rate-limited'],
		['500', { status: 500 }, /could not process the request/, 'temporarily-unavailable'],
		['a cut connection', { reset: 'beforeHeaders' }, /closed the conn/, 'temporarily-unavailable'],
	])('is logged twice, then an error: %s', async (_name, kind, message, cause) => {
		const run = await activeTrigger(context, USERS);
		const { id } = context.live.addUser();
		context.fault({ kind });
		for (let poll = 0; poll < 2; poll++) await run.poll();
		expect(run.errors).toEqual([]);
		const text = expect.stringMatching(message);
		expect(run.warnings).toEqual([text, text]);
		for (let poll = 0; poll < 2; poll++) await run.poll();
		const error = { message: text, failure: { cause } };
		expect(run.errors).toMatchObject([error, error]);
		context.clearFaults();
		await run.poll();
		expect(ids(run.given)).toEqual([id]);
		// The count starts again.
		context.fault({ kind });
		for (let poll = 0; poll < 2; poll++) await run.poll();
		expect(run.errors).toHaveLength(2);
	});

	const KINDS = ['an API key', 'a sign-in'];
	test.each(KINDS)('does not refuse an activation with %s; the next poll remembers', async (by) => {
		const credential = by === 'a sign-in' ? signInCredential(context) : context.credential;
		const run = new TriggerRun({ ...context, credential }, USERS);
		context.fault({ kind: { reset: 'beforeHeaders' } });
		await run.activate();
		// It does not count: two polls after it are tolerated as well.
		for (let poll = 0; poll < 2; poll++) await run.poll();
		expect(run.errors).toEqual([]);
		const text = expect.stringMatching(/closed the connection/);
		expect(run.warnings).toEqual([text, text, text]);
		context.live.addUser();
		context.clearFaults();
		await run.poll();
		const { id } = context.live.addUser();
		await run.poll();
		expect(ids(run.given)).toEqual([id]);
	});

	test('is asked four times for each poll, and only once if it asks for a long wait', async () => {
		const run = await activeTrigger(context, USERS);
		context.fault({ kind: { status: 503 } });
		context.clearRequests();
		await run.poll();
		expect(context.requests).toHaveLength(limits.poll.maxAttempts);
		context.clearFaults();
		context.fault({ kind: { status: 429, headers: { 'retry-after': '16' } } });
		context.clearRequests();
		await run.poll();
		expect(context.requests).toHaveLength(1);
	});

	test.each([
		['a request', 429, /too many requests/, 'rate-limited'],
		['a request', 503, /is unavailable/, 'temporarily-unavailable'],
		['a sign-in', 429, /too many sign-ins/, 'rate-limited'],
	])('n8n is told how long %s has to wait after a %i', async (what, status, says, cause) => {
		const signIn = what === 'a sign-in' && { credential: signInCredential(context) };
		const run = new TriggerRun({ ...context, ...signIn }, USERS);
		context.fault({ kind: { status, headers: { 'retry-after': '30' } } });
		await run.activate();
		for (let poll = 0; poll < 3; poll++) await run.poll();
		const failure = { cause, retryAfterMs: 30_000 };
		expect(run.errors).toMatchObject([{ message: expect.stringMatching(says), failure }]);
	});
});

test('an endless list of projects does not mean that missing projects are deleted', async () => {
	const run = await activeTrigger(context, { event: 'flowCreated' });
	const { id } = context.live.addFlow();
	const answers = () => ({ data: [{ id: 'project-0' }], next: 'again' });
	context.fault({ path: '/v1/projects', kind: { answers } });
	await run.poll();
	const message = expect.stringMatching(/^The server repeats pages of the list of /);
	const description = expect.not.stringContaining('Limit');
	expect(run.errors).toMatchObject([{ message, description }]);
	context.clearFaults();
	await run.poll();
	expect(ids(run.given)).toEqual([id]);
});

describe('a slow service that responds to every second request only', () => {
	const context = useService({ data: { projects: 8 } });

	// The waits count, too: a wait that would end after the time for other tries is not begun.
	test('is asked again within a time that starts at the first refusal, whatever it refuses', async () => {
		const run = await activeTrigger(context, { event: 'flowCreated' });
		waitReally();
		limits.maxConcurrency = 1;
		limits.backoff.firstMs = 1;
		limits.poll.maxElapsedMs = 500;
		const path = '/v1/flows';
		const kind = { status: 503, headers: { 'retry-after': '0.4' } };
		for (const after of [0, 2]) context.fault({ path, after, times: 1, kind });
		context.fault({ path: '/v1/projects', kind: { delay: limits.poll.maxElapsedMs } });
		context.clearRequests();
		await run.poll();
		// The first project twice, and each of the others once.
		const asked = requestPaths(context).filter((each) => each === `GET ${path}`).length;
		expect(asked).toBe(1 + context.data.projects.length);
		expect(run.warnings).toHaveLength(1);
	});
});

describe('projects that never respond', () => {
	const context = useService({ data: { projects: 1 } });
	endSilences(context);
	const path = '/v1/flows';

	/** Watches projects with a Timeout of an hour. Then only the last one responds, with a new flow. */
	async function watchHanging(count = 5, timeout = 3_600_000) {
		const [project] = context.data.projects;
		const projects = Array.from({ length: count }, (_, index) => {
			return { ...project, id: `${10 + index}`.padStart(21, 'P'), displayName: `${10 + index}` };
		});
		context.data.projects = projects;
		const credential = { ...context.credential, timeout };
		const run = await activeTrigger({ ...context, credential }, { event: 'flowCreated' });
		for (const { id: projectId } of projects.slice(0, -1)) {
			context.fault({ path, projectId, kind: { delay: 3_600_000 } });
		}
		return { run, id: context.live.addFlow({ projectId: projects.at(-1)?.id }).id };
	}

	const untilLeft = async () => {
		while (context.inFlight.now > 0) await sleep(5);
	};

	test('withhold none of the events of the others', async () => {
		const { run, id } = await watchHanging();
		limits.triggerProjectsMs = 500;
		expect(ids(await run.poll())).toEqual([id]);
		const warning = /cannot be read: .*was not read within 1 minutes/;
		expect(run.warnings).toEqual([expect.stringMatching(warning)]);
		await untilLeft();
	});

	test.each([3_600_000, 0])('are not awaited as long as Timeout %i may be', async (timeout) => {
		const { run, id } = await watchHanging(12, timeout);
		limits.triggerRequestTimeoutMs = 3000;
		limits.poll.maxAttempts = 2;
		expect(ids(await run.poll())).toEqual([id]);
	});

	test('are not awaited any more when the poll ends for another reason', async () => {
		const { run } = await watchHanging();
		context.fault({ path, kind: { status: 401 } });
		await run.poll();
		expect(run.errors).toHaveLength(1);
		await untilLeft();
	});
});

test('the list of a chosen project is read to its end, even if that takes longer than projects may', async () => {
	limits.triggerProjectsMs = 50;
	for (const kind of [{ pageCap: 2 }, { delay: 60 }]) context.fault({ path: '/v1/flows', kind });
	const projectId = byId(context.data.flows.find(({ status }) => status === 'ENABLED')?.projectId);
	const run = await activeTrigger(context, { event: 'flowPublished', projectId });
	context.clearFaults();
	// Flows that were not read would look as if they had been published since.
	expect(ids(await run.poll())).toEqual([]);
	context.fault({ path: '/v1/flows', kind: { status: 401, delay: 60 } });
	await run.poll();
	expect(run.errors).toMatchObject([{ failure: { cause: 'credential-invalid' } }]);
});

describe('what somebody has to change', () => {
	const kind = (status: number, code: string): FaultKind => ({ status, code });
	const GLOBAL = { event: 'connectionNeedsAttention', scope: 'global' };
	test.each<[FaultKind, RegExp, string, INodeParameters]>([
		[kind(401, 'AUTHENTICATION'), /did not accept the API key/, 'credential-invalid', USERS],
		[kind(403, 'AUTHORIZATION'), /not allowed to access the users/, 'credential-invalid', USERS],
		[kind(402, 'FEATURE_DISABLED'), /plan does not include glo/, 'configuration-invalid', GLOBAL],
	])('is an error at once: %j', async (refusal, message, cause, parameters) => {
		const run = await activeTrigger(context, parameters);
		context.fault({ kind: refusal });
		await run.poll();
		expect(run.errors).toMatchObject([{ message: expect.stringMatching(message) }]);
		expect(run.errors[0].failure).toEqual({ cause });
		expect(run.warnings).toEqual([]);
	});

	const refusals: Array<[string, FaultKind, RegExp]> = [
		['401', { status: 401, shape: 'application' }, /did not accept the API key/],
		["a proxy's 404", { status: 404, shape: 'html' }, /web page|not found/i],
		['a web page', { html: true }, /web page/],
	];
	// n8n 2 would give up after a few attempts, and the workflow would stay active without a trigger.
	describe.each(['init', 'leadershipChange'] as const)('does not prevent n8n from %s', (mode) => {
		test.each(refusals)('%s', async (_name, kind, message) => {
			const run = await activeTrigger(context, USERS);
			const { id } = context.live.addUser();
			context.fault({ kind });
			await run.restart(mode);
			expect(run.logged).toEqual([expect.stringMatching(message)]);
			expect(run.logged[0]).toMatch(/^Activepieces Trigger: .*The next poll tries again\.$/);
			expect(run.errors).toEqual([]);

			await run.poll();
			expect(run.errors).toMatchObject([{ message: expect.stringMatching(message) }]);
			expect(run.logged).toHaveLength(1);
			context.clearFaults();
			await run.poll();
			expect(ids(run.given)).toEqual([id]);
		});
	});

	test('refuses a change of the workflow', async () => {
		const run = await activeTrigger(context, USERS);
		context.fault({ kind: { status: 401, shape: 'application' } });
		await expect(run.change(USERS)).rejects.toThrow('did not accept the API key');
	});

	test('a deleted project is an error at once', async () => {
		const project = context.live.addProject('Short-lived');
		const run = await activeTrigger(context, { event: 'flowCreated', projectId: byId(project.id) });
		context.live.removeProject(project.id);
		await run.poll();
		const description = expect.stringContaining('Check Project.');
		const message = `Project "${project.id}" was not found`;
		expect(run.errors).toMatchObject([{ message, description }]);
	});

	test('a server without a list of projects refuses to watch all of them', async () => {
		context.fault({ path: /projects$/, kind: ROUTE_MISSING });
		await expect(activeTrigger(context, { event: 'flowCreated' })).rejects.toMatchObject({
			message:
				'This Activepieces server cannot list its projects, so the trigger cannot watch all of them',
			description: 'Enter the ID of a project in Project.',
		});
		const [{ id }] = context.data.projects;
		await activeTrigger(context, { event: 'flowCreated', projectId: byId(id) });
	});

	const UNKNOWN = '0'.repeat(21);
	const NOWHERE = { flowId: byId(UNKNOWN) };
	const TOO_HIGH = { event: 'queueBacklog', threshold: 5, options: { clearAt: 7 } };
	test.each<[string, string, INodeParameters]>([
		['No status is chosen', 'Choose at least one in Statuses.', { statuses: [] }],
		['Clear At is above Threshold', 'Change Clear At or Threshold.', TOO_HIGH],
		[`Flow "${UNKNOWN}" was not found`, 'Check Flow. The flow may have been deleted', NOWHERE],
	])('refuses the activation: %s', async (message, description, parameters) => {
		await expect(activeTrigger(context, parameters)).rejects.toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining(description),
			failure: { cause: 'configuration-invalid' },
		});
	});

	test.each(['userJoined', 'flowCreated'])('nothing shows the key: %s', async (event) => {
		const { apiKey } = context.credential;
		const run = await activeTrigger(context, { event });
		const [{ id: projectId }] = context.data.projects;
		// The other projects are read.
		const of = event === 'userJoined' ? {} : { path: '/v1/flows', projectId };
		context.fault({ ...of, kind: { status: 500, message: `boom ${apiKey}` } });
		for (let poll = 0; poll < 3; poll++) await run.poll();
		const [error] = run.errors;
		expect(JSON.stringify([run.warnings, error, error.message, error.stack])).not.toContain(apiKey);
		expect(run.warnings).toHaveLength(2);
		expect(run.stored).not.toContain(apiKey);
		const shown = await run
			.fetchTestEvent()
			.catch(({ message, description }) => [message, description]);
		expect(JSON.stringify(shown)).not.toContain(apiKey);
	});
});

test('a project that is not found names Flow, if the flow is what was chosen', async () => {
	const [{ id, projectId }] = context.data.flows;
	const parameters = { projectId: byId(context.data.projects.at(-1)!.id), flowId: byId(id) };
	const kind = { status: 404, shape: 'application' } as const;
	context.fault({ path: '/v1/flow-runs', projectId, kind });
	await expect(activeTrigger(context, parameters)).rejects.toMatchObject({
		message: expect.stringMatching(`^Project "${projectId}"`),
		description: expect.stringMatching(/^Check Flow\. The project may/),
	});
});

describe('Fetch Test Event', () => {
	const none = { flowRuns: 0, flows: 0, connections: 0, connectionsPerProject: 0, invitations: 0 };
	const context = useService({ data: none });

	test.each<[string, RegExp]>([
		['connectionNeedsAttention', /No connection needs attention/],
		['flowCreated', /There are no flows yet/],
		['flowRunFailed', /^There are no failed runs yet: Choose more statuses, or publish/],
		['flowRunSucceeded', /^There are no successful runs yet: Publish/],
		['flowStatusChanged', /There are no flows yet/],
		['userInvitationCreated', /There are no user invitations yet/],
	])('reports when there is none: %s', async (event, message) => {
		const example = new TriggerRun(context, { event }).fetchTestEvent();
		const shown = example.catch(({ message: what, description }) => `${what}: ${description}`);
		expect(await shown).toMatch(message);
	});
});

describe('many projects', () => {
	const context = useService({ data: { projects: 30, flows: 30 } });

	test('are not requested when a flow is selected, only its own is', async () => {
		const [{ id }] = context.data.flows;
		await activeTrigger(context, { flowId: byId(id) });
		const own = [`GET /v1/flows/${id}`, 'GET /v1/flow-runs'];
		// First the newest run.
		expect(requestPaths(context)).toEqual([...own, ...own]);
	});
});

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
		const kind = { status: 404, shape: 'application' } as const;
		context.fault({ path: '/v1/flow-runs', projectId: projects[0].id, kind });
		listOnce();
		context.data.projects = projects.slice(1);
		await run.poll();
		context.data.projects = projects;
		expect(run.errors).toEqual([]);
		// The response of a fault contains the time of the machine, which is doubted.
		expect(run.warnings.filter((line) => line.includes('cannot be read'))).toEqual([]);
	});

	test('has no runs in a list of the newest', async () => {
		listOnce();
		context.live.removeProject(context.data.projects[0].id);
		const runs = await context.records({ resource: 'flowRun', operation: 'getAll', limit: 50 });
		expect(runs).toHaveLength(Math.min(50, context.data.flowRuns.length));
	});
});
