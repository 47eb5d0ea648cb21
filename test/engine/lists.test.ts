import { sleep } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { limits, waitReally } from './harness/built';
import { ALL_FLOWS, CONNECTIONS, TEMPLATES } from './harness/parameters';
import { ROUTE_MISSING } from './harness/routeMissing';
import {
	FIRST_AND_LAST,
	requestUrls,
	byId,
	ids,
	requestPaths,
	useService,
	sortedIds,
} from './harness/service';

restoreLimits(limits);

describe.each(FIRST_AND_LAST)('lists on release %s', (release) => {
	const context = useService({ release, data: { projects: 3, flows: 120, connections: 130 } });

	test('Return All gives every flow of all projects once', async () => {
		expect(sortedIds(await context.records(ALL_FLOWS))).toEqual(sortedIds(context.data.flows));
		const { projects } = context.data;
		expect(requestPaths(context)).toEqual([
			'GET /v1/projects',
			...projects.map(() => 'GET /v1/flows'),
		]);
	});

	test('Return All gives every flow of the chosen project', async () => {
		const [project] = context.data.projects;
		const flows = await context.records({
			...ALL_FLOWS,
			projectId: byId(project.id),
			options: { pageSize: 20 },
		});
		expect(sortedIds(flows)).toEqual(
			sortedIds(context.data.flows.filter(({ projectId }) => projectId === project.id)),
		);
		const [names, ...pages] = requestPaths(context);
		expect(names).toBe('GET /v1/projects');
		expect(pages.every((path) => path === 'GET /v1/flows')).toBe(true);
	});

	test.each([1, 10, 50, 129, 130, 131])(
		'Limit %i is exact, with as few pages of 30 as possible',
		async (limit) => {
			const options = { pageSize: 30 };
			const connections = await context.records({ ...CONNECTIONS, limit, options });
			expect(ids(connections)).toEqual(ids(context.data.connections.slice(0, limit)));
			const rows = context.requests.map(({ query }) => Number(query.limit));
			expect(rows).toHaveLength(Math.ceil(Math.min(limit, 130) / 30));
			expect(rows.reduce((sum, row) => sum + row, 0)).toBe(limit);
		},
	);

	test('Limit is exact across projects, in their order, and all projects are requested once', async () => {
		const all = ids(await context.records(ALL_FLOWS));
		for (const limit of [1, all.length / 2, all.length - 1, all.length, all.length + 1]) {
			const flows = await context.records({ ...ALL_FLOWS, returnAll: false, limit });
			expect(ids(flows)).toEqual(all.slice(0, limit));
		}
		// Requests that were sent ahead may still be in flight.
		await sleep(100);
		expect(context.requests.length).toBeLessThanOrEqual(6 * (1 + context.data.projects.length));
	});

	test('templates come from one request and are cut to Limit', async () => {
		const all = await context.records(TEMPLATES);
		expect(sortedIds(all)).toEqual(
			sortedIds(context.data.templates.filter(({ type }) => type !== 'SHARED')),
		);
		context.clearRequests();
		const some = await context.records({ ...TEMPLATES, returnAll: false, limit: 5 });
		expect(ids(some)).toEqual(ids(all).slice(0, 5));
		expect(context.requests.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(requestUrls(context).join()).not.toMatch(/limit|cursor/);
	});

	test('without Simplify a record is what the service sent', async () => {
		const { baseUrl, apiKey } = context.credential;
		const headers = { Authorization: `Bearer ${apiKey}` };
		const answer = await fetch(`${baseUrl}/v1/global-connections?limit=1`, { headers });
		const { data } = (await answer.json()) as { data: unknown[] };
		expect(await context.records({ ...CONNECTIONS, limit: 1, simplify: false })).toEqual(data);
	});
});

describe('many projects', () => {
	const context = useService({ data: { projects: 60, flows: 120 } });

	test('one that fails ends the reading of the others: nothing is sent afterwards', async () => {
		waitReally();
		// The others wait for their next try when the first one gets its response.
		context.fault({ path: '/v1/flows', times: 1, kind: { delay: 100 } });
		context.fault({ path: '/v1/flows', times: 1, kind: { status: 500 } });
		context.fault({ path: '/v1/flows', kind: { status: 503, headers: { 'retry-after': '0.5' } } });
		const { items, error } = await context.run(ALL_FLOWS);
		const sent = context.requests.length;
		expect(items).toEqual([]);
		expect(error?.message).toContain('HTTP 500');
		await sleep(1_000);
		expect(context.requests).toHaveLength(sent);
		expect(sent).toBeLessThan(25);
	});

	const LISTS = [ALL_FLOWS, { ...ALL_FLOWS, resource: 'flowRun' }];
	test.each(LISTS)(
		'one that fails fails its item, and the other items continue: $resource',
		async (list) => {
			waitReally();
			context.fault({ path: /^\/v1\/flow/, times: 1, kind: { status: 500 } });
			// The second item starts, and ends the run, long after all projects could have been read.
			const batch = { batchSize: 1, batchInterval: 500 };
			const { id } = context.data.projects[0];
			const projectId = byId('={{ $json.id ?? "" }}');
			const { items } = await context.run(
				{ ...list, projectId, requestOptions: { batching: { batch } } },
				{ items: [{}, { id }], onError: 'continueRegularOutput' },
			);
			expect(items[0].json.error).toContain('HTTP 500');
			expect(context.requests.length).toBeLessThan(25);
		},
	);

	test('more flows than an item may have are refused before all projects are read', async () => {
		limits.maxRecordsPerItem = 80;
		const error = await context.failure({ ...ALL_FLOWS, options: { pageSize: 10 } });
		expect(error.message).toBe(
			'There are more flows than the node accepts for one input item (80)',
		);
		expect(context.requests.length).toBeLessThan(60);
	});

	test('a flow that moves to another project while they are read is returned once', async () => {
		context.fault({ path: '/v1/flows', kind: { body: { data: [{ id: 'moved' }], next: null } } });
		expect(ids(await context.records(ALL_FLOWS))).toEqual(['moved']);
	});
});

const context = useService();

describe('more records from one input item than n8n can store', () => {
	test('are refused with what to do, instead of a stack overflow', async () => {
		const data = Array.from({ length: 130_000 }, (_, id) => ({ id: String(id) }));
		context.fault({ kind: { body: { data, next: null } } });
		const error = await context.failure({ ...CONNECTIONS, returnAll: true, simplify: false });
		expect(error.message).toBe(
			'The server returned 130000 global connections at once, more than the node reads (100000)',
		);
		expect(error.description).toContain('Check that Base URL');
	});
});

describe('a service without the list of projects', () => {
	test('receives one request for flows, without a project', async () => {
		context.fault({ path: /projects$/, kind: ROUTE_MISSING });
		context.fault({ path: '/v1/flows', kind: { body: { data: [{ id: 'a' }], next: null } } });
		expect(ids(await context.records(ALL_FLOWS))).toEqual(['a']);
		expect(requestUrls(context)).toEqual([
			'GET /v1/projects?limit=1000',
			'GET /v1/users/projects?limit=1000',
			'GET /v1/flows?limit=1000',
		]);
	});
});
