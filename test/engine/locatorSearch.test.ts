import type { INodeListSearchResult } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { RELEASES, type TestContext, useService } from './harness/service';

restoreLimits(limits);

const search = async (
	{ engine, credential }: TestContext,
	method: string,
	options: { filter?: string; paginationToken?: unknown } = {},
) => {
	const { filter, paginationToken } = options;
	const token = paginationToken as string | undefined;
	return await engine.search(method, { credential, filter, paginationToken: token });
};

const values = ({ results }: INodeListSearchResult) => results.map(({ value }) => value);

/** What was asked of one list. */
const queriesOf = ({ service }: TestContext, path: string) =>
	service.requests.filter((request) => request.path === path).map(({ query }) => query);

describe('a list among several that fails', () => {
	const context = useService({ data: { projects: 3, foldersPerProject: 3, flows: 9 } });
	const LATE = { delay: 60_000 };

	test.each([
		['500', { status: 500 }],
		['504', { status: 504 }],
		['malformed JSON', { truncated: true as const }],
		['no list', { body: { data: {} } }],
		['a cut connection', { reset: 'beforeHeaders' as const }],
		['a time-out', LATE],
	])('does not hide the others: %s', async (_name, kind) => {
		const { service } = context;
		const { folders } = service.data;
		limits.locatorRequestTimeoutMs = kind === LATE ? 1_500 : limits.locatorRequestTimeoutMs;
		limits.listSearch = { maxAttempts: 1, maxElapsedMs: 0 };
		const [{ id }] = service.data.projects;
		service.fault({ path: '/v1/folders', after: 2, times: 1, kind });
		const all = values(await search(context, 'searchFolders'));
		const asked = queriesOf(context, '/v1/folders').map(({ projectId }) => projectId);
		const hidden = asked[2];
		expect(asked).toContain(id);
		expect(all).toEqual(
			folders.filter(({ projectId }) => projectId !== hidden).map((folder) => folder.id),
		);
		expect(all).toHaveLength(6);
	});

	test.each([
		['a wrong key', { status: 401 }, 'did not accept the API key'],
		['a server that is down', { status: 503 }, 'not available'],
		['too many requests', { status: 429 }, 'too many requests'],
	])('%s is told at once, though a list was read', async (_name, kind, message) => {
		const { service } = context;
		limits.listSearch = { maxAttempts: 1, maxElapsedMs: 0 };
		service.fault({ path: '/v1/folders', after: 3, times: 1, kind });
		await expect(search(context, 'searchFolders')).rejects.toThrow(message);
	});

	test('the end of a list is shown although all that is left cannot be read', async () => {
		limits.locatorEntries = 3;
		const first = await search(context, 'searchFolders');
		expect(first.paginationToken).toBeDefined();
		context.service.fault({ path: '/v1/folders', kind: { status: 403, code: 'AUTHORIZATION' } });
		const { paginationToken } = first;
		expect(await search(context, 'searchFolders', { paginationToken })).toEqual({ results: [] });
	});
});

describe('many lists that fail', () => {
	const context = useService({ data: { projects: 100, foldersPerProject: 1 } });

	test('are not all asked before the reason is told', async () => {
		context.service.fault({ path: '/v1/folders', kind: { status: 500 } });
		await expect(search(context, 'searchFolders')).rejects.toThrow('HTTP 500');
		expect(queriesOf(context, '/v1/folders').length).toBeLessThan(50);
	});
});

describe('a list that hangs', () => {
	const context = useService({ data: { projects: 100, foldersPerProject: 1 } });

	test('is not waited for when there is something to show', async () => {
		const { service } = context;
		limits.locatorFirstEntriesMs = 0;
		limits.locatorShortListMs = 0;
		service.fault({ path: '/v1/folders', after: 4, kind: { delay: 60_000 } });
		const { results, paginationToken } = await search(context, 'searchFolders');
		expect(results.length).toBeGreaterThan(0);
		expect(paginationToken).toBeDefined();
	});
});

