import { FIRST_AND_LAST, ROUTE_MISSING } from '../service';
import { stepsOf } from '../service/webhookSteps';
import { limits, tryOnce } from './harness/built';
import { byId, byUrl, sortedIds } from './harness/byId';
import { expectEntries, queriesOf, scroll, values } from './harness/locators';
import { ALL_FLOWS, parametersOf } from './harness/parameters';
import { endSilences, requestPaths, requestsWithin, useService } from './harness/service';

const OPTIONS = ['getConnections', 'getFlowExternalIds', 'getFlows'];
const RUNS = parametersOf('flowRun.getAll');

const LATE = { delay: 60_000 };

const INSTEAD = 'Enter the ID instead, with By ID or with an expression.';

/** The word in a list of flows for what starts a flow of the stand-in. */
function startWord({ type, settings }: Record<string, unknown>): string {
	const { pieceName } = settings as { pieceName?: string };
	const words = ['webhook', 'schedule', 'manual', 'subflow'];
	const word = words.find((each) => pieceName?.includes(`/piece-${each}`));
	return type === 'EMPTY' ? 'no trigger' : (word ?? 'app event');
}

describe('lists of the editor', () => {
	const data = { projects: 3, foldersPerProject: 60, invitations: 120, flows: 40, flowRuns: 40 };
	const context = useService({ data: { ...data, connections: 30 } });
	const load = context.loadOptions;

	const listed = async (method: string) => (await scroll(context, method)).results;
	const projectName = (id: string | null) =>
		context.data.projects.find((project) => project.id === id)?.displayName;
	const disabled = (status: string) => (status === 'ENABLED' ? '' : 'disabled, ');

	test('projects have their name, templates name and type, folders their project’s name, page by page', async () => {
		const { projects, templates, folders } = context.data;
		expectEntries(await listed('searchProjects'), projects, ({ displayName }) => displayName);
		const own = templates.filter(({ type }) => type !== 'SHARED');
		const typed = ({ name, type }: { name: string; type: string }) =>
			`${name} (${type.toLowerCase()})`;
		expectEntries(await listed('searchTemplates'), own, typed);
		const { pages, results } = await scroll(context, 'searchFolders');
		expect(pages.length).toBeGreaterThan(1);
		expectEntries(
			results,
			folders,
			(each) => `${each.displayName} (${projectName(each.projectId)})`,
		);
	});

	test('flows have their project’s name, their status and what starts them', async () => {
		for (const kind of ['webhook', 'schedule', 'manual-trigger', 'subflows', 'gmail']) {
			context.live.addFlow({ name: `By ${kind}`, steps: stepsOf(kind) });
		}
		context.live.addFlow({ name: 'By nothing', trigger: 'empty' });
		const { flows } = context.data;
		expect(new Set(flows.map(({ version }) => startWord(version.trigger))).size).toBe(6);
		expectEntries(await listed('searchFlows'), flows, ({ projectId, status, version }) => {
			const state = `${disabled(status)}${startWord(version.trigger)}`;
			return `${version.displayName} (${state}, ${projectName(projectId)})`;
		});
		const byWords = await scroll(context, 'searchFlows', 'disabled, subflow');
		const subflow = expect.stringMatching(/^By subflows \(disabled, subflow, .+\)$/);
		expect(byWords.results.map(({ name }) => name)).toEqual([subflow]);
	});

	test('invitations of the platform and of all projects have type and status', async () => {
		const { pages, results } = await scroll(context, 'searchInvitations');
		const { invitations } = context.data;
		expect(pages.length).toBeGreaterThan(1);
		expectEntries(results, invitations, ({ email, projectId, status }) => {
			const where = projectId === null ? 'platform' : `project ${projectName(projectId)}`;
			return `${email} (${where}, ${status.toLowerCase()})`;
		});
		// With one list for all projects.
		expect(context.requests.map(({ url }) => url).join()).not.toContain('projectId');

		context.fault({ path: '/v1/projects', kind: { status: 500 } });
		const nameless = await scroll(context, 'searchInvitations');
		expect(nameless.results).toHaveLength(invitations.length);
		const { id, projectId } = invitations.find((each) => each.projectId !== null)!;
		const listed = nameless.results.find(({ value }) => value === id);
		expect(listed?.name).toContain(`project ${projectId}`);
	});

	test('flows of a multiple choice have project and status, in the order of their names', async () => {
		const options = await load('getFlows', { parameters: RUNS });
		const { flows } = context.data;
		expectEntries(options, flows, ({ projectId, status, version }) => {
			return `${version.displayName} (${disabled(status)}${projectName(projectId)})`;
		});
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
		const externalIds = await load('getFlowExternalIds', { parameters: ALL_FLOWS });
		const wanted = flows.map(({ externalId }) => externalId);
		expect(externalIds.map(({ value }) => value).sort()).toEqual(wanted.sort());
	});

	test('connections are listed once, with their external IDs, piece and place', async () => {
		const options = await load('getConnections', { parameters: ALL_FLOWS });
		const { connections, projectConnections, projects } = context.data;
		const usable = connections.filter(({ projectIds }) =>
			projectIds.some((each) => projects.some(({ id }) => id === each)),
		);
		// Connections of several projects may have the same external ID, which flows are filtered by.
		const externalIds = [...usable, ...projectConnections].map(({ externalId }) => externalId);
		expect(options.map(({ value }) => value).sort()).toEqual([...new Set(externalIds)].sort());
		const [connection] = usable;
		const piece = connection.pieceName.replace('@activepieces/piece-', '');
		const label = `${connection.displayName} (${piece}, global)`;
		expect(options.find(({ value }) => value === connection.externalId)?.name).toBe(label);
		const places = options.map(({ name }) => name.replace(/^.*, |\)$/g, ''));
		expect(projects.some(({ displayName }) => places.includes(displayName))).toBe(true);
	});

	test('with a project chosen, only its records are listed, and the project is not named', async () => {
		const { flows } = context.data;
		const [{ projectId }] = flows;
		const own = flows.filter((flow) => flow.projectId === projectId);
		const ofProject = { parameters: { ...RUNS, projectId: byId(projectId) } };
		expectEntries(await load('getFlows', ofProject), own, ({ version, status }) => {
			return `${version.displayName}${status === 'ENABLED' ? '' : ' (disabled)'}`;
		});
		expect(requestPaths(context)).toEqual(['GET /v1/flows']);
		const page = byUrl(`${context.origin}/projects/${projectId}`);
		const byPage = await load('getFlows', { parameters: { ...RUNS, projectId: page } });
		expect(byPage).toHaveLength(own.length);
		// The editor does not know the project that an expression gives.
		const other = byId('={{ $json.id }}');
		const all = await load('getFlows', { parameters: { ...RUNS, projectId: other } });
		expect(all).toHaveLength(flows.length);
	});

	test('folders of a filter begin with No Folder', async () => {
		const names = async (filter?: string, parameters = {}) => {
			const found = await context.search('searchFoldersOrNone', { filter, parameters });
			return found.results.map(({ name }) => name);
		};
		const { folders } = context.data;
		expect(await names('no f', ALL_FLOWS)).toContain('No Folder');
		expect(await names(folders[0].id, ALL_FLOWS)).toHaveLength(1);
		const [{ projectId }] = folders;
		const own = folders.filter((folder) => folder.projectId === projectId);
		const ofProject = await names(undefined, { ...ALL_FLOWS, projectId: byId(projectId) });
		const ownNames = own.map(({ displayName }) => displayName);
		expect(ofProject.slice(0, 5)).toEqual(['No Folder', ...ownNames.slice(0, 4)]);
		const { results } = await scroll(context, 'searchFoldersOrNone');
		expect(results).toHaveLength(folders.length + 1);
		// As the service wants it.
		const none = results.filter(({ name }) => name === 'No Folder');
		expect(none).toMatchObject([{ value: 'NULL' }]);
	});
});

