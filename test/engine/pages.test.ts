import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { byUrl } from './harness/byId';
import { ALL_FLOWS, CONNECTIONS, INVITATION, TEMPLATES } from './harness/parameters';
import { byId, FIRST_AND_LAST, ids, requestPaths, useService } from './harness/service';

const all = { ...CONNECTIONS, returnAll: true, simplify: false };

describe('paging with a service that misbehaves', () => {
	const context = useService({ data: { projects: 1, connections: 60, flows: 40 } });
	const path = '/v1/global-connections';
	const returnAll = { ...CONNECTIONS, returnAll: true, options: { pageSize: 10 } };

	test('a Limit that is reached before the cursors repeat is no error', async () => {
		context.fault({ path, kind: { next: 'again' } });
		expect(await context.records({ ...CONNECTIONS, limit: 10 })).toHaveLength(10);
	});

	const REPEATED = 'The server repeats pages of the list of global connections';
	const endless = (data: (n: number) => object[]): FaultKind => ({
		answers: (_request, n) => ({ data: data(n), next: `cursor-${n}` }),
	});
	test.each<[string, FaultKind, string, number]>([
		['repeats its rows with ever new cursors', endless(() => [{ id: 1 }]), REPEATED, 7],
		['leads to itself', { answers: (_, n) => ({ data: [{ id: n }], next: '1' }) }, REPEATED, 2],
		['has only empty pages', endless(() => []), REPEATED, 20],
	])('a list that %s fails, without a part of it', async (_name, kind, message, most) => {
		context.fault({ path, kind });
		const { items, error } = await context.run(returnAll);
		expect(items).toEqual([]);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/Use Limit, filters/);
		if (message === REPEATED) expect(error?.description).toMatch(/after \d+ records?\. /);
		expect(context.requests.length).toBeLessThanOrEqual(most);
	});

	test.each(['', null])('a `next` that is %j ends the list', async (next) => {
		context.fault({ path, kind: { next } });
		expect(await context.records(returnAll)).toHaveLength(10);
		expect(context.requests).toHaveLength(1);
	});

	test('template lists are never paged, whatever `next` says', async () => {
		context.fault({ path: '/v1/templates', kind: { next: 'bmV4dF91bmRlZmluZWQ=' } });
		const records = await context.records(TEMPLATES);
		expect(new Set(ids(records)).size).toBe(records.length);
		expect(requestPaths(context).filter((path) => path === 'GET /v1/templates')).toHaveLength(1);
	});

	test('a bare array of templates is read like an envelope', async () => {
		const body = ['A', 'B'].map((name) => ({ id: name, name }));
		context.fault({ path: '/v1/templates', kind: { body } });
		expect((await context.records(TEMPLATES)).map(({ name }) => name)).toEqual(['A', 'B']);
	});
});

describe('cursors', () => {
	const context = useService({ data: { projects: 1, flows: 0, connections: 1 } });

	test('any text arrives at the service exactly as it was sent', async () => {
		// A lone surrogate is not a character, so no URL can contain it; an absolute URL is tested elsewhere.
		const isSendable = (text: string) =>
			text !== '' && Buffer.from(text).toString() === text && !/^https?:/i.test(text);
		const text = fc
			.oneof(
				fc.string({ unit: fc.constantFrom(...'+/=&?#%;,[]{}"\'\\<> .:@!$^|~é日🚀\u0000\u00a0') }),
				fc.string({ unit: 'binary' }),
				fc.base64String(),
				fc.constantFrom(...'%2B + % //other.example/x ../.. a=b&cursor=c cursor[]=1'.split(' ')),
			)
			.filter(isSendable);
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 5 }), async (cursors) => {
				context.clearFaults();
				context.clearRequests();
				const answers = (_request: unknown, n: number) => {
					return { data: [{ id: n }], next: cursors[n - 1] ?? null };
				};
				context.fault({ kind: { answers } });
				expect(await context.records(all)).toHaveLength(cursors.length + 1);
				const sent = context.requests.map(({ url }) => new URL(url, context.origin).searchParams);
				expect(sent.map((query) => query.get('cursor'))).toEqual([null, ...cursors]);
				for (const query of sent) expect([...query.keys()].length).toBeLessThanOrEqual(2);
			}),
			{ numRuns: 10 },
		);
	});
});

