import { restoreLimits } from '../restoreLimits';
import { startWord } from '../startWord';
import { limits } from './harness/built';
import { scroll, values } from './harness/locators';
import { ALL_FLOWS, parametersOf } from './harness/parameters';
import { ROUTE_MISSING } from './harness/routeMissing';
import { stepsOf } from './harness/runFlow';
import {
	byId,
	FIRST_AND_LAST,
	requestPaths,
	requestUrls,
	sortedIds,
	useService,
} from './harness/service';

restoreLimits(limits);

const LISTS = ['Flows', 'FlowRuns', 'Folders', 'Invitations', 'Projects', 'Templates'];
const SEARCHES = LISTS.map((list) => `search${list}`);
const OPTIONS = ['getConnections', 'getFlowExternalIds', 'getFlows'];
const RUNS = parametersOf('flowRun.getAll');

describe.each(FIRST_AND_LAST)('lists of the editor on release %s', (release) => {
	const context = useService({
		release,
		data: {
			...{ projects: 3, foldersPerProject: 60, invitations: 120, flows: 40, flowRuns: 40 },
			connections: 30,
		},
	});
	const { search } = context;
	const load = async (method: string, parameters = {}, credential = context.credential) =>
		await context.engine.loadOptions(method, { credential, parameters });
	/** The expected list, by the value. */
	const expectEntries = (
		results: Array<{ name: string; value: unknown }>,
		entries: Array<[value: string, name: string]>,
	) => {
		expect(new Map(results.map(({ name, value }) => [value, name]))).toEqual(new Map(entries));
		expect(results).toHaveLength(entries.length);
	};
	const projectName = (id: string | null) =>
		context.data.projects.find((project) => project.id === id)?.displayName;
	const disabled = (status: string) => (status === 'ENABLED' ? '' : 'disabled, ');

	test('projects are listed with their name, templates with name and type', async () => {
		const { projects, templates } = context.data;
		expectEntries(
			(await scroll(context, 'searchProjects')).results,
			projects.map(({ id, displayName }) => [id, displayName]),
		);
		const { results } = await scroll(context, 'searchTemplates');
		expect(results.length).toBeGreaterThan(0);
		for (const { name, value } of results) {
			const template = templates.find(({ id }) => id === value);
			expect(name).toBe(`${template?.name} (${template?.type.toLowerCase()})`);
		}
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
				`${displayName} (${disabled(status)}${startWord(trigger)}, ${projectName(projectId)})`,
			]),
		);
		const last = flows[flows.length - 1];
		const found = await scroll(context, 'searchFlows', last.version.displayName.toUpperCase());
		expect(values(found)).toContain(last.id);
		const byWords = await scroll(context, 'searchFlows', 'disabled, subflow');
		expect(byWords.results.map(({ name }) => name)).toEqual([
			expect.stringMatching(/^By subflows \(disabled, subflow, .+\)$/),
		]);
	});

	test('invitations of the platform and of all projects are listed with type and status', async () => {
		const { pages, results } = await scroll(context, 'searchInvitations');
		const { invitations } = context.data;
		expect(pages.length).toBeGreaterThan(1);
		expectEntries(
			results,
			invitations.map(({ id, email, projectId, status }) => {
				const where = projectId === null ? 'platform' : `project ${projectName(projectId)}`;
				return [id, `${email} (${where}, ${status.toLowerCase()})`];
			}),
		);
		// With one list for all projects.
		expect(requestUrls(context).join()).not.toContain('projectId');

		context.fault({ path: '/v1/projects', kind: { status: 500 } });
		const nameless = await scroll(context, 'searchInvitations');
		expect(nameless.results).toHaveLength(invitations.length);
		const { id, projectId } = invitations.find((each) => each.projectId !== null)!;
		const listed = nameless.results.find(({ value }) => value === id);
		expect(listed?.name).toContain(`project ${projectId}`);
	});

	test('the search finds a part of the text in any letter case, on pages far down as well', async () => {
		const last = context.data.invitations.at(-1)!;
		const { results } = await scroll(context, 'searchInvitations', last.email.toUpperCase());
		expect(values({ results })).toContain(last.id);
		expect(results.every(({ name }) => name.includes(last.email))).toBe(true);
		for (const method of SEARCHES) {
			expect((await scroll(context, method, 'no such thing')).results).toEqual([]);
		}
	});

	test('a wrong key and a wrong address are said in the list', async () => {
		const { credential, origin } = context;
		const wrongKey = { ...credential, apiKey: 'sk-wrong-key' };
		const wrongUrl = { ...credential, baseUrl: origin };
		for (const [wrong, message] of [
			[wrongKey, 'Activepieces did not accept the API key'],
			[wrongUrl, 'Base URL points to a web page, not to the Activepieces API'],
		] as const) {
			for (const method of SEARCHES) {
				await expect(search(method, { credential: wrong })).rejects.toThrow(message);
			}
			for (const method of OPTIONS) await expect(load(method, {}, wrong)).rejects.toThrow(message);
		}
	});

	test('flows of a multiple choice have project and status, in the order of their names', async () => {
		const options = await load('getFlows', RUNS);
		const { flows } = context.data;
		expectEntries(
			options as Array<{ name: string; value: unknown }>,
			flows.map(({ id, projectId, status, version }) => [
				id,
				`${version.displayName} (${disabled(status)}${projectName(projectId)})`,
			]),
		);
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
		expect((await load('getFlowExternalIds', ALL_FLOWS)).map(({ value }) => value).sort()).toEqual(
			flows.map(({ externalId }) => externalId).sort(),
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
		expectEntries(
			options as Array<{ name: string; value: unknown }>,
			flows
				.filter((flow) => flow.projectId === projectId)
				.map(({ id, version, status }) => [
					id,
					`${version.displayName}${status === 'ENABLED' ? '' : ' (disabled)'}`,
				]),
		);
		expect(requestPaths(context)).toEqual(['GET /v1/flows']);
		// The editor does not know the project that an expression gives.
		const all = await load('getFlows', { ...RUNS, projectId: byId('={{ $json.id }}') });
		expect(all).toHaveLength(flows.length);
	});

	test('folders of a filter begin with No Folder, which is sent as the service wants it', async () => {
		const listed = async (filter?: string, parameters = {}) =>
			(await search('searchFoldersOrNone', { filter, parameters })).results.map(({ name }) => name);
		const { folders, flows } = context.data;
		expect((await listed(undefined, ALL_FLOWS))[0]).toBe('No Folder');
		expect(await listed('no f', ALL_FLOWS)).toContain('No Folder');
		expect(await listed(folders[0].id, ALL_FLOWS)).toHaveLength(1);
		const [{ projectId }] = folders;
		const own = folders.filter((folder) => folder.projectId === projectId);
		const ofProject = await listed(undefined, { ...ALL_FLOWS, projectId: byId(projectId) });
		expect(ofProject.slice(0, 5)).toEqual([
			'No Folder',
			...own.slice(0, 4).map(({ displayName }) => displayName),
		]);
		const { results } = await scroll(context, 'searchFoldersOrNone');
		expect(results.filter(({ name }) => name === 'No Folder')).toHaveLength(1);
		expect(results).toHaveLength(folders.length + 1);

		for (const folderId of ['NULL', folders[0].id]) {
			const chosen = { __rl: true, mode: 'list', value: folderId };
			const records = await context.records({ ...ALL_FLOWS, filters: { folderId: chosen } });
			expect(sortedIds(records)).toEqual(
				sortedIds(flows.filter((flow) => (flow.folderId ?? 'NULL') === folderId)),
			);
		}
	});
});