describe('a list of the editor', () => {
	const context = useService({ data: { projects: 2, foldersPerProject: 3, flows: 400 } });
	const load = context.loadOptions;

	const NO_LIST = 'cannot list its projects, so the';
	test.each<[string, string]>([
		['searchProjects', 'has no endpoint GET /v1/projects'],
		['searchFolders', `${NO_LIST} folders cannot be listed`],
		['searchFlows', `${NO_LIST} flows cannot be listed`],
		['searchFlowRuns', `${NO_LIST} flow runs cannot be listed`],
		['searchTemplates', 'has no custom templates'],
		['searchInvitations', 'has no project roles'],
		...OPTIONS.map((method): [string, string] => [method, NO_LIST]),
	])('%s says why it is empty on a server without its route', async (method, message) => {
		context.fault({ path: /projects$|templates$|user-invitations$/, kind: ROUTE_MISSING });
		const isChoice = OPTIONS.includes(method);
		await expect(isChoice ? load(method) : context.search(method)).rejects.toMatchObject({
			message: expect.stringContaining(`This Activepieces server ${message}`),
			...(isChoice && { description: INSTEAD }),
		});
	});

	test('is cut where the editor could not show more', async () => {
		limits.optionEntries = 120;
		limits.optionPageSize = 50;
		expect(await load('getFlows')).toHaveLength(120);
		expect(requestPaths(context).length).toBeLessThan(10);
	});

	test('sends what is chosen: as a list, as text with commas, by an expression, and by a model', async () => {
		const [{ id: one, projectId }, { id: two }] = context.data.flows;
		const both = [one, two];
		const forms = [both, both.join(', '), '={{ $json.ids }}', '={{ $json.ids.join(",") }}'];
		for (const [index, flowIds] of forms.entries()) {
			const parameters = { ...RUNS, projectId: byId(projectId), filters: { flowIds } };
			await context.records(parameters, { items: [{ ids: both }], asTool: index > 2 });
			expect(queriesOf(context, '/v1/flow-runs').at(-1)?.flowId).toEqual(both);
		}
	});
});