// Other numbers, page sizes and Limits are in unit/paginate.test.ts.
describe('250 connections created in one second, 100 a page', () => {
	const data = { projects: 1, flows: 0, connections: 250, sameSecond: true };
	const context = useService({ data });

	test.each([250, 101])('%i of them are returned, with few requests', async (limit) => {
		const options = { pageSize: 100 };
		const records = await context.records({ ...all, returnAll: limit === 250, limit, options });
		expect(ids(records)).toEqual(ids(context.data.connections.slice(0, limit)));
		expect(context.requests.length).toBeLessThanOrEqual(5);
	});

	test('if the service leaves some out even on larger pages, no part of the list is returned', async () => {
		context.fault({ path: '/v1/global-connections', kind: { pageCap: 10 } });
		const { items, error } = await context.run(all);
		expect(items).toEqual([]);
		expect(error?.message).toBe('The server leaves records out of the list of global connections');
		expect(context.requests.length).toBeLessThanOrEqual(4);
	});
});

const getFlow = (flowId: INodeParameters[string]): INodeParameters => {
	return { resource: 'flow', operation: 'get', flowId };
};

describe('pages of the web app', () => {
	const context = useService({ data: { projects: 2, flows: 12, flowRuns: 12 } });
	const webApp = () => context.baseUrl.replace(/\/api$/, '');
	const list = async (resource: string) =>
		await context.records({ resource, operation: 'getAll', returnAll: true });
	const pageOf = ({ id, projectId }: { id: unknown; projectId: unknown }, kind: string) =>
		`${webApp()}/projects/${String(projectId)}/${kind}/${String(id)}`;

	test('flows, runs and projects come with the address of their page', async () => {
		const { flows, flowRuns, projects } = context.data;
		const urls = async (resource: string) => (await list(resource)).map(({ url }) => url).sort();
		expect(await urls('flow')).toEqual(flows.map((flow) => pageOf(flow, 'flows')).sort());
		expect(await urls('flowRun')).toEqual(flowRuns.map((run) => pageOf(run, 'runs')).sort());
		const ofProjects = projects.map(({ id }) => `${webApp()}/projects/${id}`);
		expect(await urls('project')).toEqual(ofProjects.sort());
	});

	test('the entries of From List do as well, and others have none', async () => {
		const entries = async (method: string) => (await context.search(method)).results;
		const { flows } = context.data;
		for (const { url, value } of await entries('searchFlows')) {
			const flow = flows.find(({ id }) => id === value)!;
			expect(url).toBe(pageOf(flow, 'flows'));
		}
		for (const { url, value } of await entries('searchFlowRuns')) {
			expect(url).toMatch(new RegExp(`^${webApp()}/projects/\\w+/runs/${String(value)}$`));
		}
		for (const { url, value } of await entries('searchProjects')) {
			expect(url).toBe(`${webApp()}/projects/${String(value)}`);
		}
		for (const entry of await entries('searchFolders')) expect(entry).not.toHaveProperty('url');
	});

	test('By URL takes the address of the page, as it is in a browser, and that of a webhook', async () => {
		const [flow] = context.data.flows;
		const [run] = context.data.flowRuns;
		const page = pageOf(flow, 'flows');
		for (const address of [
			...[page, `${page}/`, `${page}?a=1&b=2#step`, ` ${page}\n`, page.replace('http:', 'https:')],
			`${webApp()}/flows/${flow.id}`,
			...['', '/sync', '/draft', '/draft/sync'].map(
				(end) => `${context.baseUrl}/v1/webhooks/${flow.id}${end}`,
			),
		]) {
			for (const isRouted of [false, true]) {
				const { items } = await context.run(getFlow(byUrl(address)), { isRouted });
				expect(items).toMatchObject([{ json: { id: flow.id } }]);
			}
		}
		const getRun = { resource: 'flowRun', operation: 'get', flowRunId: byUrl(pageOf(run, 'runs')) };
		expect(await context.records(getRun)).toMatchObject([{ id: run.id }]);
	});

	const ENDS = ['', '/', '/flows', '/runs?status=FAILED', '/settings/#team', '/automations'];
	test.each(ENDS)('a project is read from a URL that ends in %j', async (end) => {
		const { flows } = context.data;
		const [{ projectId }] = flows;
		const address = `${webApp()}/projects/${projectId}${end}`;
		const given = await context.records({ ...ALL_FLOWS, projectId: byUrl(address) });
		expect(given).toHaveLength(flows.filter((flow) => flow.projectId === projectId).length);
	});

	test('what an item has is taken in every mode: the address, or the ID', async () => {
		const [first, second] = context.data.flows;
		const items = [{ it: pageOf(first, 'flows') }, { it: second.id }];
		for (const locator of [byUrl('={{ $json.it }}'), byId('={{ $json.it }}')]) {
			const given = await context.records(getFlow(locator), items);
			expect(given).toMatchObject([{ id: first.id }, { id: second.id }]);
		}
	});

	const NO_FLOW = 'The URL in Flow does not point to a flow';
	const OTHER_SERVER = 'https://elsewhere.example/projects/p/flows/f';
	test.each([
		['/projects/p/runs/r', 'The URL in Flow points to a flow run, not to a flow'],
		['/projects/p/flows', 'The URL in Flow points to a project, not to a flow'],
		['/platform/projects', NO_FLOW],
		['/api/v1/flows/f', NO_FLOW],
		['/api/v1/webhooks/f/other', NO_FLOW],
		['/', NO_FLOW],
		[OTHER_SERVER, 'The URL in Flow points to another server, elsewhere.example'],
	])('the URL of another page is refused: %s', async (path, message) => {
		const url = path === OTHER_SERVER ? path : webApp() + path;
		const advice = path === OTHER_SERVER ? new URL(webApp()).host : 'By ID';
		for (const locator of [byUrl(url), byId(url)]) {
			await context.refuses(getFlow(locator), message, advice);
		}
		await context.refuses(getFlow(byUrl('projects/p/flows/f')), NO_FLOW, 'By ID');
	});

	test('another port is another server', async () => {
		const url = new URL(`${webApp()}/projects/p/flows/f`);
		url.port = String(Number(url.port) + 1);
		const message = `The URL in Flow points to another server, ${url.host}`;
		await context.refuses(getFlow(byUrl(url.href)), message);
	});

	test.each([
		['/projects/p/flows/f', 'The URL in Project points to a flow, not to a project'],
		['/projects/', 'The URL in Project does not point to a project'],
		['/projects/undefined', 'Project must be an ID'],
	])('%s is refused as the URL of a project', async (path, message) => {
		const projectId = byUrl('={{ $json.url }}');
		await context.refuses({ ...ALL_FLOWS, projectId }, message, '', [{ url: webApp() + path }]);
	});
});