describe.each(RELEASES)('the search of release %s', (release) => {
	const context = useService({ release, data: { projects: 3, flows: 30 } });

	const flowNamed = (displayName: string) => {
		const flow = context.service.data.flows[17];
		flow.version.displayName = displayName;
		return flow;
	};

	test('of flows is left to the service, in any letter case', async () => {
		const { id } = flowNamed('Überweisung PRÜFEN');
		expect(
			values(await search(context, 'searchFlows', { filter: ' überweisung prüfen ' })),
		).toEqual([id]);
		for (const { name } of queriesOf(context, '/v1/flows')) expect(name).toMatch(/berweisung/);
	});

	test('of projects is left to the service', async () => {
		const { displayName, id } = context.service.data.projects[1];
		const filter = displayName.toUpperCase();
		expect(values(await search(context, 'searchProjects', { filter }))).toEqual([id]);
		expect(queriesOf(context, '/v1/projects')).toEqual([
			expect.objectContaining({ displayName: filter }),
		]);
	});

	test.each(['100% done', 'a_b', 'back\\slash', 'ends in \\', '%', '_', 'nul\u0000', '\ud800x'])(
		'takes %j as it is',
		async (text) => {
			const { id } = flowNamed(`1 ${text.replace('\u0000', '')} 2`);
			const found = await search(context, 'searchFlows', { filter: text });
			const isStored = !text.includes('\u0000');
			expect(values(found)).toEqual(isStored ? [id] : []);
		},
	);

	test('finds a flow by its ID, by its status, and by its project’s name', async () => {
		const { flows, projects } = context.service.data;
		const [flow] = flows;
		const sorted = (ids: unknown[]) => [...ids].sort();
		const ids = async (filter: string) =>
			sorted(values(await search(context, 'searchFlows', { filter })));
		expect(await ids(flow.id.toLowerCase())).toEqual([flow.id]);
		expect(await ids(flow.id.slice(3, 15))).toEqual([flow.id]);
		const project = projects.find(({ id }) => id === flow.projectId)!;
		const ofProject = flows.filter(({ projectId }) => projectId === project.id);
		expect(await ids(project.displayName)).toEqual(sorted(ofProject.map(({ id }) => id)));
		const disabled = flows.filter(({ status }) => status === 'DISABLED');
		expect(await ids('disabled')).toEqual(sorted(disabled.map(({ id }) => id)));
		const label = `${flow.version.displayName} (${project.displayName}`;
		expect(await ids(label)).toContain(flow.id);
	});

	test('a word that is in no name is asked for once', async () => {
		const word = await search(context, 'searchFlows', { filter: 'Nowhere to be found' });
		expect(word).toEqual({ results: [] });
		const asked = queriesOf(context, '/v1/flows');
		expect(asked.every(({ name }) => name !== undefined)).toBe(true);
	});

	test('what is found by name is not read again as a whole', async () => {
		const { id } = flowNamed('Report2026');
		expect(values(await search(context, 'searchFlows', { filter: 'report2026' }))).toEqual([id]);
		const asked = queriesOf(context, '/v1/flows');
		expect(asked.every(({ name }) => name !== undefined)).toBe(true);
	});

	test('a text too long for an address is looked for all the same', async () => {
		const text = 'x'.repeat(30_000);
		const { id } = flowNamed(text);
		expect(values(await search(context, 'searchFlows', { filter: text }))).toEqual([id]);
	});
});

describe.each(RELEASES)('the search of release %s for a whole ID', (release) => {
	// Alone with its service: lists that were read ahead may still be asked for when it has ended.
	const context = useService({ release, data: { projects: 3, flows: 30 } });

	test('a whole ID is not asked for as a name', async () => {
		const [{ id }] = context.service.data.flows;
		expect(values(await search(context, 'searchFlows', { filter: id }))).toEqual([id]);
		expect(queriesOf(context, '/v1/flows').some(({ name }) => name !== undefined)).toBe(false);
	});
});