describe('a locator of three projects', () => {
	const context = useService({ data: { projects: 3, foldersPerProject: 3, flows: 9 } });
	endSilences(context);

	test.each([
		['404', { status: 404, shape: 'application' as const }],
		['500', { status: 500 }],
		['malformed JSON', { truncated: true as const }],
		['a cut connection', { reset: 'beforeHeaders' as const }],
		['a time-out', LATE],
	])('shows the others when one list fails: %s', async (_name, kind) => {
		tryOnce();
		context.fault({ path: '/v1/folders', after: 2, times: 1, kind });
		const all = values(await context.search('searchFolders'));
		const hidden = queriesOf(context, '/v1/folders')[2].projectId;
		const shown = context.data.folders.filter(({ projectId }) => projectId !== hidden);
		expect(all).toEqual(shown.map((folder) => folder.id));
		expect(all).toHaveLength(6);
	});

	test.each([
		['a wrong key', { status: 401 }, 'did not accept the API key'],
		['a server that is down', { status: 503 }, 'unavailable'],
		['too many requests', { status: 429 }, 'too many requests'],
	])('reports %s at once, although a list was read', async (_name, kind, message) => {
		tryOnce();
		context.fault({ path: '/v1/folders', after: 3, times: 1, kind });
		await expect(context.search('searchFolders')).rejects.toThrow(message);
	});

	test('says why when none can be read, and ends when none of the remaining ones can', async () => {
		limits.locatorEntries = 2;
		const { paginationToken } = await context.search('searchFolders');
		expect(paginationToken).toBeDefined();
		context.fault({ path: '/v1/folders', kind: { status: 403, code: 'AUTHORIZATION' } });
		const why = /^The API key is not allowed to access the project /;
		await expect(context.search('searchFolders')).rejects.toThrow(why);
		expect(await context.search('searchFolders', { paginationToken })).toEqual({ results: [] });
	});
});

describe('a locator of 60 projects', () => {
	const context = useService({ data: { projects: 60, foldersPerProject: 2, flows: 1 } });

	test('finds the last folder in its first result, because an empty list cannot be scrolled, although lists before it are refused', async () => {
		context.fault({ path: '/v1/folders', times: 11, kind: { status: 403, shape: 'application' } });
		// After the first list, ten at a time.
		context.fault({ path: '/v1/folders', after: 1, times: 10, kind: { untilInFlight: 10 } });
		const last = context.data.folders.at(-1)!;
		expect(values(await context.search('searchFolders', { filter: last.id }))).toEqual([last.id]);
		expect(context.inFlight.peak).toBe(10);
	});

	test('ends with the record of a pasted ID, so that nothing more is read when the editor scrolls', async () => {
		limits.locatorEntries = 1;
		const first = await context.search('searchFolders');
		expect(first.paginationToken).toBeDefined();
		const [entry] = first.results;
		const filter = String(entry.value);
		expect(await context.search('searchFolders', { filter })).toEqual({ results: [entry] });
	});

	describe('of which some do not respond', () => {
		endSilences(context);

		test('shows what was read when the time is over, and says to choose a project', async () => {
			limits.locatorMaxElapsedMs = 1000;
			context.fault({ path: '/v1/folders', after: 2, times: 1, kind: LATE });
			const { results, paginationToken } = await context.search('searchFolders');
			const rest = 'The rest took too long to load. Choose a project, or enter an ID.';
			expect(results.pop()).toEqual({ name: rest, value: '' });
			const known = sortedIds(context.data.folders);
			expect(results.length).toBeGreaterThan(2);
			expect(known).toEqual(expect.arrayContaining(values({ results })));
			expect(paginationToken).toBeUndefined();
			expect(await requestsWithin(context, 80)).toBe(0);
		});

		test('says that it took too long when nothing was read, and sends nothing more', async () => {
			limits.locatorMaxElapsedMs = 1000;
			context.fault({ path: '/v1/folders', after: 11, kind: LATE });
			const searching = context.search('searchFolders', { filter: 'no such folder' });
			await expect(searching).rejects.toMatchObject({
				message: 'The list of folders took too long to load',
				description: INSTEAD,
			});
			expect(await requestsWithin(context, 80)).toBe(0);
		});
	});
});