describe.each(FIRST_AND_LAST)('versions of a flow on release %s', (release) => {
	const context = useService({ release, data: { projects: 1, flows: 6 } });
	const edited = () => {
		const flow = context.live.addFlow({ published: true, enabled: true, name: 'As published' });
		context.live.editFlow(flow.id, 'As edited');
		return flow;
	};
	const get = async (id: string, more: INodeParameters = {}) =>
		await context.records({ ...getFlow(byId(id)), ...more });

	test('an edited flow is returned as edited, or as it runs, and has unpublished changes', async () => {
		const { id } = edited();
		const state = { published: true, unpublishedChanges: true };
		expect(await get(id)).toMatchObject([{ ...state, name: 'As edited' }]);
		context.clearRequests();
		const published = { version: 'published' };
		expect(await get(id, published)).toMatchObject([{ ...state, name: 'As published' }]);
		const flow = `GET /v1/flows/${id}`;
		expect(requestPaths(context)).toEqual([flow, flow, 'GET /v1/projects']);
		const [raw] = await get(id, { ...published, simplify: false });
		expect(raw.version).toMatchObject({ id: raw.publishedVersionId, state: 'LOCKED' });
	});

	test('a flow that has never been published has no published version', async () => {
		const flow = context.live.addFlow({ name: 'New' });
		expect(await get(flow.id)).toMatchObject([{ published: false, unpublishedChanges: false }]);
		const published = { ...getFlow(byId(flow.id)), version: 'published' };
		await context.failsWith(published, `Flow "New" (${flow.id}) has never been published`);
	});

	test('a list of published versions does not show whether there are changes', async () => {
		const { id } = edited();
		const filters = { versionState: 'LOCKED', status: ['ENABLED'] };
		const flows = await context.records({ ...ALL_FLOWS, filters });
		const listed = { name: 'As published', published: true, unpublishedChanges: null };
		expect(flows.find((each) => each.id === id)).toMatchObject(listed);
	});
});

describe('limits of 0.73', () => {
	const old = useService({ release: '0.73' });

	test('no key can delete a project invitation, and the message names the first release that allows it', async () => {
		const invitation = old.data.invitations.find(({ type }) => type === 'PROJECT');
		const message = `In this Activepieces release, user invitation "${invitation?.id}" cannot be deleted with an API key`;
		await old.failsWith({ ...INVITATION, invitationId: byId(invitation?.id) }, message, '0.79');
	});

	test('it cannot list published versions if a flow has never been published, and the message says what helps', async () => {
		const filters = { versionState: 'LOCKED' };
		const says = 'Set the Status filter to Enabled';
		await old.failsWith({ ...ALL_FLOWS, filters }, /./, says);
		const enabled = { ...filters, status: ['ENABLED'] };
		expect(await old.records({ ...ALL_FLOWS, filters: enabled })).not.toEqual([]);
	});
});