describe('how much a locator reads', () => {
	const context = useService({ data: { projects: 12, flows: 800, flowRuns: 10, steps: 1 } });

	test.each(['searchFlows', 'searchFolders', 'searchProjects', 'searchInvitations'])(
		'%s asks for no more rows than it shows',
		async (method) => {
			await search(context, method);
			const asked = context.service.requests.filter(({ path, query }) => {
				return (
					query.limit !== undefined && (method === 'searchProjects' || path !== '/v1/projects')
				);
			});
			expect(new Set(asked.map(({ query }) => query.limit))).toEqual(
				new Set([String(limits.locatorEntries)]),
			);
		},
	);

	test('runs have pages of their own', async () => {
		await search(context, 'searchFlowRuns');
		const [{ limit }] = queriesOf(context, '/v1/flow-runs');
		expect(limit).toBe(String(limits.locatorRuns));
	});

	test('a text that the service does not search is looked for on large pages', async () => {
		await search(context, 'searchFolders', { filter: 'no such folder' });
		const asked = queriesOf(context, '/v1/folders').map(({ limit }) => limit);
		expect(new Set(asked)).toEqual(new Set([String(limits.defaultPageSize)]));
	});
});

describe('a list that fills the page', () => {
	const context = useService({ data: { projects: 1, flows: 450, steps: 1 } });

	test('is the only one that is asked as one scrolls', async () => {
		const { results, paginationToken } = await search(context, 'searchFlows');
		expect(paginationToken).toBeDefined();
		context.service.clearRequests();
		const next = await search(context, 'searchFlows', { paginationToken });
		expect(next.results.length).toBeLessThanOrEqual(limits.locatorEntries);
		expect(queriesOf(context, '/v1/flows')).toHaveLength(1);
		expect(values(next)).not.toEqual(values({ results }));
	});
});

describe('lists that are read ahead', () => {
	const context = useService({ data: { projects: 8, flows: 450, steps: 1 } });

	test('are few at first, since the first ones may do', async () => {
		limits.locatorEntries = 5;
		await search(context, 'searchFlows');
		expect(queriesOf(context, '/v1/flows').length).toBeLessThan(8);
	});
});

describe('scrolling through what was found by name', () => {
	const context = useService({ data: { projects: 8, flows: 450, steps: 1 } });

	test('does not end in reading it all', async () => {
		limits.locatorEntries = 2;
		// They fill one page, so that nothing is found after it.
		const [{ projectId }] = context.service.data.flows;
		const ofProject = context.service.data.flows.filter((flow) => flow.projectId === projectId);
		const named = ofProject.slice(0, 2);
		for (const flow of named) flow.version.displayName = 'Report2026';
		const ids: unknown[] = [];
		let paginationToken: unknown;
		do {
			const page = await search(context, 'searchFlows', { filter: 'report2026', paginationToken });
			ids.push(...values(page));
			({ paginationToken } = page);
		} while (paginationToken !== undefined);
		expect(ids.sort()).toEqual(named.map(({ id }) => id).sort());
		const asked = queriesOf(context, '/v1/flows');
		expect(asked.every(({ name }) => name !== undefined)).toBe(true);
	});
});

