import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import type { NewFlow } from '../service/liveChanges';
import { limits, waitReally } from './harness/built';
import { parametersOf } from './harness/parameters';
import { SIGN_IN, signInCredential } from './harness/signIn';
import {
	FIRST_AND_LAST,
	byId,
	cancelAt,
	requestPaths,
	type TestContext,
	useService,
} from './harness/service';

restoreLimits(limits);

const setStatus = (id: unknown, status: string) =>
	parametersOf('flow.setStatus', { flowId: byId(id), status, simplify: false });
const publish = (id: unknown) =>
	parametersOf('flow.publish', { flowId: byId(id), simplify: false });

const changes = ({ service }: TestContext) =>
	service.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

/** Restores the flow changes for other tests. */
function useWorker({ service }: TestContext): void {
	service.worker.state = 'running';
	service.worker.hook = 'works';
	service.worker.settleAfter = 1;
	service.settleFlowChanges();
}

describe.each(FIRST_AND_LAST)('changes of flows on release %s', (release) => {
	const context = useService({ release, data: { flows: 12 } });
	const isQueued = release === '0.73';

	beforeEach(() => useWorker(context));

	const change = async (parameters: INodeParameters): Promise<IDataObject> => {
		const [record] = await context.records(parameters);
		return record;
	};
	const { failure, failsWith } = context;

	test.each(['DISABLED', 'ENABLED'] as const)(
		'a flow is set to %s and returned when it has the status',
		async (status) => {
			const flow = context.live.addFlow({ published: true, enabled: status === 'DISABLED' });
			context.service.worker.settleAfter = 3;
			expect(await change(setStatus(flow.id, status))).toMatchObject({
				id: flow.id,
				status,
				operationStatus: 'NONE',
			});
			expect(context.data.flows.find(({ id }) => id === flow.id)?.status).toBe(status);
			expect(changes(context)).toEqual([{ type: 'CHANGE_STATUS', request: { status } }]);
			const looks = isQueued ? 5 : 1;
			expect(requestPaths(context)).toHaveLength(1 + looks);
		},
	);

	test('a flow that has the status already is given as it is, and nothing is sent', async () => {
		const flow = context.live.addFlow({ enabled: true });
		expect(await change(setStatus(flow.id, 'ENABLED'))).toMatchObject({
			status: 'ENABLED',
			operationStatus: 'NONE',
		});
		expect(requestPaths(context)).toEqual([`GET /v1/flows/${flow.id}`]);
	});

	test.each<[NewFlow, string]>([
		[{ name: 'Draft' }, 'has never been published'],
		[{ name: 'Empty', trigger: 'empty', published: true }, 'has no trigger'],
	])('the flow %j is not enabled, and nothing is sent', async (seed, says) => {
		const { id } = context.live.addFlow(seed);
		const error = await failure(setStatus(id, 'ENABLED'));
		expect(error.message).toBe(`Flow "${seed.name}" (${id}) ${says}`);
		expect(error.description).toContain('Nothing was changed');
		expect(changes(context)).toEqual([]);
	});

	test('a draft is published and the flow enabled', async () => {
		const flow = context.live.addFlow();
		expect(await change(publish(flow.id))).toMatchObject({
			id: flow.id,
			status: 'ENABLED',
			operationStatus: 'NONE',
			publishedVersionId: flow.version.id,
		});
		expect(changes(context)).toEqual([
			{ type: 'LOCK_AND_PUBLISH', request: { status: 'ENABLED' } },
		]);
	});

	test('a newer draft of an enabled flow is published', async () => {
		const { id } = context.live.addFlow({ enabled: true });
		context.live.editFlow(id, 'Second draft');
		const flow = await change(publish(id));
		expect(flow).toMatchObject({ status: 'ENABLED', version: { displayName: 'Second draft' } });
		expect(flow.publishedVersionId).toBe((flow.version as IDataObject).id);
	});

	test('what is published and enabled already is returned unchanged', async () => {
		const flow = context.live.addFlow({ enabled: true });
		expect(await change(publish(flow.id))).toMatchObject({ status: 'ENABLED' });
		expect(changes(context)).toEqual([]);
	});

	test('a published flow that is disabled is enabled by publishing it', async () => {
		const flow = context.live.addFlow({ published: true });
		expect(await change(publish(flow.id))).toMatchObject({ status: 'ENABLED' });
	});

	test.each([
		['without a trigger', { trigger: 'empty' as const }, /^Flow "New" \(\w+\) has no trigger$/],
		[
			'that is not valid',
			{ valid: false },
			/^The latest version of flow "New" \(\w+\) is not valid$/,
		],
	])('a draft %s is not published, and nothing is sent', async (_name, seed, message) => {
		const flow = context.live.addFlow({ name: 'New', ...seed });
		await failsWith(publish(flow.id), message);
		expect(changes(context)).toEqual([]);
		expect(context.data.flows.find(({ id }) => id === flow.id)?.publishedVersionId).toBeNull();
	});

	test('a trigger that does not start is reported, even if the version is published meanwhile', async () => {
		context.service.worker.hook = 'fails';
		const published = context.live.addFlow({ name: 'Off', published: true });
		const draft = context.live.addFlow({ name: 'Draft' });
		const errors = [
			await failure(setStatus(published.id, 'ENABLED')),
			await failure(publish(draft.id)),
		];
		for (const [index, { id }] of [published, draft].entries()) {
			const { message, description } = errors[index];
			expect(message).toContain(id);
			expect(message).toMatch(
				isQueued ? /^Activepieces could not enable the flow ".+" \(\w+\)$/ : /trigger of/,
			);
			expect(description).toContain('trigger');
		}
		expect(errors[1].description).toMatch(
			isQueued
				? /^Its latest version is published\. /
				: /may be published although the flow is disabled/,
		);
		if (!isQueued) expect(errors[0].description).toContain('the stand-in refuses');
		// The outcome is known when the change is over, not only after a minute.
		expect(context.requests.length).toBeLessThan(12);
	});

	test('an unknown status is refused, and nothing is sent', async () => {
		const error = await failure(setStatus('abc', 'PAUSED'));
		expect(error.message).toBe('Status must be one of ENABLED, DISABLED, not "PAUSED"');
		expect(context.requests).toEqual([]);
	});
});

