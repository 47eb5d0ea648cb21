import { sleep } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { startWord } from '../startWord';
import { limits } from './harness/built';
import { scroll, values } from './harness/locators';
import { ALL_FLOWS } from './harness/parameters';
import { ROUTE_MISSING } from './harness/routeMissing';
import { stepsOf } from './harness/runFlow';
import {
	byId,
	FIRST_AND_LAST,
	holdUntilInFlight,
	requestPaths,
	requestsWithin,
	requestUrls,
	sortedIds,
	useService,
} from './harness/service';

restoreLimits(limits);

const LISTS = ['Flows', 'FlowRuns', 'Folders', 'Invitations', 'Projects', 'Templates'];
const METHODS = LISTS.map((list) => `search${list}`);

describe.each(FIRST_AND_LAST)('locators on release %s', (release) => {
	const context = useService({
		release,
		data: { foldersPerProject: 60, invitations: 120, flows: 10, flowRuns: 40 },
	});
	/** The expected list, by the ID. */
	const expectEntries = (
		results: Array<{ name: string; value: unknown }>,
		entries: Array<[id: string, name: string]>,
	) => {
		expect(new Map(results.map(({ name, value }) => [value, name]))).toEqual(new Map(entries));
		expect(results).toHaveLength(entries.length);
	};
	const projectName = (id: string | null) =>
		context.data.projects.find((project) => project.id === id)?.displayName;

	test('projects are listed with their name', async () => {
		const { results } = await scroll(context, 'searchProjects');
		const { projects } = context.data;
		expectEntries(
			results,
			projects.map(({ id, displayName }) => [id, displayName]),
		);
	});

	test('folders of all projects are listed with their project’s name, page by page', async () => {
		const { pages, results } = await scroll(context, 'searchFolders');
		expect(pages.length).toBeGreaterThan(1);
		expectEntries(
			results,
			context.data.folders.map(({ id, displayName, projectId }) => [
				id,
				`${displayName} (${projectName(projectId)})`,
			]),
		);
	});

	test('invitations are listed without the names of projects that cannot be read', async () => {
		context.fault({ path: '/v1/projects', kind: { status: 500 } });
		const { results } = await scroll(context, 'searchInvitations');
		expect(results).toHaveLength(context.data.invitations.length);
		const invitation = context.data.invitations.find(({ projectId }) => projectId !== null)!;
		const listed = results.find(({ value }) => value === invitation.id);
		expect(listed?.name).toContain(`project ${invitation.projectId}`);
	});

	test('flows of all projects are listed with their project’s name, their status and what starts them', async () => {
		for (const kind of ['webhook', 'schedule', 'manual-trigger', 'subflows', 'gmail']) {
			context.live.addFlow({ name: `By ${kind}`, steps: stepsOf(kind) });
		}
		context.live.addFlow({ name: 'By nothing', trigger: 'empty' });
		const { results } = await scroll(context, 'searchFlows');
		const { flows } = context.data;
		expect(new Set(flows.map(({ version }) => startWord(version.trigger))).size).toBe(6);
		expectEntries(
			results,
			flows.map(({ id, projectId, status, version: { displayName, trigger } }) => [
				id,
				`${displayName} (${status === 'ENABLED' ? '' : 'disabled, '}${startWord(trigger)}, ${projectName(projectId)})`,
			]),
		);
		const last = flows[flows.length - 1];
		const found = await scroll(context, 'searchFlows', last.version.displayName.toUpperCase());
		expect(values(found)).toContain(last.id);
		expect(
			(await scroll(context, 'searchFlows', 'disabled, subflow')).results.map(({ name }) => name),
		).toEqual([expect.stringMatching(/^By subflows \(disabled, subflow, .+\)$/)]);
	});

	test('templates are listed with name and type', async () => {
		const { results } = await scroll(context, 'searchTemplates');
		expect(results.length).toBeGreaterThan(0);
		for (const { name, value } of results) {
			const template = context.data.templates.find(({ id }) => id === value);
			expect(name).toBe(`${template?.name} (${template?.type.toLowerCase()})`);
		}
	});

	test('invitations of the platform and of all projects are listed with type and status', async () => {
		const { pages, results } = await scroll(context, 'searchInvitations');
		expect(pages.length).toBeGreaterThan(1);
		expectEntries(
			results,
			context.data.invitations.map(({ id, email, projectId, status }) => {
				const where = projectId === null ? 'platform' : `project ${projectName(projectId)}`;
				return [id, `${email} (${where}, ${status.toLowerCase()})`];
			}),
		);
		// With one list for all projects.
		expect(requestUrls(context).join()).not.toContain('projectId');
	});

	test('the search finds a part of the text in any letter case, on pages far down as well', async () => {
		const { invitations } = context.data;
		const last = invitations[invitations.length - 1];
		const { results } = await scroll(context, 'searchInvitations', last.email.toUpperCase());
		expect(values({ results })).toContain(last.id);
		expect(results.every(({ name }) => name.includes(last.email))).toBe(true);
	});

	test('a search without a match ends with an empty list', async () => {
		for (const method of METHODS) {
			expect((await scroll(context, method, 'no such thing')).results).toEqual([]);
		}
	});

	test('a wrong key and a wrong address are said in the list', async () => {
		const wrongKey = { credential: { ...context.credential, apiKey: 'sk-wrong' } };
		const wrongUrl = { credential: { ...context.credential, baseUrl: context.origin } };
		for (const method of METHODS) {
			await expect(context.search(method, wrongKey)).rejects.toThrow(
				'Activepieces did not accept the API key',
			);
			await expect(context.search(method, wrongUrl)).rejects.toThrow(
				'Base URL points to a web page',
			);
		}
	});
});

