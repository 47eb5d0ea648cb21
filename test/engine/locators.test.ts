import { sleep } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { startWord } from '../startWord';
import { limits } from './harness/built';
import { scroll, values } from './harness/locators';
import { ROUTE_MISSING } from './harness/routeMissing';
import { stepsOf } from './harness/runFlow';
import {
	holdUntilInFlight,
	FIRST_AND_LAST,
	requestPaths,
	requestsWithin,
	requestUrls,
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
