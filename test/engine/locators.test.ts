import { type INodeListSearchResult, sleep } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { startWord } from '../startWord';
import { limits } from './harness/built';
import { ROUTE_MISSING } from './harness/routeMissing';
import { stepsOf } from './harness/runFlow';
import {
	requestPaths,
	requestsWithin,
	requestUrls,
	RELEASES,
	type TestContext,
	useService,
} from './harness/service';

restoreLimits(limits);

const METHODS = [
	'searchFlows',
	'searchFlowRuns',
	'searchFolders',
	'searchInvitations',
	'searchProjects',
	'searchTemplates',
];

/** Scrolls to the end, as the editor does. */
async function scroll(context: TestContext, method: string, filter?: string) {
	const pages: INodeListSearchResult[] = [];
	let paginationToken: string | undefined;
	do {
		const page = await context.search(method, { filter, paginationToken });
		pages.push(page);
		paginationToken = page.paginationToken as string | undefined;
	} while (paginationToken !== undefined && pages.length < 50);
	return { pages, results: pages.flatMap(({ results }) => results) };
}

describe.each(RELEASES)('locators on release %s', (release) => {
	const context = useService({
		release,
		data: {
			projects: 4,
			foldersPerProject: 60,
			templates: 12,
			invitations: 260,
			flows: 10,
			flowRuns: 40,
		},
	});

	test('projects are listed with their name', async () => {
		const { results } = await scroll(context, 'searchProjects');
		expect(results.map(({ name, value }) => `${name} ${value}`).sort()).toEqual(
			context.service.data.projects.map(({ displayName, id }) => `${displayName} ${id}`).sort(),
		);
	});

	test('folders of all projects are listed with their project’s name, page by page', async () => {
		const { pages, results } = await scroll(context, 'searchFolders');
		const { folders, projects } = context.service.data;
		expect(pages.length).toBeGreaterThan(1);
		const label = (folder: (typeof folders)[number]) =>
			`${folder.displayName} (${projects.find(({ id }) => id === folder.projectId)?.displayName})`;
		expect(new Map(results.map(({ name, value }) => [value, name]))).toEqual(
			new Map(folders.map((folder) => [folder.id, label(folder)])),
		);
		expect(results).toHaveLength(folders.length);
	});

	test('invitations are listed without the names of projects that cannot be read', async () => {
		const { service } = context;
		service.fault({ path: '/v1/projects', kind: { status: 500 } });
		const { results } = await scroll(context, 'searchInvitations');
		expect(results).toHaveLength(service.data.invitations.length);
		const invitation = service.data.invitations.find(({ projectId }) => projectId !== null)!;
		const listed = results.find(({ value }) => value === invitation.id);
		expect(listed?.name).toContain(`project ${invitation.projectId}`);
	});

	test('flows of all projects are listed with their project’s name, their status and what starts them', async () => {
		const { live } = context.service;
		for (const kind of ['webhook', 'schedule', 'manual-trigger', 'subflows', 'gmail']) {
			live.addFlow({ name: `By ${kind}`, steps: stepsOf(kind) });
		}
		live.addFlow({ name: 'By nothing', trigger: 'empty' });
		const { results } = await scroll(context, 'searchFlows');
		const { flows, projects } = context.service.data;
		const words = new Set(flows.map(({ version }) => startWord(version.trigger)));
		expect(words.size).toBe(6);
		const label = (flow: (typeof flows)[number]) =>
			`${flow.version.displayName} (${projects.find(({ id }) => id === flow.projectId)?.displayName}, ${flow.status.toLowerCase()}, ${startWord(flow.version.trigger)})`;
		expect(new Map(results.map(({ name, value }) => [value, name]))).toEqual(
			new Map(flows.map((flow) => [flow.id, label(flow)])),
		);
		const last = flows[flows.length - 1];
		const found = await scroll(context, 'searchFlows', last.version.displayName.toUpperCase());
		expect(found.results.map(({ value }) => value)).toContain(last.id);
		const byStart = await scroll(context, 'searchFlows', 'disabled, subflow');
		expect(byStart.results.map(({ name }) => name)).toEqual([
			expect.stringMatching(/^By subflows \(.+, disabled, subflow\)$/),
		]);
	});

	test('templates are listed with name and type', async () => {
		const { results } = await scroll(context, 'searchTemplates');
		expect(results.length).toBeGreaterThan(0);
		for (const { name, value } of results) {
			const template = context.service.data.templates.find(({ id }) => id === value);
			expect(name).toBe(`${template?.name} (${template?.type.toLowerCase()})`);
		}
	});

	test('invitations of the platform and of all projects are listed with type and status', async () => {
		const { pages, results } = await scroll(context, 'searchInvitations');
		const { invitations, projects } = context.service.data;
		expect(pages.length).toBeGreaterThan(1);
		expect(results.map(({ value }) => value).sort()).toEqual(
			invitations.map(({ id }) => id).sort(),
		);
		for (const { name, value } of results) {
			const invitation = invitations.find(({ id }) => id === value);
			const project = projects.find(({ id }) => id === invitation?.projectId);
			expect(name).toBe(
				`${invitation?.email} (${project ? `project ${project.displayName}` : 'platform'}, ${invitation?.status.toLowerCase()})`,
			);
		}
	});

	test('the search finds a part of the text in any letter case, on pages far down as well', async () => {
		const { invitations } = context.service.data;
		const last = invitations[invitations.length - 1];
		const { results } = await scroll(context, 'searchInvitations', last.email.toUpperCase());
		expect(results.map(({ value }) => value)).toContain(last.id);
		expect(results.every(({ name }) => name.includes(last.email))).toBe(true);
	});

	test('an id that is pasted into the search finds its record', async () => {
		const { id } = context.service.data.folders[100];
		const { results } = await scroll(context, 'searchFolders', id);
		expect(results.map(({ value }) => value)).toEqual([id]);
	});

	test('a search without a match ends with an empty list', async () => {
		for (const method of METHODS) {
			const { results } = await scroll(context, method, 'no such thing');
			expect(results).toEqual([]);
		}
	});

	test('a wrong key and a wrong address are said in the list', async () => {
		const { credential, service } = context;
		for (const method of METHODS) {
			await expect(
				context.search(method, { credential: { ...credential, apiKey: 'sk-wrong' } }),
			).rejects.toThrow('Activepieces did not accept the API key');
			await expect(
				context.search(method, { credential: { ...credential, baseUrl: service.origin } }),
			).rejects.toThrow('Base URL leads to a web page');
		}
	});
});