describe.each(['0.73', '0.79'] as const)(
	'changes that release %s completes after its response',
	(release) => {
		const context = useService({ release, data: { flows: 12 } });

		beforeEach(() => useWorker(context));

		test('without a worker the node waits for a limited time and reports it', async () => {
			limits.pendingChange.maxElapsedMs = 10 * limits.pendingChange.pollMs;
			context.service.worker.state = 'stopped';
			const flow = context.live.addFlow({ published: true });
			const error = await context.failure(setStatus(flow.id, 'ENABLED'));
			expect(error.message).toMatch(/is not enabled after 10 seconds$/);
			expect(error.description).toContain('worker');
			expect(changes(context)).toHaveLength(1);
			expect(context.requests).toHaveLength(2 + 10);
		});

		test('canceling the workflow ends the wait', async () => {
			waitReally();
			limits.pendingChange.pollMs = 30_000;
			context.service.worker.state = 'stopped';
			const flow = context.live.addFlow({ published: true });
			const start = Date.now();
			// The node waits after reading the flow and sending the change.
			await context.run(setStatus(flow.id, 'ENABLED'), {
				started: (cancel) => cancelAt(context, 2)(() => void sleep(100).then(cancel)),
			});
			expect(Date.now() - start).toBeLessThan(10_000);
			expect(changes(context)).toHaveLength(1);
		});

		test('a change of somebody else is awaited before another one is sent', async () => {
			const { service } = context;
			service.worker.settleAfter = 2;
			const flow = service.live.addFlow({ published: true });
			const headers = {
				authorization: `Bearer ${service.apiKey}`,
				'content-type': 'application/json',
			};
			const body = JSON.stringify({ type: 'CHANGE_STATUS', request: { status: 'ENABLED' } });
			await fetch(`${service.baseUrl}/v1/flows/${flow.id}`, { method: 'POST', headers, body });
			const [record] = await context.records(setStatus(flow.id, 'DISABLED'));
			expect(record).toMatchObject({ status: 'DISABLED', operationStatus: 'NONE' });
		});

		test('while a change of somebody else does not end, no other one is sent', async () => {
			const flow = context.live.addFlow({ published: true });
			flow.operationStatus = 'ENABLING';
			limits.pendingChange.maxElapsedMs = 5 * limits.pendingChange.pollMs;
			await context.failsWith(setStatus(flow.id, 'ENABLED'), /is still being enabled$/);
			expect(changes(context)).toEqual([]);
		});

		test('a leftover mark of a change is not awaited', async () => {
			const flow = context.live.addFlow({ enabled: true });
			flow.operationStatus = 'ENABLING';
			const parameters = setStatus(flow.id, 'DISABLED');
			if (release === '0.73') {
				await context.failsWith(parameters, `Another change to flow "${flow.id}" is in progress`);
			} else {
				const [record] = await context.records(parameters);
				expect(record.status).toBe('DISABLED');
			}
		});

		test('a flow that somebody is editing is not changed, with a message that says so', async () => {
			const { id } = context.live.addFlow({ enabled: true });
			context.live.editFlow(id, 'Being edited', 'somebodyElse000000000');
			await context.failsWith(publish(id), `Another user is editing flow "${id}"`);
		});

		test('a service that goes down while the node waits leaves the outcome clear', async () => {
			const flow = context.live.addFlow({ published: true });
			context.fault({ method: 'GET', path: /^\/v1\/flows\//, after: 1, kind: { status: 502 } });
			const error = await context.failure(setStatus(flow.id, 'ENABLED'));
			expect(error.message).toMatch(/^Activepieces is unavailable/);
			expect(error.description).toContain('The node had already sent the request');
		});
	},
);

describe('changes that a later release completes before its response', () => {
	const context = useService({ data: { flows: 6 } });

	test('a change that hangs without a worker names what to check, and is not sent again', async () => {
		context.service.worker.state = 'stopped';
		const error = await context.failure({
			...setStatus(context.live.addFlow({ published: true }).id, 'ENABLED'),
			requestOptions: { timeout: 300 },
		});
		context.service.worker.state = 'running';
		expect(error.message).toMatch(/did not respond in time/);
		expect(error.description).toContain('Check that a worker is running');
		expect(error.description).toContain('may have applied the change');
		expect(changes(context)).toHaveLength(1);
	});
});

describe('a change without a response', () => {
	const context = useService({ data: { flows: 6 } });

	test.each([
		['a time-out', { delay: 2_000 }],
		['a 504 of a proxy', { status: 504, shape: 'html' }],
	] as const)('after %s is looked for in the flow: done', async (_what, kind) => {
		const flow = context.live.addFlow({ published: true });
		context.fault({ method: 'POST', path: /^\/v1\/flows\//, times: 1, done: true, kind });
		const [record] = await context.records({
			...setStatus(flow.id, 'ENABLED'),
			requestOptions: { timeout: 500 },
		});
		expect(record.status).toBe('ENABLED');
		expect(changes(context)).toHaveLength(1);
	});

	test('that was not made is not reported as a success for a newer draft of an enabled flow', async () => {
		const flow = context.live.addFlow({ published: true });
		context.live.setFlowStatus(flow.id, 'ENABLED');
		context.live.editFlow(flow.id, 'Draft');
		const kind = { status: 504, shape: 'html' } as const;
		context.fault({ method: 'POST', path: /^\/v1\/flows\//, times: 1, kind });
		const error = await context.failure(publish(flow.id));
		expect(error.httpCode).toBe('504');
		expect(error.description).not.toContain('is published');
		expect(changes(context)).toHaveLength(1);
	});

	test('that was not made says so, and that the version is published if it is', async () => {
		const flow = context.live.addFlow({ published: false });
		context.service.worker.state = 'stopped';
		const error = await context.failure({ ...publish(flow.id), requestOptions: { timeout: 300 } });
		context.service.worker.state = 'running';
		expect(error.message).toMatch(/did not respond in time/);
		expect(error.description).toMatch(/^Its latest version is published\. /);
		expect(changes(context)).toHaveLength(1);
	});
});

describe.each(FIRST_AND_LAST)('a flow whose draft has no trigger, on %s', (release) => {
	const context = useService({ release, data: { flows: 6 } });
	beforeEach(() => useWorker(context));

	test('is enabled anyway when an earlier version is published, which then runs', async () => {
		const { id } = context.live.addFlow({ published: true });
		const flow = context.live.editFlow(id, 'Draft');
		flow.version.trigger = { ...flow.version.trigger, type: 'EMPTY' };
		expect(flow.publishedVersionId).not.toBe(flow.version.id);
		expect(await context.records(setStatus(id, 'ENABLED'))).toMatchObject([{ status: 'ENABLED' }]);
		expect(changes(context)).toEqual([{ type: 'CHANGE_STATUS', request: { status: 'ENABLED' } }]);
	});
});

describe('publishing in a sensitive project', () => {
	const context = useService({ data: { flows: 6 }, sensitiveProjects: true });

	beforeEach(() => {
		const { members, projects, users } = context.data;
		const [{ id: projectId }] = projects;
		members.push({ userId: users[1].id, projectId, role: 'Editor' });
	});

	test.each([
		['disabled', {}],
		['enabled', { enabled: true }],
	])('a user without the permission is told that the %s flow waits', async (_what, seed) => {
		const { id } = context.live.addFlow({ name: 'Orders', ...seed });
		const { publishedVersionId } = context.live.editFlow(id, 'Orders');
		const parameters = { ...publish(id), ...SIGN_IN };
		const given = { credential: signInCredential(context, 1) };
		const error = await context.failure(parameters, given);
		expect(error.message).toBe(
			`Activepieces asks for approval: the latest version of flow "Orders" (${id}) is not published`,
		);
		expect(error.description).toMatch(/^The signed-in user may not publish .* approve/);
		expect(context.data.flows.find((flow) => flow.id === id)).toMatchObject({
			publishedVersionId,
			version: { state: 'LOCKED' },
		});
	});

	test('an API key publishes', async () => {
		const flow = context.live.addFlow();
		const [record] = await context.records(publish(flow.id));
		expect(record).toMatchObject({ status: 'ENABLED', publishedVersionId: flow.version.id });
	});
});
