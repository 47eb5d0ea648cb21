import { type INodeParameters, sleep } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { scroll, values } from './harness/locators';
import { ALL_FLOWS, FOLDER } from './harness/parameters';
import { byId, requestPaths, useService } from './harness/service';

restoreLimits(limits);

/** People who embed the service have a project for each customer. */
const PROJECTS = 300;
const LATENCY_MS = 5;

describe(`${PROJECTS} projects`, () => {
	const context = useService({
		data: { projects: PROJECTS, flows: 600, foldersPerProject: 1, steps: 1 },
	});
	beforeEach(() => context.fault({ path: /flows|folders/, kind: { delay: LATENCY_MS } }));

	const requestsTo = (path: string) =>
		requestPaths(context).filter((request) => request === `GET ${path}`).length;

	const flows = async (parameters: INodeParameters) =>
		await context.records({ ...ALL_FLOWS, ...parameters });

	/** The flows that Return All returns, in the order of the projects, with its requests. */
	let expected: unknown[];
	let requests: number;
	let peak: number;
	beforeAll(async () => {
		context.fault({ path: '/v1/flows', kind: { delay: LATENCY_MS } });
		expected = (await flows({})).map(({ id }) => id);
		requests = requestsTo('/v1/flows');
		({ peak } = context.inFlight);
	});

	test('are listed once more, not once for each project that is refused', async () => {
		context.fault({ path: '/v1/app-connections', kind: { status: 403 } });
		const connectionId = byId('Xk7wPq2mN9rT4vB8sL1cZ');
		const remove = { resource: 'connection', operation: 'delete', connectionId };
		const { error } = await context.run(remove);
		expect(error?.message).toContain('not allowed');
		expect(requestsTo('/v1/projects')).toBeLessThanOrEqual(2);
	});

	test('one that cannot be read leaves open whether a connection exists', async () => {
		const [{ id: projectId }] = context.data.projects;
		context.fault({ path: '/v1/app-connections', projectId, kind: { status: 403 } });
		const connectionId = byId('Xk7wPq2mN9rT4vB8sL1cZ');
		const { error } = await context.run({
			resource: 'connection',
			operation: 'delete',
			connectionId,
		});
		expect(error?.message).not.toContain('was not found');
		expect(error?.description).toContain(projectId);
	});

	test('Return All returns the flows of all, in parallel', () => {
		expect(new Set(expected)).toEqual(new Set(context.data.flows.map(({ id }) => id)));
		expect(requests).toBe(context.data.projects.length);
		expect(peak).toBe(limits.maxConcurrency);
	});

	test.each([1, 2, 77])(
		'Limit %i sends at most ten requests more than needed, in parallel, and keeps the order',
		async (limit) => {
			context.clearFaults();
			// However busy the machine is: no response is sent before this many requests have arrived.
			const untilInFlight = limits.maxConcurrency / 2 + 1;
			context.fault({ path: '/v1/flows', times: untilInFlight, kind: { untilInFlight } });
			const listed = await flows({ returnAll: false, limit });
			expect(listed.map(({ id }) => id)).toEqual(expected.slice(0, limit));
			const { projectId } = listed[limit - 1];
			const projects = values(await scroll(context, 'searchProjects'));
			const needed = projects.indexOf(String(projectId)) + 1;
			expect(requestsTo('/v1/flows')).toBeLessThanOrEqual(needed + limits.maxConcurrency);
			expect(context.inFlight.peak).toBeGreaterThan(limits.maxConcurrency / 2);
		},
	);

	test('a locator shows its first entries after few requests, and continues when scrolled', async () => {
		// However busy the machine is.
		Object.assign(limits, { locatorFirstEntriesMs: 20_000, locatorShortListMs: 20_000 });
		context.fault({ path: '/v1/folders', kind: { delay: 25 } });
		const seen = new Set<unknown>();
		// They have no folders.
		const personal = context.data.projects.filter(({ type }) => type === 'PERSONAL').length;
		let paginationToken: string | undefined;
		for (let scroll = 1; scroll <= 3; scroll++) {
			const page = await context.search('searchFolders', { paginationToken });
			for (const { value } of page.results) seen.add(value);
			expect(requestsTo('/v1/folders')).toBeLessThanOrEqual(
				scroll * (limits.locatorEntries + limits.maxConcurrency) + personal,
			);
			expect(context.inFlight.peak).toBeGreaterThan(limits.maxConcurrency / 2);
			expect(page.results.length).toBeGreaterThanOrEqual(limits.locatorEntries);
			({ paginationToken } = page);
			expect(paginationToken).toBeDefined();
		}
		expect(seen.size).toBeGreaterThanOrEqual(3 * limits.locatorEntries);
	});

	test('nothing is read ahead for one folder', async () => {
		// Requests that the test before has sent ahead may still be in flight.
		await sleep(100);
		context.clearRequests();
		const [{ id }] = context.data.folders;
		await context.records({ ...FOLDER, folderId: byId(id) });
		expect(context.requests).toHaveLength(1);
	});
});
