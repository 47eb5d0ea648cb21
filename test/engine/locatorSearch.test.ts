import { sleep } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { limits, tryOnce } from './harness/built';
import { useHostileServers } from './harness/hostile';
import { jsonOf } from './harness/hostileServer';
import { queriesOf, scroll, values } from './harness/locators';
import {
	FIRST_AND_LAST,
	holdUntilInFlight,
	requestPaths,
	requestsWithin,
	type TestContext,
	useService,
} from './harness/service';

restoreLimits(limits);

const folderQueries = (context: TestContext) => queriesOf(context, '/v1/folders');
const flowQueries = (context: TestContext) => queriesOf(context, '/v1/flows');
const LATE = { delay: 60_000 };

describe('a list of three projects', () => {
	const context = useService({ data: { projects: 3, foldersPerProject: 3, flows: 9 } });

	test('costs one request for the projects and one for each of them', async () => {
		await context.search('searchFolders');
		const { projects } = context.data;
		expect(requestPaths(context)).toEqual([
			'GET /v1/projects',
			...projects.map(() => 'GET /v1/folders'),
		]);
	});

	test.each([
		['402', { status: 402, shape: 'application' as const }],
		['404', { status: 404, shape: 'application' as const }],
		['500', { status: 500 }],
		['malformed JSON', { truncated: true as const }],
		['no list', { body: { data: {} } }],
		['a cut connection', { reset: 'beforeHeaders' as const }],
		['a time-out', LATE],
	])('shows the others when one fails: %s', async (_name, kind) => {
		const { folders } = context.data;
		tryOnce();
		if (kind === LATE) limits.locatorRequestTimeoutMs = 300;
		context.fault({ path: '/v1/folders', after: 2, times: 1, kind });
		const all = values(await context.search('searchFolders'));
		const hidden = folderQueries(context)[2].projectId;
		const shown = folders.filter(({ projectId }) => projectId !== hidden);
		expect(all).toEqual(shown.map((folder) => folder.id));
		expect(all).toHaveLength(6);
	});

	test.each([
		['a wrong key', { status: 401 }, 'did not accept the API key'],
		['a server that is down', { status: 503 }, 'unavailable'],
		['too many requests', { status: 429 }, 'too many requests'],
	])('%s is reported at once, although a list was read', async (_name, kind, message) => {
		tryOnce();
		context.fault({ path: '/v1/folders', after: 3, times: 1, kind });
		await expect(context.search('searchFolders')).rejects.toThrow(message);
	});

	test('says why when none can be read', async () => {
		context.fault({ path: '/v1/folders', kind: { status: 403, code: 'AUTHORIZATION' } });
		const why = /^The API key is not allowed to access the project /;
		await expect(context.search('searchFolders')).rejects.toThrow(why);
	});

	test('ends when none of the remaining ones can be read', async () => {
		limits.locatorEntries = 3;
		const { paginationToken } = await context.search('searchFolders');
		expect(paginationToken).toBeDefined();
		context.fault({ path: '/v1/folders', kind: { status: 403, code: 'AUTHORIZATION' } });
		expect(await context.search('searchFolders', { paginationToken })).toEqual({ results: [] });
	});
});

// Some of these tests have a service of their own: lists that were read ahead may still be requested when
// a search has ended.

describe('many lists that fail', () => {
	const context = useService({ data: { projects: 60, foldersPerProject: 1 } });

	test('are not all requested before the reason is reported', async () => {
		context.fault({ path: '/v1/folders', kind: { status: 500 } });
		await expect(context.search('searchFolders')).rejects.toThrow('HTTP 500');
		expect(folderQueries(context).length).toBeLessThan(50);
	});
});