describe('lists of the editor', () => {
	const context = useService({ data: { projects: 2, foldersPerProject: 3, flows: 400 } });
	const load = async (method: string) =>
		await context.engine.loadOptions(method, { credential: context.credential });

	test('call a project without a name by its ID', async () => {
		const [project] = context.data.projects;
		const { displayName } = project;
		project.displayName = ' ';
		const { results } = await scroll(context, 'searchFolders');
		project.displayName = displayName;
		expect(results.filter(({ name }) => name.endsWith(`(${project.id})`))).toHaveLength(3);
	});

	test.each([
		['searchProjects', 'has no endpoint GET /v1/projects'],
		['searchFolders', 'cannot list its projects, so the folders cannot be listed'],
		['searchFlows', 'cannot list its projects, so the flows cannot be listed'],
		['searchFlowRuns', 'cannot list its projects, so the flow runs cannot be listed'],
		['searchTemplates', 'has no custom templates'],
		['searchInvitations', 'has no project roles'],
	])('%s says why it is empty on a server without its route', async (method, message) => {
		context.fault({ path: /projects$|templates$|user-invitations$/, kind: ROUTE_MISSING });
		await expect(context.search(method)).rejects.toThrow(`This Activepieces server ${message}`);
	});

	test.each(OPTIONS)('%s says what to do instead', async (method) => {
		context.fault({ path: /projects$/, kind: ROUTE_MISSING });
		await expect(load(method)).rejects.toMatchObject({
			message: expect.stringMatching(/cannot list its projects, so the \w+ cannot be/),
			description: 'Enter the values with an expression instead.',
		});
	});

	test('a multiple choice takes no longer than a locator', async () => {
		limits.locatorMaxElapsedMs = 100;
		context.fault({ path: '/v1/flows', kind: { delay: 2_000 } });
		await expect(load('getFlows')).rejects.toMatchObject({
			message: 'The list of flows took too long to load',
			description: 'Enter the values with an expression instead.',
		});
	});

	test('leaves out a project that is refused', async () => {
		context.fault({ path: '/v1/flows', times: 1, kind: { status: 403, shape: 'application' } });
		expect((await load('getFlows')).length).toBeGreaterThan(0);
	});

	test('is cut where the editor could not show more', async () => {
		limits.optionEntries = 120;
		limits.optionPageSize = 50;
		expect(await load('getFlows')).toHaveLength(120);
		expect(requestPaths(context).length).toBeLessThan(10);
	});

	test('shows what it has when the rest takes long', async () => {
		limits.locatorShortListMs = 100;
		limits.optionPageSize = 50;
		context.fault({ path: '/v1/flows', after: 3, kind: { delay: 5_000 } });
		const { length } = await load('getFlows');
		expect(length).toBeGreaterThan(0);
		expect(length).toBeLessThan(400);
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

	test('what is chosen is sent: as a list, as text with commas, by an expression, and by a model', async () => {
		const [one, two] = context.data.flows;
		const given = [{ ids: [one.id, two.id] }];
		for (const flowIds of [
			[one.id, two.id],
			`${one.id}, ${two.id}`,
			'={{ $json.ids }}',
			'={{ $json.ids.join(",") }}',
		]) {
			context.clearRequests();
			const filters = { flowIds };
			await context.records({ ...RUNS, projectId: byId(one.projectId), filters }, given);
			const listed = context.requests.find(({ path }) => path === '/v1/flow-runs');
			expect(listed?.query.flowId).toEqual([one.id, two.id]);
		}
	});

	test.each(['flowIds', 'connectionExternalIds', 'externalIds', 'folderId'])(
		'%s: a model gives text with commas, and an empty text for all',
		async (name) => {
			const sent = async (given: string) => {
				context.clearRequests();
				const value = '={{ $json.given }}';
				const filters = { [name]: name === 'folderId' ? byId(value) : value };
				const parameters = { ...(name === 'flowIds' ? RUNS : ALL_FLOWS), filters };
				await context.records(parameters, { asTool: true, items: [{ given }] });
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