describe.each(FIRST_AND_LAST)('the search of release %s', (release) => {
	const context = useService({ release, data: { projects: 3, flows: 30 } });

	const found = async (filter: string) => values(await context.search('searchFlows', { filter }));

	const flowNamed = (displayName: string) => {
		const flow = context.data.flows[17];
		flow.version.displayName = displayName;
		return flow.id;
	};

	test('is left to the service, in any letter case', async () => {
		const id = flowNamed('Überweisung PRÜFEN');
		expect(await found(' überweisung prüfen ')).toEqual([id]);
		expect(await found('Nowhere to be found')).toEqual([]);
		for (const { name } of queriesOf(context, '/v1/flows'))
			expect(name).toMatch(/berweisung|Nowhere/);
		const project = context.data.projects[1];
		const filter = project.displayName.toUpperCase();
		context.clearRequests();
		expect(values(await context.search('searchProjects', { filter }))).toEqual([project.id]);
		expect(queriesOf(context, '/v1/projects')).toMatchObject([{ displayName: filter }]);
	});

	const ODD = ['100% done', 'a_b', 'back\\slash', 'ends in \\', '%', 'nul\u0000', '\ud800x'];
	test('searches for any text unchanged', async () => {
		for (const text of [...ODD, 'x'.repeat(30_000)]) {
			const id = flowNamed(text.length > 100 ? text : `1 ${text.replace('\u0000', '')} 2`);
			const isStored = !text.includes('\u0000');
			expect([text, await found(text)]).toEqual([text, isStored ? [id] : []]);
		}
	});

	// What databases compare in different ways is a wildcard; escapes and lone surrogates cannot be sent.
	test.each([
		['a\\b\u0000\ud800c_%', 'a%b%c_%'],
		['Ωμ 1é日', '%1%'],
		['Two  words', 'Two%words'],
	])('%j is sent as %j', async (text, sent) => {
		await found(text);
		expect(new Set(queriesOf(context, '/v1/flows').map(({ name }) => name))).toEqual(
			new Set([sent]),
		);
	});

	test('finds a flow by its ID, by its status, and by its project’s name', async () => {
		const { flows, projects } = context.data;
		const [flow] = flows;
		const { displayName } = projects.find(({ id }) => id === flow.projectId)!;
		const idsOf = (key: 'projectId' | 'status', value: string) =>
			flows.filter((each) => each[key] === value).map(({ id }) => id);
		expect(await found(flow.id.toLowerCase())).toEqual([flow.id]);
		expect((await found(displayName)).sort()).toEqual(idsOf('projectId', flow.projectId).sort());
		expect((await found('disabled')).sort()).toEqual(idsOf('status', 'DISABLED').sort());
		expect(await found(`${flow.version.displayName} (`)).toContain(flow.id);
	});

	test.each([
		['Rechnung prüfen', 'prüf'],
		['RECHNUNG PRÜFEN', 'prüfen'],
		['Rechnung pru\u0308fen', 'Prüfen'],
		['Two  spaces', 'two spaces'],
		['Two spaces', 'two  spaces'],
		['No\u00a0break', 'no break'],
		['Cafe\u0301 menu', 'Café menu'],
		['Café menu', 'cafe\u0301 menu'],
		['ガイド'.normalize('NFD'), 'ガイド'],
		['ТЕСТ ΤΕΣΤ', 'τες'],
		['ΤΕΣΤ', 'ΤΕΣ'],
	])('finds %j by %j', async (displayName, text) => {
		const id = flowNamed(displayName);
		expect(values(await scroll(context, 'searchFlows', text))).toEqual([id]);
	});
});