describe('a search among many projects', () => {
	const context = useService({ data: { projects: 60, foldersPerProject: 2, flows: 1 } });

	test('finds the last folder in its first result, because an empty list cannot be scrolled', async () => {
		holdUntilInFlight(context, 10, '/v1/folders');
		const last = context.data.folders.at(-1)!;
		const { results } = await context.search('searchFolders', { filter: last.id });
		expect(values({ results })).toEqual([last.id]);
		// Projects are read ahead, ten at a time.
		expect(context.inFlight.peak).toBe(10);
	});

	test('gives up after a while, and sends nothing more', async () => {
		limits.locatorMaxElapsedMs = 150;
		context.fault({ path: '/v1/folders', kind: { delay: 60 } });
		await expect(context.search('searchFolders', { filter: 'no such folder' })).rejects.toThrow(
			'The list of folders took too long to load',
		);
		// Requests in flight still arrive.
		await sleep(80);
		expect(await requestsWithin(context, 80)).toBe(0);
	});

	test('continues while the editor could not scroll the entries', async () => {
		limits.locatorFirstEntriesMs = 0;
		const shared = context.data.folders.filter((_folder, index) => index % 40 === 0);
		for (const folder of shared) folder.displayName = 'Found it';
		const page = await context.search('searchFolders', { filter: 'found it' });
		expect(values(page)).toEqual(shared.map(({ id }) => id));
		expect(page.paginationToken).toBeUndefined();
	});

	test('shows what there is instead of waiting for lists that hang', async () => {
		limits.locatorFirstEntriesMs = 0;
		limits.locatorShortListMs = 0;
		context.fault({ path: '/v1/folders', after: 4, kind: LATE });
		const { results, paginationToken } = await context.search('searchFolders');
		expect(results.length).toBeGreaterThan(0);
		expect(paginationToken).toBeDefined();
	});

	test('says in the list that it continues', () => {
		const [node] = context.engine.loader.types.nodes;
		for (const { modes } of node.properties) {
			const list = modes?.find(({ type }) => type === 'list');
			if (list === undefined) continue;
			expect(list.typeOptions?.slowLoadNotice?.message).toMatch(/By ID/);
			expect(list.typeOptions?.slowLoadNotice?.timeout).toBeLessThanOrEqual(3_000);
		}
	});
});