const context = useService({ data: { projects: 2, foldersPerProject: 3 } });

test('a project without a name is called by its ID', async () => {
	const [project] = context.data.projects;
	const { displayName } = project;
	project.displayName = ' ';
	const { results } = await scroll(context, 'searchFolders');
	project.displayName = displayName;
	expect(results.filter(({ name }) => name.endsWith(`(${project.id})`))).toHaveLength(3);
});

describe('a service without the listing routes', () => {
	const SERVER = 'This Activepieces server';
	beforeEach(() => {
		context.fault({ path: /projects$|templates$|user-invitations$/, kind: ROUTE_MISSING });
	});

	test.each([
		['searchProjects', 'has no endpoint GET /v1/projects'],
		['searchFolders', 'cannot list its projects, so the folders cannot be listed'],
		['searchFlows', 'cannot list its projects, so the flows cannot be listed'],
		['searchFlowRuns', 'cannot list its projects, so the flow runs cannot be listed'],
		['searchTemplates', 'has no endpoint GET /v1/flow-templates'],
		['searchInvitations', 'has no endpoint GET /v1/user-invitations'],
	])('%s says why its list is empty', async (method, message) => {
		await expect(context.search(method)).rejects.toThrow(`${SERVER} ${message}`);
	});
});

describe('what a locator requests', () => {
	test('the first page of folders costs one request for the projects and one for each of them', async () => {
		await context.search('searchFolders');
		const { projects } = context.data;
		expect(requestPaths(context)).toEqual([
			'GET /v1/projects',
			...projects.map(() => 'GET /v1/folders'),
		]);
	});

	test.each([
		['empty pages', []],
		['the same rows', [{ id: 'p1', displayName: 'One' }]],
	])('ever new cursors, to %s, do not block the editor', async (_name, data) => {
		const answers = (_request: unknown, n: number) => ({ data, next: `cursor-${n}` });
		context.fault({ path: '/v1/projects', kind: { answers } });
		expect((await context.search('searchProjects')).paginationToken).toBeUndefined();
		expect(requestUrls(context).length).toBeLessThan(30);
	});
});

describe('a search among many projects', () => {
	const context = useService({ data: { projects: 60, foldersPerProject: 2, flows: 1 } });

	test('finds the last folder in its first result, because an empty list cannot be scrolled', async () => {
		holdUntilInFlight(context, 10, '/v1/folders');
		const last = context.data.folders[context.data.folders.length - 1];
		const { results } = await context.search('searchFolders', { filter: last.id });
		expect(values({ results })).toEqual([last.id]);
		// Projects are read ahead, ten at a time.
		expect(context.inFlight.peak).toBe(10);
	});

	test('gives up after a while, and sends nothing more', async () => {
		limits.locatorMaxElapsedMs = 300;
		context.fault({ path: '/v1/folders', kind: { delay: 100 } });
		const start = Date.now();
		await expect(context.search('searchFolders', { filter: 'no such folder' })).rejects.toThrow(
			'The list of folders took too long to load',
		);
		expect(Date.now() - start).toBeLessThan(10_000);
		// Requests in flight still arrive.
		await sleep(150);
		expect(await requestsWithin(context, 150)).toBe(0);
	});
});

describe('a list of which one part cannot be read', () => {
	test('reports the reason when no part can be read', async () => {
		context.fault({ path: '/v1/folders', kind: { status: 403, code: 'AUTHORIZATION' } });
		const why = /^The API key is not allowed to access the project /;
		await expect(context.search('searchFolders')).rejects.toThrow(why);
	});
});

describe('options', () => {
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
			expect(
				(await load('getFlowExternalIds', ALL_FLOWS)).map(({ value }) => value).sort(),
			).toEqual(context.data.flows.map(({ externalId }) => externalId).sort());
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
			expect(wrongPlace?.message).toBe(
				'Base URL points to a web page, not to the Activepieces API',
			);
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
});