describe('the position of a locator', () => {
	const context = useService({ data: { projects: 6, foldersPerProject: 4 } });
	beforeEach(() => {
		limits.locatorEntries = 4;
	});

	/** The folders by scrolling, with something that happens after the first answer. */
	const scroll = async (meanwhile: () => void) => {
		const ids: unknown[] = [];
		let paginationToken: unknown;
		do {
			const page = await search(context, 'searchFolders', { paginationToken });
			ids.push(...values(page));
			if (paginationToken === undefined) meanwhile();
			({ paginationToken } = page);
		} while (paginationToken !== undefined && ids.length < 100);
		return ids;
	};

	test('holds when a project appears and another goes', async () => {
		const { data } = context.service;
		const all = await scroll(() => {});
		expect(new Set(all).size).toBe(data.folders.length);
		const [first] = data.projects.filter(({ id }) => {
			return data.folders.some((folder) => folder.projectId === id && folder.id === all[0]);
		});
		const added = { ...first, id: 'NewProjectAaaaaaaaaaa', displayName: 'AAA' };
		expect(await scroll(() => data.projects.push(added))).toEqual(all);
		data.projects.splice(data.projects.indexOf(added), 1);
		const before = data.projects.indexOf(first);
		expect(await scroll(() => data.projects.splice(before, 1))).toEqual(all);
		data.projects.splice(before, 0, first);
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
	])('starts anew from %s', async (_name, paginationToken) => {
		const anew = await search(context, 'searchFolders');
		expect(await search(context, 'searchFolders', { paginationToken })).toEqual(anew);
	});

	test('goes on at the next project when the one that it names is gone', async () => {
		const { data } = context.service;
		const all = await scroll(() => {});
		const { paginationToken } = await search(context, 'searchFolders');
		const { list } = JSON.parse(String(paginationToken)) as { list: string };
		const gone = data.projects.findIndex(({ id }) => id === list);
		// The first entries are those of another project, and must not come again.
		expect(data.folders.find(({ id }) => id === all[0])?.projectId).not.toBe(list);
		const [project] = data.projects.slice(gone);
		const shown = await scroll(() => data.projects.splice(gone, 1));
		data.projects.splice(gone, 0, project);
		const left = data.folders.filter(({ projectId }) => projectId !== list).map(({ id }) => id);
		expect(shown).toEqual(all.filter((id) => left.includes(String(id))));
	});

	test.each([
		['alone', '{"list":"gone"}'],
		['with a cursor', '{"list":"gone","cursor":"bmV4dF8="}'],
		['with the one after it', '{"list":"gone","following":{"list":"gone too"}}'],
		['with what is no list after it', '{"list":"gone","following":7}'],
		['with the name of what every object has', '{"list":"__proto__"}'],
	])('ends at a project that is gone, as nothing may come twice: %s', async (_name, token) => {
		expect(await search(context, 'searchFolders', { paginationToken: token })).toEqual({
			results: [],
		});
	});

	test('does not take the cursor of a list that is gone for one of another', async () => {
		limits.locatorEntries = 2;
		const anew = await search(context, 'searchProjects');
		const position = JSON.parse(String(anew.paginationToken)) as object;
		const following = { list: 'all' };
		const paginationToken = JSON.stringify({ ...position, list: 'gone', following });
		expect(await search(context, 'searchProjects', { paginationToken })).toEqual(anew);
	});

	test('a cursor that leads to itself ends its list', async () => {
		limits.locatorEntries = 1;
		context.service.fault({ path: '/v1/projects', kind: { next: 'again' } });
		const first = await search(context, 'searchProjects');
		const { paginationToken } = first;
		const second = await search(context, 'searchProjects', { paginationToken });
		expect(second.paginationToken).toBeUndefined();
	});
});

describe('a search that takes long', () => {
	const context = useService({ data: { projects: 40, foldersPerProject: 1 } });

	test('goes on while the editor could not scroll what there is', async () => {
		const { service } = context;
		limits.locatorFirstEntriesMs = 0;
		const shared = service.data.folders.filter((_folder, index) => index % 20 === 0);
		for (const folder of shared) folder.displayName = 'Found it';
		const page = await search(context, 'searchFolders', { filter: 'found it' });
		expect(values(page)).toEqual(shared.map(({ id }) => id));
		expect(page.paginationToken).toBeUndefined();
	});

	test('says in the list that it goes on', () => {
		const [node] = context.engine.loader.types.nodes;
		for (const { modes } of node.properties) {
			const list = modes?.find(({ type }) => type === 'list');
			if (list === undefined) continue;
			expect(list.typeOptions?.slowLoadNotice?.message).toMatch(/By ID/);
			expect(list.typeOptions?.slowLoadNotice?.timeout).toBeLessThanOrEqual(3_000);
		}
	});
});