describe('how much a locator reads', () => {
	const context = useService({
		data: { projects: 8, flows: 80, foldersPerProject: 4, flowRuns: 10, steps: 1 },
	});
	const limitsAsked = (isCounted: (path: string) => boolean) =>
		new Set(
			context.requests.flatMap(({ path, query }) => (isCounted(path) ? (query.limit ?? []) : [])),
		);

	const METHODS = ['searchFlows', 'searchFolders', 'searchProjects', 'searchInvitations'];
	test.each(METHODS)('%s requests no more records than it shows', async (method) => {
		await context.search(method);
		const isCounted = (path: string) => method === 'searchProjects' || path !== '/v1/projects';
		expect(limitsAsked(isCounted)).toEqual(new Set([String(limits.locatorEntries)]));
	});

	test('runs have pages of their own, those of tables are large, and a text that the service does not search is looked for on large pages', async () => {
		await context.search('searchFlowRuns');
		const [{ limit }] = queriesOf(context, '/v1/flow-runs');
		expect(limit).toBe(String(limits.locatorRuns));
		await context.search('searchFolders', { filter: 'no such folder' });
		// Pages lose the tables that were created in the same second.
		await context.search('searchTables');
		const asked = limitsAsked((path) => /folders|tables/.test(path));
		expect(asked).toEqual(new Set([String(limits.defaultPageSize)]));
	});

	test('scrolling through what was found by name does not end in reading it all', async () => {
		limits.locatorEntries = 2;
		// They fill one page, so nothing is found after it.
		const { flows } = context.data;
		const named = flows.filter(({ projectId }) => projectId === flows[0].projectId).slice(0, 2);
		for (const flow of named) flow.version.displayName = 'ReportOnTheSalesOf2026';
		const found = values(await scroll(context, 'searchFlows', 'reportOnTheSalesOf2026'));
		expect(found.sort()).toEqual(named.map(({ id }) => id).sort());
		for (const { name } of queriesOf(context, '/v1/flows')) expect(name).toBeDefined();
	});
});

describe('the position of a locator', () => {
	const context = useService({ data: { projects: 6, foldersPerProject: 4 } });
	beforeEach(() => {
		limits.locatorEntries = 4;
	});

	test('holds when a project appears and another goes', async () => {
		const scrolled = async (meanwhile?: () => unknown) =>
			values(await scroll(context, 'searchFolders', undefined, meanwhile));
		const { folders, projects } = context.data;
		const all = await scrolled();
		expect(new Set(all).size).toBe(folders.length);
		const { projectId } = folders.find(({ id }) => id === all[0])!;
		const first = projects.find(({ id }) => id === projectId)!;
		const added = { ...first, id: 'NewProjectAaaaaaaaaaa', displayName: 'AAA' };
		expect(await scrolled(() => projects.push(added))).toEqual(all);
		projects.splice(projects.indexOf(added), 1);
		const before = projects.indexOf(first);
		expect(await scrolled(() => projects.splice(before, 1))).toEqual(all);
		projects.splice(before, 0, first);
	});

	test('is the end at a project that has disappeared, also with the cursor of another list', async () => {
		limits.locatorEntries = 2;
		const { paginationToken } = await context.search('searchProjects');
		const [{ cursor }] = JSON.parse(String(paginationToken)) as Array<{ cursor?: string }>;
		expect(cursor).toBeDefined();
		for (const position of [{ list: 'gone' }, { list: 'gone', cursor }, { list: '__proto__' }]) {
			const token = JSON.stringify([position]);
			for (const method of ['searchFolders', 'searchProjects']) {
				expect(await context.search(method, { paginationToken: token })).toEqual({ results: [] });
			}
		}
	});
});

describe('entries of a server with invalid data', () => {
	const context = useService();
	const entries = async (data: unknown[], filter?: string) => {
		context.fault({ path: '/v1/projects', kind: { body: { data, next: null } } });
		return (await context.search('searchProjects', { filter })).results;
	};

	test('are one short line each, and are found by their text', async () => {
		const project = { id: 'a', displayName: `${'line\n\u202e'.repeat(50_000)}END` };
		const [{ name }] = await entries([project]);
		expect(name.length).toBeLessThanOrEqual(200);
		expect(name).toMatch(/^line line /);
		expect(name).not.toMatch(/[\n\u202e]/);
		expect(await entries([project], 'line')).toHaveLength(1);
	});

	test('have IDs that are whole numbers, and none that cannot be used', async () => {
		const ids = [7, '', null, true, {}, 1.5, 'x'.repeat(5_000), 'b'];
		const given = await entries(ids.map((id) => ({ id })));
		expect(given.map(({ value }) => value)).toEqual(['7', 'b']);
	});
});