describe('a server with more projects than it lists quickly', () => {
	const context = useService({ data: { projects: 60, foldersPerProject: 1 } });

	test('shows the folders of the first ones before it has listed all, and the others when scrolled', async () => {
		context.fault({ path: '/v1/projects', after: 1, kind: LATE });
		limits.locatorFirstProjects = 20;
		limits.locatorFirstEntriesMs = 500;
		const first = await context.search('searchFolders');
		expect(first.results.length).toBeGreaterThanOrEqual(limits.locatorFullList);
		const { paginationToken } = first;
		expect(paginationToken).toBeDefined();
		expect(queriesOf(context, '/v1/projects')[0]).toMatchObject({ limit: '20' });

		context.clearFaults();
		limits.locatorFirstEntriesMs = 20_000;
		const all = [...values(first)];
		for (let token = paginationToken; token !== undefined;) {
			const page = await context.search('searchFolders', { paginationToken: token });
			all.push(...values(page));
			token = page.paginationToken;
		}
		expect(all).toHaveLength(context.data.folders.length);
		expect(new Set(all)).toEqual(new Set(context.data.folders.map(({ id }) => id)));
	});

	test('lists its projects within the time after which the editor shows what there is', async () => {
		Object.assign(limits, { locatorFirstProjects: 5, locatorShortListMs: 500 });
		context.fault({ path: '/v1/projects', after: 1, kind: LATE });
		const { results, paginationToken } = await context.search('searchFolders');
		expect(results.length).toBeGreaterThan(0);
		expect(results.length).toBeLessThan(limits.locatorFullList);
		expect(paginationToken).toBeDefined();
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
		for (const { name } of flowQueries(context)) expect(name).toMatch(/berweisung/);
		context.clearRequests();
		const project = context.data.projects[1];
		const filter = project.displayName.toUpperCase();
		expect(values(await context.search('searchProjects', { filter }))).toEqual([project.id]);
		expect(queriesOf(context, '/v1/projects')).toMatchObject([{ displayName: filter }]);
	});

	const ODD = ['100% done', 'a_b', 'back\\slash', 'ends in \\', '%', 'nul\u0000', '\ud800x'];
	test.each([...ODD, 'x'.repeat(30_000)])('searches for %p unchanged', async (text) => {
		const id = flowNamed(text.length > 100 ? text : `1 ${text.replace('\u0000', '')} 2`);
		const isStored = !text.includes('\u0000');
		expect(await found(text)).toEqual(isStored ? [id] : []);
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

	test.each(['Nowhere to be found', 'Report2026'])('requests only names with %s', async (name) => {
		const id = flowNamed('REPORT2026');
		expect(await found(name)).toEqual(name === 'Report2026' ? [id] : []);
		for (const query of flowQueries(context)) expect(query.name).toBeDefined();
	});

	test.each([
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

describe('names in an alphabet with letter cases', () => {
	const context = useService({ data: { projects: 1, flows: 120, steps: 1, foldersPerProject: 0 } });

	test.each([
		['Отчёт', 'абвгдежзик'],
		['Übung', 'äöüïéèêàçñ'],
	])('every flow is found by its whole name: %s', async (word, letters) => {
		const flows = context.data.flows.map((flow, index) => {
			const displayName = `${word} ${[...String(index).padStart(3, '0')].map((digit) => letters[Number(digit)]).join('')}`;
			// Created in the same second, so that the service loses records between two pages.
			const updated = '2026-05-05T05:05:05.555Z';
			return { ...flow, updated, version: { ...flow.version, displayName } };
		});
		context.data.flows = flows;
		for (const { id, version } of flows.filter((_flow, index) => index % 30 === 0)) {
			context.clearRequests();
			const found = await scroll(context, 'searchFlows', version.displayName.toUpperCase());
			expect(values(found)).toContain(id);
			expect(flowQueries(context)).toHaveLength(context.data.projects.length);
		}
	});

	test.each(['é', 'Нигде'])('few names with %s need few requests', async (text) => {
		limits.defaultPageSize = 40;
		await scroll(context, 'searchFlows', text);
		expect(flowQueries(context).length).toBeLessThanOrEqual(6);
	});
});

describe('how much a locator reads', () => {
	const context = useService({
		data: { projects: 8, flows: 80, foldersPerProject: 4, flowRuns: 10, steps: 1 },
	});

	const METHODS = ['searchFlows', 'searchFolders', 'searchProjects', 'searchInvitations'];
	test.each(METHODS)('%s requests no more records than it shows', async (method) => {
		await context.search(method);
		const limitsAsked = context.requests
			.filter(({ path }) => method === 'searchProjects' || path !== '/v1/projects')
			.flatMap(({ query }) => query.limit ?? []);
		expect(new Set(limitsAsked)).toEqual(new Set([String(limits.locatorEntries)]));
	});

	test('runs have pages of their own, and few lists are read ahead', async () => {
		await context.search('searchFlowRuns');
		const [{ limit }] = queriesOf(context, '/v1/flow-runs');
		expect(limit).toBe(String(limits.locatorRuns));
		limits.locatorEntries = 5;
		await context.search('searchFlows');
		expect(flowQueries(context).length).toBeLessThan(8);
	});

	test('a text that the service does not search is looked for on large pages', async () => {
		await context.search('searchFolders', { filter: 'no such folder' });
		const asked = folderQueries(context).map(({ limit }) => limit);
		expect(new Set(asked)).toEqual(new Set([String(limits.defaultPageSize)]));
	});

	test.each([
		['searchFlows', '/v1/flows', 'flows'],
		['searchFolders', '/v1/folders', 'folders'],
	] as const)('a whole ID ends the search when it is found: %s', async (method, path, kind) => {
		const [{ id }] = context.data[kind];
		const { results, paginationToken } = await context.search(method, { filter: id });
		expect(results.map(({ value }) => value)).toEqual([id]);
		expect(paginationToken).toBeUndefined();
		// It is not searched for as a name.
		expect(queriesOf(context, path).filter(({ name }) => name !== undefined)).toEqual([]);
	});

	test('scrolling through what was found by name does not end in reading it all', async () => {
		limits.locatorEntries = 2;
		// They fill one page, so nothing is found after it.
		const { flows } = context.data;
		const named = flows.filter(({ projectId }) => projectId === flows[0].projectId).slice(0, 2);
		for (const flow of named) flow.version.displayName = 'Report2026';
		const found = values(await scroll(context, 'searchFlows', 'report2026'));
		expect(found.sort()).toEqual(named.map(({ id }) => id).sort());
		for (const { name } of flowQueries(context)) expect(name).toBeDefined();
	});
});

describe('a list that fills the page', () => {
	const context = useService({ data: { projects: 1, flows: 120, steps: 1 } });

	test('is the only one that is asked as one scrolls', async () => {
		const first = await context.search('searchFlows');
		const { paginationToken } = first;
		expect(paginationToken).toBeDefined();
		context.clearRequests();
		const next = await context.search('searchFlows', { paginationToken });
		expect(next.results.length).toBeLessThanOrEqual(limits.locatorEntries);
		expect(flowQueries(context)).toHaveLength(1);
		expect(values(next)).not.toEqual(values(first));
	});
});

describe('the position of a locator', () => {
	const context = useService({ data: { projects: 6, foldersPerProject: 4 } });
	beforeEach(() => {
		limits.locatorEntries = 4;
	});

	/** The folders found by scrolling, with a change after the first result. */
	const scrolled = async (meanwhile?: () => unknown) =>
		values(await scroll(context, 'searchFolders', undefined, meanwhile));

	test('holds when a project appears and another goes', async () => {
		const all = await scrolled();
		expect(new Set(all).size).toBe(context.data.folders.length);
		const { projectId } = context.data.folders.find(({ id }) => id === all[0])!;
		const first = context.data.projects.find(({ id }) => id === projectId)!;
		const added = { ...first, id: 'NewProjectAaaaaaaaaaa', displayName: 'AAA' };
		expect(await scrolled(() => context.data.projects.push(added))).toEqual(all);
		context.data.projects.splice(context.data.projects.indexOf(added), 1);
		const before = context.data.projects.indexOf(first);
		expect(await scrolled(() => context.data.projects.splice(before, 1))).toEqual(all);
		context.data.projects.splice(before, 0, first);
	});

	const NO_POSITIONS = ['rubbish', '{"source":1}', 'null', '7', '["list"]', '"list"', '', 12];
	test.each([...NO_POSITIONS, '{"list":"","cursor":{}}', '{"list":{}}', { list: 'x' }])(
		'restarts from %j',
		async (token) => {
			const paginationToken = token as string;
			const anew = await context.search('searchFolders');
			expect(await context.search('searchFolders', { paginationToken })).toEqual(anew);
		},
	);

	test.each([
		'{"list":"gone"}',
		'{"list":"gone","cursor":"bmV4dF8="}',
		'{"list":"gone","isRead":true}',
		'{"list":"__proto__"}',
	])('ends at a project that has disappeared: %s', async (paginationToken) => {
		expect(await context.search('searchFolders', { paginationToken })).toEqual({ results: [] });
	});

	test('continues after a list that has been read', async () => {
		limits.locatorEntries = 100;
		const { folders } = context.data;
		const all = values(await context.search('searchFolders'));
		const { projectId } = folders.find(({ id }) => id === all[0])!;
		const paginationToken = JSON.stringify({ list: projectId, isRead: true });
		const others = folders.filter((folder) => folder.projectId !== projectId);
		const rest = values(await context.search('searchFolders', { paginationToken }));
		expect(rest.sort()).toEqual(others.map(({ id }) => id).sort());
	});

	test('does not use the cursor of one list for another', async () => {
		limits.locatorEntries = 2;
		const anew = await context.search('searchProjects');
		const position = JSON.parse(String(anew.paginationToken)) as object;
		const paginationToken = JSON.stringify({ ...position, list: 'gone' });
		const end = { results: [] };
		expect(await context.search('searchProjects', { paginationToken })).toEqual(end);
	});

	test('a cursor that leads to itself ends its list', async () => {
		limits.locatorEntries = 1;
		context.fault({ path: '/v1/projects', kind: { next: 'again' } });
		const { paginationToken } = await context.search('searchProjects');
		const second = await context.search('searchProjects', { paginationToken });
		expect(second.paginationToken).toBeUndefined();
	});
});

describe('entries of a server with invalid data', () => {
	const hostile = useHostileServers();
	const entries = async (projects: unknown[], filter?: string) => {
		await hostile.start(jsonOf({ data: projects, next: null }));
		const { engine, credential } = hostile;
		return (await engine.search('searchProjects', { credential, filter })).results;
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
