import { sleep, type INodeParameters } from 'n8n-workflow';

import { limits, waitReally } from './harness/built';
import { byId } from './harness/byId';
import { ALL_FLOWS, DELETE, GET, ID, parametersOf, RENAME, strangers } from './harness/parameters';
import { cancelAt, requestsWithin, useService } from './harness/service';

/** A service that is busy for this many seconds, after which a request is repeated at once. */
const busy = (seconds: number) => {
	limits.backoff = { firstMs: 0, factor: 1 };
	return { status: 503, headers: { 'retry-after': `${seconds}` } };
};

describe('with On Error = Stop, the first failed item ends the run', () => {
	const context = useService({ data: { projects: 2, flows: 60, invitations: 80 } });

	test('deletes of which the first is unknown: ten requests, and the message says what was completed', async () => {
		const known = context.data.invitations.filter(({ type }) => type === 'PLATFORM');
		const items = [{ id: 'nobody' }, ...known.map(({ id }) => ({ id }))];
		// n8n may read the credential of the first item last.
		context.fault({ path: /(?<!nobody)$/, kind: { delay: 400 } });
		const error = await context.failure(DELETE, items);
		expect(context.requests.length).toBeLessThanOrEqual(10);
		expect(error.message).toBe('User invitation "nobody" was not found');
		expect(error.context.itemIndex).toBe(0);
		const left = new Set(context.data.invitations.map(({ id }) => id));
		const done = items.filter(({ id }) => id !== 'nobody' && !left.has(id)).length;
		expect(done).toBe(context.requests.length - 1);
		const ofOne = await context.failure(DELETE, strangers(1));
		expect(ofOne.description).not.toContain('were completed');
		const completed = new RegExp(` ${done} of ${items.length} items were completed\\.$`);
		expect(error.description).toMatch(completed);
		expect(await requestsWithin(context, 50)).toBe(0);
	});

	test.each([
		['reads', GET],
		['lists', ALL_FLOWS],
	])('a wrong key with 40 %s: ten requests at most', async (_name, parameters) => {
		// Releases before 0.85 look for the folder before they check the key, so it exists in all of them.
		const items = Array.from({ length: 40 }, () => ({ id: context.data.folders[0].id }));
		const wrong = { ...context.credential, apiKey: 'sk-wrong' };
		const error = await context.failure(parameters, { credential: wrong, items });
		expect(error.message).toBe('Activepieces did not accept the API key');
		// The server is asked once whether its edition has keys.
		const asked = context.requests.filter(({ path }) => path !== '/v1/flags');
		expect(asked.length).toBeLessThanOrEqual(10);
		expect(context.requests.length - asked.length).toBeLessThanOrEqual(1);
		expect(await requestsWithin(context, 50)).toBe(0);
	});

	test('the error is that of the first item in the order of the input, not in time', async () => {
		context.fault({ path: /nobody-2/, kind: { delay: 100 } });
		const [folder] = context.data.folders;
		context.fault({ path: new RegExp(folder.id), kind: { delay: 60 } });
		const items = [{ id: folder.id }, { id: folder.id }, ...strangers(6).slice(2)];
		const error = await context.failure(GET, items);
		expect(error.message).toBe('Folder "nobody-2" was not found');
		expect(error.context.itemIndex).toBe(2);
		expect(error.description).not.toContain('were completed');
	});

	test('requests in flight are awaited, also those of projects that were read ahead', async () => {
		const [folder] = context.data.folders;
		context.fault({ path: new RegExp(folder.id), kind: { delay: 80 } });
		context.fault({ path: '/v1/flows', times: 1, kind: { status: 500 } });
		context.fault({ path: '/v1/flows', after: 1, kind: { delay: 80 } });
		const items = [{ id: 'nobody' }, ...Array.from({ length: 9 }, () => ({ id: folder.id }))];
		for (const parameters of [GET, ALL_FLOWS]) {
			context.clearRequests();
			await context.failure(parameters, items);
			// The service notices later than the node that a response has arrived.
			while (context.inFlight.now > 0) await sleep(1);
			expect(context.requests.length).toBeGreaterThan(2);
			expect(context.requests.map(({ status }) => status)).toContain(200);
		}
	});
});