describe('a project without a name', () => {
	const context = useService({ data: { foldersPerProject: 3 } });

	test('is called by its ID', async () => {
		const [project] = context.service.data.projects;
		project.displayName = ' ';
		const { results } = await scroll(context, 'searchFolders');
		expect(results.filter(({ name }) => name.endsWith(`(${project.id})`))).toHaveLength(3);
	});
});

describe('a service without the listing routes', () => {
	const context = useService();
	beforeEach(() => {
		context.service.fault({ path: /projects$|templates$|user-invitations$/, kind: ROUTE_MISSING });
	});

	test.each([
		['searchProjects', 'This Activepieces server has no endpoint GET /v1/projects'],
		[
			'searchFolders',
			'This Activepieces server has no list of projects, so folders cannot be listed',
		],
		['searchFlows', 'This Activepieces server has no list of projects, so flows cannot be listed'],
		[
			'searchFlowRuns',
			'This Activepieces server has no list of projects, so flow runs cannot be listed',
		],
		['searchTemplates', 'This Activepieces server has no endpoint GET /v1/flow-templates'],
		['searchInvitations', 'This Activepieces server has no endpoint GET /v1/user-invitations'],
	])('%s says why its list is empty', async (method, message) => {
		await expect(context.search(method)).rejects.toThrow(message);
	});

	test('By ID works all the same', async () => {
		const { service } = context;
		const [{ id }] = service.data.folders;
		const records = await context.records({
			resource: 'folder',
			operation: 'get',
			folderId: { __rl: true, mode: 'id', value: id },
		});
		expect(records[0].id).toBe(id);
	});
});

