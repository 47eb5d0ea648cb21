import { sleep } from 'n8n-workflow';

import { casesFor } from '../operations';
import { FIRST_AND_LAST, ROUTE_MISSING, type FaultKind, type ServiceData } from '../service';
import { call } from '../service/client';
import { limits } from './harness/built';
import { byId, ids, sortedIds } from './harness/byId';
import { queriesOf, scroll, values } from './harness/locators';
import { ALL_FLOWS, CONNECTIONS, ofRecord, parametersOf, TEMPLATES } from './harness/parameters';
import { holdUntilInFlight, requestPaths, requestUrls, useService } from './harness/service';

type Named = { name: string } | { displayName: string };

const limited = (limit: number) => ({ ...ALL_FLOWS, returnAll: false, limit });
/** The two ways to read a list of all projects. */
const BOTH = [
	['Return All', ALL_FLOWS],
	['a Limit', limited(1000)],
] as const;

describe.each(FIRST_AND_LAST)('lists on release %s', (release) => {
	const context = useService({ release, data: { projects: 3, flows: 120, connections: 130 } });

	test('Return All gives every flow of all projects once, or of the chosen project', async () => {
		const { projects, flows } = context.data;
		expect(sortedIds(await context.records(ALL_FLOWS))).toEqual(sortedIds(flows));
		const lists = projects.map(() => 'GET /v1/flows');
		expect(requestPaths(context)).toEqual(['GET /v1/projects', ...lists]);
		const [{ id }] = projects;
		const paged = { ...ALL_FLOWS, projectId: byId(id), options: { pageSize: 20 } };
		const wanted = flows.filter(({ projectId }) => projectId === id);
		expect(sortedIds(await context.records(paged))).toEqual(sortedIds(wanted));
	});

	test.each([1, 50, 129, 130, 131])('Limit %i is exact, with few pages of 30', async (limit) => {
		limits.largePageSize = 30;
		const connections = await context.records({ ...CONNECTIONS, limit });
		expect(ids(connections)).toEqual(ids(context.data.connections.slice(0, limit)));
		const rows = context.requests.map(({ query }) => Number(query.limit));
		expect(rows).toHaveLength(Math.ceil(Math.min(limit, 130) / 30));
		expect(rows.reduce((sum, row) => sum + row, 0)).toBe(limit);
	});

	test('templates come from one request, whatever `next` says, and are cut to Limit', async () => {
		context.fault({ path: /templates$/, kind: { next: 'bmV4dF91bmRlZmluZWQ=' } });
		const own = context.data.templates.filter(({ type }) => type !== 'SHARED');
		const all = await context.records(TEMPLATES);
		expect(sortedIds(all)).toEqual(sortedIds(own));
		context.clearRequests();
		const some = await context.records({ ...TEMPLATES, returnAll: false, limit: 5 });
		expect(ids(some)).toEqual(ids(all).slice(0, 5));
		expect(context.requests.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(requestUrls(context).join()).not.toMatch(/limit|cursor/);
	});
});

describe.each(FIRST_AND_LAST)('the order of lists on release %s', (release) => {
	const each = { connectionsPerProject: 5, tablesPerProject: 5, variablesPerProject: 5 };
	const context = useService({
		release,
		data: { projects: 2, flows: 60, flowRuns: 60, auditEvents: 12, ...each },
	});
	const listed = casesFor(release).map(({ isList, operation }) =>
		isList ? operation.endpoint : [],
	);
	const endpoints = [...new Set(listed.flat())].filter(
		({ path, otherPath }) => !path.includes('{id}') && otherPath === undefined,
	);

	// By it the trigger decides which records of a list it needs.
	test.each(endpoints)('is as the endpoint says: $path', async ({ path, order }) => {
		const { service, data } = context;
		const [{ id: projectId }] = data.projects;
		const { id: tableId } = data.tables.find((table) => table.projectId === projectId)!;
		const query = new URLSearchParams({ projectId, tableId, type: 'PLATFORM', limit: '100' });
		const { text } = await call(service, `${path}?${query.toString()}`);
		const { data: records } = JSON.parse(text) as { data: Array<{ created: string }> };
		const times = records.map(({ created }) => Date.parse(created));
		expect(new Set(times).size).toBeGreaterThan(2);
		const ascending = [...times].sort((a, b) => a - b);
		const sorted = { oldestFirst: ascending, newestFirst: [...ascending].reverse() };
		if (order !== undefined) expect(times).toEqual(sorted[order]);
		else for (const other of Object.values(sorted)) expect(times).not.toEqual(other);
	});
});

describe('a name with a backslash, which escapes in the patterns of the service', () => {
	const context = useService();

	test.each<[pair: string, filter: string, records: (data: ServiceData) => Named[]]>([
		['project.getAll', 'displayName', ({ projects }) => projects],
		['flow.getAll', 'name', ({ flows }) => flows.map(({ version }) => version)],
		['table.getAll', 'name', ({ tables }) => tables],
		['variable.getAll', 'name', ({ variables }) => variables],
		['connection.getAll', 'displayName', ({ projectConnections }) => projectConnections],
		['globalConnection.getAll', 'displayName', ({ connections }) => connections],
		['flowTemplate.getAll', 'search', ({ templates }) => templates],
	])('is found by %s, also with wildcards', async (pair, filter, records) => {
		const [first, second] = records(context.data);
		for (const [record, name] of [
			[first, 'Files in A\\B'],
			[second, 'Files in AB'],
		] as const) {
			Object.assign(record, 'displayName' in record ? { displayName: name } : { name });
		}
		for (const text of ['a\\B', 'in A\\', '\\b', 'FILES%A\\B', 'A\\_']) {
			const found = await context.records(parametersOf(pair, { filters: { [filter]: text } }));
			expect([text, found.map(({ name }) => name)]).toEqual([text, ['Files in A\\B']]);
		}
	});
});

describe('a list over all projects', () => {
	const data = { projects: 3, flows: 12, foldersPerProject: 1, flowRuns: 4 };
	const context = useService({ data });
	const projects = () => context.data.projects;

	test.each<[string, FaultKind]>([
		['500', { status: 500 }],
		['402', { status: 402 }],
		['no JSON', { body: 'nonsense' }],
		['another form', { body: { ok: true } }],
		['a lost connection', { reset: 'beforeHeaders' }],
	])('that fails for a project names it: %s', async (_what, kind) => {
		const others = ['folder', 'flowRun'].map((resource) => ({ ...limited(50), resource }));
		for (const parameters of [ALL_FLOWS, limited(100), ...others]) {
			context.clearFaults();
			context.fault({ path: /^.v1.(flows|folders|flow-runs)$/, kind });
			const { description } = await context.failure(parameters);
			const named = projects().filter(({ id }) => description?.includes(id));
			expect(named).toHaveLength(1);
			expect(description).toContain(`"${named[0].displayName}"`);
			expect(description?.split('The error occurred in the project')).toHaveLength(2);
		}
	});

	test('a key that is not accepted is not reported for a project', async () => {
		context.fault({ path: '/v1/flows', kind: { status: 401, code: 'INVALID_API_KEY' } });
		expect((await context.failure(ALL_FLOWS)).description).not.toMatch(/the project /);
	});

	test('is requested without a project from a service without the list of projects', async () => {
		context.fault({ path: /projects$/, kind: ROUTE_MISSING });
		context.fault({ path: '/v1/flows', kind: { body: { data: [{ id: 'a' }], next: null } } });
		expect(ids(await context.records(ALL_FLOWS))).toEqual(['a']);
		expect(requestUrls(context)).toEqual([
			'GET /v1/projects?limit=10000',
			'GET /v1/users/projects?limit=10000',
			'GET /v1/flows?limit=1000',
		]);
	});
});

describe.each(FIRST_AND_LAST)('a project of %s that cannot be read', (release) => {
	const context = useService({ release });
	const ghost = { id: 'GhostGhostGhostGhost1', displayName: 'Ghost', type: 'TEAM' };

	/** Lists one more project than there is, this many times; the service itself responds for it. */
	function listGhost(times?: number) {
		const [first, ...others] = context.data.projects;
		const body = { data: [first, ghost, ...others], next: null, previous: null };
		context.fault({ path: '/v1/projects', times, kind: { body } });
	}

	test.each(BOTH)('is named, with %s', async (_name, parameters) => {
		listGhost();
		expect((await context.failure(parameters)).description).toContain(
			`The error occurred in the project "Ghost" (${ghost.id}).`,
		);
		// It was read ahead, and was not needed, although the project before it responds later.
		const [{ id: projectId }] = context.data.projects;
		context.fault({ path: '/v1/flows', projectId, kind: { delay: 60 } });
		expect(await context.records(limited(1))).toHaveLength(1);
	});

	test.each(BOTH)('is skipped when it was deleted meanwhile, with %s', async (_n, parameters) => {
		listGhost(1);
		expect(sortedIds(await context.records(parameters))).toEqual(sortedIds(context.data.flows));
	});
});

describe('60 projects', () => {
	const context = useService({ data: { projects: 60, flows: 120, flowRuns: 240 } });

	test.each(['flow', 'flowRun'])('one that fails fails its own item only: %s', async (resource) => {
		const [first, second] = context.data.projects;
		const path = `/v1/${resource === 'flow' ? 'flows' : 'flow-runs'}`;
		context.fault({ path, projectId: first.id, kind: { status: 500 } });
		// The others respond after it, and the second item when all of them could have been read.
		context.fault({ path, after: 2, kind: { delay: 50 } });
		context.fault({ path, projectId: second.id, kind: { delay: 400 } });
		const projectId = byId('={{ $json.id ?? "" }}');
		const given = { items: [{}, { id: second.id }], onError: 'continueRegularOutput' as const };
		const parameters = { ...ALL_FLOWS, resource, projectId, options: { pageSize: 1 } };
		const { items } = await context.run(parameters, given);
		expect(items[0].json.error).toContain('HTTP 500');
		expect(context.requests.length).toBeLessThan(25);
		const later = context.requests.filter(({ query }) => query.cursor ?? query.createdBefore);
		// Of the first item, only a page that came before the failure is followed by another one.
		const ofFirst = later.filter(({ query }) => query.projectId !== second.id);
		expect(ofFirst.length).toBeLessThan(3);
	});

	test('more flows than an item may have are refused before all projects are read', async () => {
		limits.maxRecordsPerItem = 80;
		const many = 'There are more flows than the node reads at once (80)';
		await context.failsWith({ ...ALL_FLOWS, options: { pageSize: 10 } }, many);
		expect(context.requests.length).toBeLessThan(60);
	});

	test('a flow that moves to another project while they are read is returned once', async () => {
		context.fault({ path: '/v1/flows', kind: { body: { data: [{ id: 'moved' }], next: null } } });
		expect(ids(await context.records(ALL_FLOWS))).toEqual(['moved']);
	});
});

/** People who embed the service have a project for each customer. */
describe('160 projects', () => {
	const data = { projects: 160, flows: 320, foldersPerProject: 1, steps: 1 };
	const context = useService({ data });
	beforeEach(() => context.fault({ path: /flows|folders/, kind: { delay: 2 } }));

	const requestsTo = (path: string) => queriesOf(context, path).length;
	const remove = ofRecord('connection.delete', 'Xk7wPq2mN9rT4vB8sL1cZ');

	test('are listed once more, not once for each project that is refused', async () => {
		context.fault({ path: '/v1/app-connections', kind: { status: 403 } });
		await context.failsWith(remove, /not allowed/);
		expect(requestsTo('/v1/projects')).toBeLessThanOrEqual(2);
	});

	test('are read in parallel; a Limit sends at most ten requests more than needed, and keeps the order', async () => {
		holdUntilInFlight(context, limits.maxConcurrency, '/v1/flows');
		const expected = ids(await context.records(ALL_FLOWS));
		expect(new Set(expected)).toEqual(new Set(ids(context.data.flows)));
		expect(requestsTo('/v1/flows')).toBe(context.data.projects.length);
		expect(context.inFlight.peak).toBe(limits.maxConcurrency);
		const projects = values(await scroll(context, 'searchProjects'));
		for (const limit of [1, 2, 77]) {
			context.clearFaults();
			context.clearRequests();
			// However busy the machine is: no response is sent before this many requests have arrived.
			const untilInFlight = limits.maxConcurrency / 2 + 1;
			context.fault({ path: '/v1/flows', times: untilInFlight, kind: { untilInFlight } });
			const listed = await context.records(limited(limit));
			expect(ids(listed)).toEqual(expected.slice(0, limit));
			const needed = projects.indexOf(String(listed[limit - 1].projectId)) + 1;
			expect(requestsTo('/v1/flows')).toBeLessThanOrEqual(needed + limits.maxConcurrency);
			expect(context.inFlight.peak).toBeGreaterThan(limits.maxConcurrency / 2);
			while (context.inFlight.now > 0) await sleep(1);
		}
	});
});