describe('a canceled run', () => {
	const context = useService({ data: { projects: 2, flows: 60 } });

	test.each<[string, INodeParameters, number, boolean]>([
		['deletes', DELETE, 10, false],
		['a delete by n8n’s router', DELETE, 1, true],
		['renames', { ...RENAME, folderId: ID }, 1, false],
	])('sends nothing more: %s', async (_name, parameters, inFlight, isRouted) => {
		context.fault({ kind: { delay: 1000 } });
		const started = cancelAt(context, inFlight);
		const onError = 'continueRegularOutput';
		// n8n gives its router one item.
		const items = strangers(isRouted ? 1 : 40);
		await context.run(parameters, { items, isRouted, onError, started });
		expect(await requestsWithin(context, 80)).toBe(0);
		expect(context.requests).toHaveLength(inFlight);
	});

	test('reports what was created before, and a create in flight', async () => {
		waitReally();
		context.fault({ method: 'POST', path: '/v1/projects', after: 2, kind: { delay: 200 } });
		const create = parametersOf('project.create', { displayName: '={{ $json.name }}' });
		const items = ['One', 'Two', 'Three', 'Four'].map((name) => ({ name }));
		const { error } = await context.run(create, { items, started: cancelAt(context, 3) });
		expect(error?.message).toBe('The execution was cancelled');
		expect(error?.description).toBe(
			'2 of 4 items were completed. Check in Activepieces whether the change was made for item index 2.',
		);
		expect(await requestsWithin(context, 50)).toBe(0);
		expect(context.requests).toHaveLength(3);
	});

	test.each([
		[false, /^Check in Activepieces whether the change was made for item index 0\.$/],
		[true, /^Activepieces may have applied the change\./],
	])('reports a change that was being read back (router: %s)', async (isRouted, what) => {
		waitReally();
		const [from, to] = [1, 2].map(() => context.live.addFlow({ trigger: 'webhook' }));
		const [file] = await context.records(parametersOf('flow.export', { flowId: byId(from.id) }));
		context.clearRequests();
		context.fault({ path: `/v1/flows/${to.id}`, after: 2, kind: { delay: 300 } });
		const replace = { mode: 'replace', flowId: byId(to.id), content: '={{ $json }}' };
		const { error } = await context.run(parametersOf('flow.import', replace), {
			items: [file],
			isRouted,
			started: cancelAt(context, 3, /^\/v1\/flows\//),
		});
		expect(error?.description).toMatch(what);
	});

	const batch = { batchSize: 2, batchInterval: 60_000 };
	test.each([
		['retries, until which waiting items keep their place', 10, {}],
		['its next batch', 2, { batching: { batch } }],
	])('ends its waits for %s', async (_what, begun, requestOptions) => {
		waitReally();
		context.fault({ path: /nobody-\d$/, kind: busy(60) });
		const start = Date.now();
		const started = (cancel: () => void) =>
			cancelAt(context, begun)(() => void sleep(50).then(cancel));
		const onError = 'continueRegularOutput';
		await context.run({ ...DELETE, requestOptions }, { items: strangers(30), onError, started });
		expect(Date.now() - start).toBeLessThan(30_000);
		expect(context.requests).toHaveLength(begun);
	});
});

describe('a run that has ended', () => {
	const context = useService({ data: { projects: 5, flows: 30 } });

	test.each([false, true])('repeats no needless request (router: %s)', async (isRouted) => {
		waitReally();
		for (const kind of [{ delay: 100 }, { status: 422 }]) {
			context.fault({ path: '/v1/flows', times: 1, kind });
		}
		// Longer than a slow machine takes to the end of the run, which ends the wait
		context.fault({ path: '/v1/flows', after: 1, kind: busy(20) });
		const given = { isRouted, onError: 'continueRegularOutput' as const };
		const [item] = await context.records(ALL_FLOWS, given);
		expect(item).toHaveProperty('error');
		await requestsWithin(context, 400);
		// One for each project: a slow machine sees the last of them after the end.
		const lists = context.requests.filter(({ path }) => path === '/v1/flows');
		expect(lists).toHaveLength(context.data.projects.length);
	});
});