describe('what a locator asks for', () => {
	const context = useService({ data: { projects: 2, foldersPerProject: 3 } });

	test('the first page of folders costs one request for the projects and one for each of them', async () => {
		await context.search('searchFolders');
		const { projects } = context.service.data;
		expect(requestPaths(context)).toEqual([
			'GET /v1/projects',
			...projects.map(() => 'GET /v1/folders'),
		]);
	});

	test('goes through the proxy of the node’s Options, as a run does', async () => {
		const { service } = context;
		const parameters = { requestOptions: { proxy: 'http://127.0.0.1:1' } };
		await expect(context.search('searchProjects', { parameters })).rejects.toThrow(
			'The proxy 127.0.0.1:1 does not respond',
		);
		expect(service.requests).toEqual([]);
	});

	test('a repeated cursor does not hold the editor', async () => {
		const { service } = context;
		service.fault({ path: '/v1/projects', kind: { next: 'again' } });
		const { results, paginationToken } = await context.search('searchProjects');
		expect(results).toHaveLength(service.data.projects.length);
		expect(paginationToken).toBeUndefined();
		expect(requestUrls(context).length).toBeLessThan(5);
	});

	test.each([
		['empty pages', (): object[] => []],
		['the same rows', () => [{ id: 'p1', displayName: 'One' }]],
	])(
		'a service that always gives a new cursor, to %s, does not hold the editor',
		async (_n, rows) => {
			const { service } = context;
			service.fault({
				path: '/v1/projects',
				kind: { answers: (_request, n) => ({ data: rows(), next: `cursor-${n}` }) },
			});
			const { paginationToken } = await context.search('searchProjects');
			expect(paginationToken).toBeUndefined();
			expect(requestUrls(context).length).toBeLessThan(30);
		},
	);

	test('a pagination token that is no longer understood starts from the beginning', async () => {
		const { service } = context;
		const { results } = await context.search('searchProjects', { paginationToken: 'rubbish' });
		expect(results).toHaveLength(service.data.projects.length);
	});
});

describe('a search among many projects', () => {
	const context = useService({ data: { projects: 150, foldersPerProject: 2, flows: 1 } });

	test('finds the last folder with the first answer, since an empty list cannot be scrolled', async () => {
		const { service } = context;
		service.fault({ path: '/v1/folders', kind: { delay: 10 } });
		const last = service.data.folders[service.data.folders.length - 1];
		const { results } = await context.search('searchFolders', { filter: last.id });
		expect(results.map(({ value }) => value)).toEqual([last.id]);
		// Projects are read ahead, ten at a time.
		expect(service.inFlight.peak).toBe(10);
	});

	test('gives up after a while, and asks for nothing more', async () => {
		const { service } = context;
		limits.locatorMaxElapsedMs = 300;
		service.fault({ path: '/v1/folders', kind: { delay: 100 } });
		const start = Date.now();
		await expect(context.search('searchFolders', { filter: 'no such folder' })).rejects.toThrow(
			'The list of folders takes too long to load',
		);
		expect(Date.now() - start).toBeLessThan(10_000);
		// What was on its way still arrives.
		await sleep(50);
		expect(await requestsWithin(context, 400)).toBe(0);
	});
});

describe('a list of which a part cannot be read', () => {
	const context = useService({ data: { projects: 2, foldersPerProject: 3 } });

	test.each([402, 403, 404, 409])('shows the other part: %i', async (status) => {
		const { service } = context;
		const { folders } = service.data;
		// Personal projects, which come first, have no folders.
		service.fault({ path: '/v1/folders', after: 3, kind: { status, shape: 'application' } });
		const { results } = await context.search('searchFolders');
		const hidden = service.requests.at(-1)?.query.projectId;
		expect(results.length).toBeLessThan(folders.length);
		expect(results.map(({ value }) => value)).toEqual(
			folders.filter(({ projectId }) => projectId !== hidden).map(({ id }) => id),
		);
	});

	test('says why when no part can be read', async () => {
		const { service } = context;
		service.fault({ path: '/v1/folders', kind: { status: 403, code: 'AUTHORIZATION' } });
		await expect(context.search('searchFolders')).rejects.toThrow(
			/^The API key is not allowed to access the project /,
		);
	});

	test('says so when the service is at fault', async () => {
		const { service } = context;
		service.fault({ path: '/v1/folders', kind: { status: 500 } });
		await expect(context.search('searchFolders')).rejects.toThrow('HTTP 500');
	});
});
