import { restoreLimits } from '../restoreLimits';
import { limits, tryOnce } from './harness/built';
import { useHostileServers } from './harness/hostile';
import { jsonOf } from './harness/hostileServer';
import { queriesOf, scroll, values } from './harness/locators';
import { FIRST_AND_LAST, type TestContext, useService } from './harness/service';

restoreLimits(limits);

describe('one list of several that fails', () => {
	const context = useService({ data: { projects: 3, foldersPerProject: 3, flows: 9 } });
	const LATE = { delay: 60_000 };

	test.each([
		['402', { status: 402, shape: 'application' as const }],
		['403', { status: 403, shape: 'application' as const }],
		['404', { status: 404, shape: 'application' as const }],
		['409', { status: 409, shape: 'application' as const }],
		['500', { status: 500 }],
		['504', { status: 504 }],
		['malformed JSON', { truncated: true as const }],
		['no list', { body: { data: {} } }],
		['a cut connection', { reset: 'beforeHeaders' as const }],
		['a time-out', LATE],
	])('does not hide the others: %s', async (_name, kind) => {
		const { folders } = context.data;
		tryOnce();
		if (kind === LATE) limits.locatorRequestTimeoutMs = 800;
		const [{ id }] = context.data.projects;
		context.fault({ path: '/v1/folders', after: 2, times: 1, kind });
		const all = values(await context.search('searchFolders'));
		const asked = queriesOf(context, '/v1/folders').map(({ projectId }) => projectId);
		const hidden = asked[2];
		expect(asked).toContain(id);
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

	test('the end of a list is shown although none of the remaining lists can be read', async () => {
		limits.locatorEntries = 3;
		const { paginationToken } = await context.search('searchFolders');
		expect(paginationToken).toBeDefined();
		context.fault({ path: '/v1/folders', kind: { status: 403, code: 'AUTHORIZATION' } });
		expect(await context.search('searchFolders', { paginationToken })).toEqual({ results: [] });
	});
});

// Many of these tests have a service of their own: lists that were read ahead may still be requested when
// a search has ended.

describe('many lists that fail', () => {
	const context = useService({ data: { projects: 60, foldersPerProject: 1 } });

	test('are not all requested before the reason is reported', async () => {
		context.fault({ path: '/v1/folders', kind: { status: 500 } });
		await expect(context.search('searchFolders')).rejects.toThrow('HTTP 500');
		expect(queriesOf(context, '/v1/folders').length).toBeLessThan(50);
	});
});

describe('lists that hang', () => {
	const context = useService({ data: { projects: 60, foldersPerProject: 1 } });

	test('are not awaited when there is something to show', async () => {
		limits.locatorFirstEntriesMs = 0;
		limits.locatorShortListMs = 0;
		context.fault({ path: '/v1/folders', after: 4, kind: { delay: 60_000 } });
		const { results, paginationToken } = await context.search('searchFolders');
		expect(results.length).toBeGreaterThan(0);
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

	test('of flows is left to the service, in any letter case', async () => {
		const id = flowNamed('Überweisung PRÜFEN');
		expect(await found(' überweisung prüfen ')).toEqual([id]);
		for (const { name } of queriesOf(context, '/v1/flows')) expect(name).toMatch(/berweisung/);
	});

	test('of projects is left to the service', async () => {
		const { displayName, id } = context.data.projects[1];
		const filter = displayName.toUpperCase();
		expect(values(await context.search('searchProjects', { filter }))).toEqual([id]);
		expect(queriesOf(context, '/v1/projects')).toMatchObject([{ displayName: filter }]);
	});

	const ODD = ['100% done', 'a_b', 'back\\slash', 'ends in \\', '%', '_', 'nul\u0000', '\ud800x'];
	test.each(ODD)('searches for %j unchanged', async (text) => {
		const id = flowNamed(`1 ${text.replace('\u0000', '')} 2`);
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
		for (const query of queriesOf(context, '/v1/flows')) expect(query.name).toBeDefined();
	});

	test('a text too long for a URL is searched anyway', async () => {
		const text = 'x'.repeat(30_000);
		const id = flowNamed(text);
		expect(await found(text)).toEqual([id]);
	});
});

describe('how much a locator reads', () => {
	const context = useService({ data: { projects: 8, flows: 80, flowRuns: 10, steps: 1 } });

	const METHODS = ['searchFlows', 'searchFolders', 'searchProjects', 'searchInvitations'];
	test.each(METHODS)('%s requests no more records than it shows', async (method) => {
		await context.search(method);
		const limitsAsked = context.requests
			.filter(({ path }) => method === 'searchProjects' || path !== '/v1/projects')
			.flatMap(({ query }) => query.limit ?? []);
		expect(new Set(limitsAsked)).toEqual(new Set([String(limits.locatorEntries)]));
	});

	test('runs have pages of their own', async () => {
		await context.search('searchFlowRuns');
		const [{ limit }] = queriesOf(context, '/v1/flow-runs');
		expect(limit).toBe(String(limits.locatorRuns));
	});

	test('a text that the service does not search is looked for on large pages', async () => {
		await context.search('searchFolders', { filter: 'no such folder' });
		const asked = queriesOf(context, '/v1/folders').map(({ limit }) => limit);
		expect(new Set(asked)).toEqual(new Set([String(limits.defaultPageSize)]));
	});

	test('few lists are read ahead at first, since the first ones may do', async () => {
		limits.locatorEntries = 5;
		await context.search('searchFlows');
		expect(queriesOf(context, '/v1/flows').length).toBeLessThan(8);
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
		expect(queriesOf(context, '/v1/flows')).toHaveLength(1);
		expect(values(next)).not.toEqual(values(first));
	});
});

describe('scrolling through what was found by name', () => {
	const context = useService({ data: { projects: 8, flows: 80, steps: 1 } });

	test('does not end in reading it all', async () => {
		limits.locatorEntries = 2;
		// They fill one page, so nothing is found after it.
		const { flows } = context.data;
		const named = flows.filter(({ projectId }) => projectId === flows[0].projectId).slice(0, 2);
		for (const flow of named) flow.version.displayName = 'Report2026';
		const found = values(await scroll(context, 'searchFlows', 'report2026'));
		expect(found.sort()).toEqual(named.map(({ id }) => id).sort());
		for (const { name } of queriesOf(context, '/v1/flows')) expect(name).toBeDefined();
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

	test.each([
		['rubbish', 'rubbish'],
		['an index of old', '{"source":1}'],
		['null', 'null'],
		['a number', '7'],
		['a list', '["list"]'],
		['text', '"list"'],
		['a cursor that is none', '{"list":"","cursor":{}}'],
		['a list that is none', '{"list":{}}'],
		['no text', 12],
		['an object', { list: 'x' }],
		['an empty text', ''],
	])('restarts from %s', async (_name, token) => {
		const paginationToken = token as string;
		const anew = await context.search('searchFolders');
		expect(await context.search('searchFolders', { paginationToken })).toEqual(anew);
	});

	test.each([
		['alone', '{"list":"gone"}'],
		['with a cursor', '{"list":"gone","cursor":"bmV4dF8="}'],
		['at its end', '{"list":"gone","isRead":true}'],
		['with the name of what every object has', '{"list":"__proto__"}'],
	])('ends at a project that has disappeared: %s', async (_n, paginationToken) => {
		expect(await context.search('searchFolders', { paginationToken })).toEqual({ results: [] });
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

describe('a server with more projects than it lists quickly', () => {
	const context = useService({ data: { projects: 60, foldersPerProject: 1 } });

	test('shows the folders of the first ones before it has listed all, and the others when scrolled', async () => {
		context.fault({ path: '/v1/projects', after: 1, kind: { delay: 60_000 } });
		limits.locatorFirstProjects = 20;
		limits.locatorFirstEntriesMs = 500;
		const first = await context.search('searchFolders');
		expect(first.results.length).toBeGreaterThanOrEqual(limits.locatorFullList);
		const { paginationToken } = first;
		expect(paginationToken).toBeDefined();
		expect(queriesOf(context, '/v1/projects').map(({ limit }) => limit)).toEqual(['20', '1000']);

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
		Object.assign(limits, { locatorFirstProjects: 5, locatorShortListMs: 1_000 });
		context.fault({ path: '/v1/projects', after: 1, kind: { delay: 60_000 } });
		const { results, paginationToken } = await context.search('searchFolders');
		expect(results.length).toBeGreaterThan(0);
		expect(results.length).toBeLessThan(limits.locatorFullList);
		expect(paginationToken).toBeDefined();
	});
});

describe('a search that takes long', () => {
	const context = useService({ data: { projects: 40, foldersPerProject: 1 } });

	test('continues while the editor could not scroll the entries', async () => {
		limits.locatorFirstEntriesMs = 0;
		const shared = context.data.folders.filter((_folder, index) => index % 20 === 0);
		for (const folder of shared) folder.displayName = 'Found it';
		const page = await context.search('searchFolders', { filter: 'found it' });
		expect(values(page)).toEqual(shared.map(({ id }) => id));
		expect(page.paginationToken).toBeUndefined();
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

describe('text', () => {
	restoreLimits(limits);

	const flowsFound = async (context: TestContext, filter: string) =>
		values(await scroll(context, 'searchFlows', filter));

	describe('names in an alphabet with letter cases', () => {
		const context = useService({
			data: { projects: 1, flows: 120, steps: 1, foldersPerProject: 0 },
		});

		test.each([
			['Report', 'abcdefghij'],
			['Отчёт', 'абвгдежзик'],
			['Αναφορά', 'αβγδεζηθικ'],
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
				expect(await flowsFound(context, version.displayName.toUpperCase())).toContain(id);
				expect(queriesOf(context, '/v1/flows')).toHaveLength(context.data.projects.length);
			}
		});

		test.each(['é', 'Нигде'])(
			'a text that few names contain needs few requests: %s',
			async (text) => {
				limits.defaultPageSize = 40;
				await flowsFound(context, text);
				expect(queriesOf(context, '/v1/flows').length).toBeLessThanOrEqual(6);
			},
		);
	});

	describe('a text with another spelling than the name', () => {
		const context = useService({ data: { projects: 2, flows: 30, steps: 1 } });

		test.each([
			['Two  spaces', 'Two spaces'],
			['Two spaces', 'two  spaces'],
			['No\u00a0break', 'no break'],
			['Cafe\u0301 menu', 'Café menu'],
			['Café menu', 'cafe\u0301 menu'],
			['Отче\u0308т', 'отчёт'],
			['ガイド'.normalize('NFD'), 'ガイド'],
			['ТЕСТ ΤΕΣΤ', 'τες'],
			['ΤΕΣΤ', 'ΤΕΣ'],
		])('%j is found by %j', async (displayName, text) => {
			const flow = context.data.flows[17];
			flow.version.displayName = displayName;
			expect(await flowsFound(context, text)).toEqual([flow.id]);
		});
	});

	describe('a whole ID', () => {
		const context = useService({
			data: { projects: 60, flows: 120, steps: 1, foldersPerProject: 1 },
		});

		test.each([
			['searchFlows', '/v1/flows', 'flows'],
			['searchFolders', '/v1/folders', 'folders'],
		] as const)('ends the search when it is found: %s', async (method, path, kind) => {
			const [{ id }] = context.data[kind];
			const { results, paginationToken } = await context.search(method, { filter: id });
			expect(results.map(({ value }) => value)).toEqual([id]);
			expect(paginationToken).toBeUndefined();
			expect(queriesOf(context, path).length).toBeLessThan(40);
			// It is not searched for as a name.
			expect(queriesOf(context, path).filter(({ name }) => name !== undefined)).toEqual([]);
		});
	});

	describe('entries of a server with invalid data', () => {
		const hostile = useHostileServers();
		const start = async (projects: unknown[]) =>
			await hostile.start(jsonOf({ data: projects, next: null }));
		const entries = async (filter?: string) => {
			const { engine, credential } = hostile;
			return (await engine.search('searchProjects', { credential, filter })).results;
		};

		test('are one short line each, and are found by their text', async () => {
			const displayName = `${'line\n\u202e'.repeat(50_000)}END`;
			await start([{ id: 'a', displayName }]);
			const [{ name }] = await entries();
			expect(name.length).toBeLessThanOrEqual(200);
			expect(name).toMatch(/^line line /);
			expect(name).not.toMatch(/[\n\u202e]/);
			expect(await entries('line')).toHaveLength(1);
		});

		test('have IDs that are whole numbers, and none that cannot be used', async () => {
			const ids = [7, '', null, true, {}, 1.5, 'x'.repeat(5_000), 'b'];
			await start(ids.map((id) => ({ id })));
			expect((await entries()).map(({ value }) => value)).toEqual(['7', 'b']);
		});
	});
});
