import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { scroll } from './harness/locators';
import { ALL_FLOWS } from './harness/parameters';
import { ROUTE_MISSING } from './harness/routeMissing';
import { FIRST_AND_LAST, byId, requestPaths, useService, sortedIds } from './harness/service';

restoreLimits(limits);

const RUNS = { resource: 'flowRun', operation: 'getAll' };

const METHODS = ['getConnections', 'getFlowExternalIds', 'getFlows'];

describe.each(FIRST_AND_LAST)('lists with a multiple choice, on release %s', (release) => {
	const context = useService({
		release,
		data: { projects: 3, flows: 40, flowRuns: 20, connections: 30, foldersPerProject: 4 },
	});

	const load = async (method: string, parameters = {}) =>
		await context.engine.loadOptions(method, { credential: context.credential, parameters });

	const nameOf = (projectId: string) =>
		context.data.projects.find(({ id }) => id === projectId)?.displayName;

	test('flows are listed with project and status, in the order of their names', async () => {
		const options = await load('getFlows', RUNS);
		const { flows } = context.data;
		expect(new Map(options.map(({ name, value }) => [value, name]))).toEqual(
			new Map(
				flows.map(({ id, projectId, status, version }) => [
					id,
					`${version.displayName} (${status === 'ENABLED' ? '' : 'disabled, '}${nameOf(projectId)})`,
				]),
			),
		);
		expect(options).toHaveLength(flows.length);
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
	});

	test('flows are listed with their external IDs, where it is those that are asked for', async () => {
		expect((await load('getFlowExternalIds', ALL_FLOWS)).map(({ value }) => value).sort()).toEqual(
			context.data.flows.map(({ externalId }) => externalId).sort(),
		);
	});

	test('connections are listed once, with their external IDs, piece and place', async () => {
		const options = await load('getConnections', ALL_FLOWS);
		const { connections, projectConnections, projects } = context.data;
		const usable = connections.filter(({ projectIds }) =>
			projectIds.some((each) => projects.some(({ id }) => id === each)),
		);
		// Connections of several projects may have the same external ID, which flows are filtered by.
		const externalIds = [...usable, ...projectConnections].map(({ externalId }) => externalId);
		expect(options.map(({ value }) => value).sort()).toEqual([...new Set(externalIds)].sort());
		const [connection] = usable;
		const piece = connection.pieceName.replace('@activepieces/piece-', '');
		expect(options.find(({ value }) => value === connection.externalId)?.name).toBe(
			`${connection.displayName} (${piece}, global)`,
		);
	});

	test('with a project chosen, only its records are listed, and the project is not named', async () => {
		const { flows } = context.data;
		const [{ projectId }] = flows;
		const options = await load('getFlows', { ...RUNS, projectId: byId(projectId) });
		const own = flows.filter((flow) => flow.projectId === projectId);
		expect(options.map(({ name, value }) => `${String(value)} ${name}`).sort()).toEqual(
			own
				.map(
					({ id, version, status }) =>
						`${id} ${version.displayName}${status === 'ENABLED' ? '' : ' (disabled)'}`,
				)
				.sort(),
		);
		expect(requestPaths(context)).toEqual(['GET /v1/flows']);
	});

	test('a project that an expression gives is not known to the editor: all are listed', async () => {
		const options = await load('getFlows', { ...RUNS, projectId: byId('={{ $json.id }}') });
		expect(options).toHaveLength(context.data.flows.length);
	});

	test('what is chosen is sent, as a list, as text with commas, and by an expression', async () => {
		const [one, two] = context.data.flows;
		for (const flowIds of [
			[one.id, two.id],
			`${one.id}, ${two.id}`,
			'={{ $json.ids }}',
			'={{ $json.ids.join(",") }}',
		]) {
			context.clearRequests();
			await context.records({ ...RUNS, projectId: byId(one.projectId), filters: { flowIds } }, [
				{ ids: [one.id, two.id] },
			]);
			expect(context.requests[0].query.flowId).toEqual([one.id, two.id]);
		}
	});

	test('folders of a filter begin with No Folder, which is sent as the service wants it', async () => {
		const search = async (filter?: string, parameters = {}) => {
			const found = await context.search('searchFoldersOrNone', { filter, parameters });
			return found.results.map(({ name }) => name);
		};
		const { folders, flows } = context.data;
		const all = await search(undefined, ALL_FLOWS);
		expect(all[0]).toBe('No Folder');
		expect(all).toHaveLength(folders.length + 1);
		expect(await search('no f', ALL_FLOWS)).toContain('No Folder');
		expect(await search(folders[0].id, ALL_FLOWS)).toHaveLength(1);
		const [{ projectId }] = folders;
		const own = folders.filter((folder) => folder.projectId === projectId);
		expect(await search(undefined, { ...ALL_FLOWS, projectId: byId(projectId) })).toEqual([
			'No Folder',
			...own.map(({ displayName }) => displayName),
		]);

		for (const folderId of ['NULL', folders[0].id]) {
			const chosen = { __rl: true, mode: 'list', value: folderId };
			const records = await context.records({ ...ALL_FLOWS, filters: { folderId: chosen } });
			expect(sortedIds(records)).toEqual(
				sortedIds(flows.filter((flow) => (flow.folderId ?? 'NULL') === folderId)),
			);
		}
	});
});

describe('a list that cannot be read', () => {
	const context = useService({ data: { projects: 3, flows: 30, connections: 10 } });

	const failure = async (method: string, credential = context.credential) =>
		await context.engine.loadOptions(method, { credential }).then(
			() => undefined,
			(error: Error & { description?: string }) => error,
		);

	test.each(METHODS)('%s reports a wrong key, and a wrong Base URL', async (method) => {
		const { credential, service } = context;
		const wrongKey = await failure(method, { ...credential, apiKey: 'sk-wrong-key' });
		expect(wrongKey?.message).toBe('Activepieces did not accept the API key');
		const wrongPlace = await failure(method, { ...credential, baseUrl: service.origin });
		expect(wrongPlace?.message).toBe('Base URL points to a web page, not to the Activepieces API');
	});

	test.each(METHODS)('%s says what to do on a server without the list', async (method) => {
		context.fault({ path: /projects$/, kind: ROUTE_MISSING });
		const error = await failure(method);
		expect(error?.message).toMatch(
			/cannot list its projects, so the (flows|connections) cannot be/,
		);
		expect(error?.description).toBe('Enter the values with an expression instead.');
	});

	test('takes no longer than a locator', async () => {
		limits.locatorMaxElapsedMs = 300;
		context.fault({ path: '/v1/flows', kind: { delay: 2_000 } });
		const error = await failure('getFlows');
		expect(error?.message).toBe('The list of flows took too long to load');
		expect(error?.description).toBe('Enter the values with an expression instead.');
	});

	test('leaves out a project that is refused', async () => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/flows', times: 1, kind: { status: 403, shape: 'application' } });
		expect((await engine.loadOptions('getFlows', { credential })).length).toBeGreaterThan(0);
	});
});

describe('what a model gives to a tool', () => {
	const context = useService({ data: { projects: 2, flows: 8, flowRuns: 10, connections: 4 } });

	test.each(['flowIds', 'connectionExternalIds', 'externalIds', 'folderId'])(
		'%s: text with commas, and an empty text for all',
		async (name) => {
			const pair = name === 'flowIds' ? RUNS : { resource: 'flow', operation: 'getAll' };
			const sent = async (given: string) => {
				context.clearRequests();
				const value = '={{ $json.given }}';
				const filters = { [name]: name === 'folderId' ? byId(value) : value };
				await context.records({ ...pair, filters }, { asTool: true, items: [{ given }] });
				const list = context.requests.find(({ query }) => 'projectId' in query);
				return list?.query[name === 'flowIds' ? 'flowId' : name];
			};
			const [one, two] = context.data.flows.map(({ id }) => id);
			expect(await sent('')).toBeUndefined();
			expect(await sent(one)).toEqual(one);
			if (name !== 'folderId') expect(await sent(`${one}, ${two}`)).toEqual([one, two]);
		},
	);
});

describe('a long list', () => {
	const context = useService({ data: { projects: 2, flows: 400, foldersPerProject: 60 } });

	test('has No Folder once, even after scrolling', async () => {
		const { results } = await scroll(context, 'searchFoldersOrNone');
		const names = results.map(({ name }) => name);
		expect(names).toHaveLength(context.data.folders.length + 1);
		expect(names.filter((name) => name === 'No Folder')).toEqual(['No Folder']);
	});

	test('is cut where the editor could not show more', async () => {
		const { engine, credential } = context;
		limits.optionEntries = 120;
		limits.optionPageSize = 50;
		expect(await engine.loadOptions('getFlows', { credential })).toHaveLength(120);
		expect(requestPaths(context).length).toBeLessThan(10);
	});

	test('shows what it has when the rest takes long', async () => {
		const { engine, credential, service } = context;
		limits.locatorShortListMs = 300;
		limits.optionPageSize = 50;
		service.fault({ path: '/v1/flows', after: 3, kind: { delay: 5_000 } });
		const options = await engine.loadOptions('getFlows', { credential });
		expect(options.length).toBeGreaterThan(0);
		expect(options.length).toBeLessThan(400);
	});
});
