import type { INodeParameters } from 'n8n-workflow';

import { byUrl } from './harness/byId';
import { ALL_FLOWS } from './harness/parameters';
import { byId, FIRST_AND_LAST, requestPaths, requestUrls, useService } from './harness/service';

const getFlow = (flowId: INodeParameters[string]): INodeParameters => {
	return { resource: 'flow', operation: 'get', flowId };
};

describe.each(FIRST_AND_LAST)('pages of the web app on release %s', (release) => {
	const context = useService({ release, data: { projects: 2, flows: 12, flowRuns: 12 } });
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
		expect(await urls('project')).toEqual(
			projects.map(({ id }) => `${webApp()}/projects/${id}`).sort(),
		);
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

	test('By URL takes the address of the page, as it is in a browser', async () => {
		const [flow] = context.data.flows;
		const [run] = context.data.flowRuns;
		const page = pageOf(flow, 'flows');
		const short = `${webApp()}/flows/${flow.id}`;
		const https = page.replace('http://', 'https://');
		for (const address of [page, `${page}/`, `${page}?a=1&b=2#step`, ` ${page}\n`, short, https]) {
			expect(await context.records(getFlow(byUrl(address)))).toMatchObject([{ id: flow.id }]);
		}
		const getRun = { resource: 'flowRun', operation: 'get', flowRunId: byUrl(pageOf(run, 'runs')) };
		expect(await context.records(getRun)).toMatchObject([{ id: run.id }]);
	});

	test.each(['', '/sync', '/draft', '/draft/sync'])(
		'By URL takes the address of a webhook that ends in "%s"',
		async (end) => {
			const [{ id }] = context.data.flows;
			const address = `${context.baseUrl}/v1/webhooks/${id}${end}`;
			expect(await context.records(getFlow(byUrl(address)))).toMatchObject([{ id }]);
			const { items } = await context.run(getFlow(byUrl(address)), { isRouted: true });
			expect(items.map(({ json }) => json.id)).toEqual([id]);
		},
	);

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

	test.each([
		['/projects/p/runs/r', 'The URL in Flow points to a flow run, not to a flow'],
		['/projects/p/flows', 'The URL in Flow points to a project, not to a flow'],
		['/platform/projects', 'The URL in Flow does not point to a flow'],
		['/api/v1/flows/f', 'The URL in Flow does not point to a flow'],
		['/api/v1/webhooks/f/other', 'The URL in Flow does not point to a flow'],
		['/', 'The URL in Flow does not point to a flow'],
		['/projects/p/flows/%ff', 'The URL in Flow does not point to a flow'],
	])('the URL of another page is refused, and nothing is sent: %s', async (path, message) => {
		for (const locator of [byUrl(webApp() + path), byId(webApp() + path)]) {
			const error = await context.failure(getFlow(locator));
			expect(error.message).toBe(message);
			expect(error.description).toContain('By ID');
		}
		expect(context.requests).toEqual([]);
	});

	test.each([
		['/projects/p/flows/f', 'The URL in Project points to a flow, not to a project'],
		['/projects/', 'The URL in Project does not point to a project'],
		['/projects/undefined', 'Project must be an ID'],
	])('%s is refused as the URL of a project', async (path, message) => {
		const projectId = byUrl('={{ $json.url }}');
		const error = await context.failure({ ...ALL_FLOWS, projectId }, [{ url: webApp() + path }]);
		expect(error.message).toBe(message);
		expect(context.requests).toEqual([]);
	});

	test('the URL of a page of another server is refused, and nothing is sent', async () => {
		const parameters = getFlow(byUrl('https://elsewhere.example/projects/p/flows/f'));
		const error = await context.failure(parameters);
		expect(error.message).toBe('The URL in Flow points to another server, elsewhere.example');
		expect(error.description).toContain(new URL(webApp()).host);
		expect(context.requests).toEqual([]);
	});
});

describe.each(FIRST_AND_LAST)('versions of a flow on release %s', (release) => {
	const context = useService({ release, data: { projects: 1, flows: 6 } });
	const edited = async () => {
		const { service } = context;
		const flow = service.live.addFlow({ published: true, enabled: true, name: 'As published' });
		await fetch(`${service.baseUrl}/v1/flows/${flow.id}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ type: 'CHANGE_NAME', request: { displayName: 'As edited' } }),
		});
		service.clearRequests();
		return flow;
	};
	const get = async (id: string, more: INodeParameters = {}) =>
		await context.records({ ...getFlow(byId(id)), ...more });

	test('an edited flow is returned as edited, or as it runs, and has unpublished changes', async () => {
		const { id } = await edited();
		const state = { published: true, unpublishedChanges: true };
		expect(await get(id)).toMatchObject([{ ...state, name: 'As edited' }]);
		context.clearRequests();
		const published = { version: 'published' };
		expect(await get(id, published)).toMatchObject([{ ...state, name: 'As published' }]);
		expect(requestPaths(context)).toEqual([
			`GET /v1/flows/${id}`,
			`GET /v1/flows/${id}`,
			'GET /v1/projects',
		]);
		const [raw] = await get(id, { ...published, simplify: false });
		expect(raw.version).toMatchObject({ id: raw.publishedVersionId, state: 'LOCKED' });
	});

	test('a flow whose latest version is published is requested once', async () => {
		const { id } = context.live.addFlow({ published: true });
		expect(await get(id, { version: 'published' })).toMatchObject([
			{ id, published: true, unpublishedChanges: false },
		]);
		expect(requestUrls(context)).toEqual([`GET /v1/flows/${id}`, 'GET /v1/projects?limit=1000']);
	});

	test('a flow that has never been published has no published version', async () => {
		const flow = context.live.addFlow({ name: 'New' });
		expect(await get(flow.id)).toMatchObject([{ published: false, unpublishedChanges: false }]);
		const error = await context.failure({ ...getFlow(byId(flow.id)), version: 'published' });
		expect(error.message).toBe(`Flow "New" (${flow.id}) has never been published`);
	});

	test('a list of published versions does not show whether there are changes', async () => {
		const { id } = await edited();
		const filters = { versionState: 'LOCKED', status: ['ENABLED'] };
		expect(
			(await context.records({ ...ALL_FLOWS, filters })).find((each) => each.id === id),
		).toMatchObject({ name: 'As published', published: true, unpublishedChanges: null });
	});

	test('every operation on a flow returns the same fields, and reads the projects once', async () => {
		const flows = [0, 1, 2].map(() => context.live.addFlow({ published: true, enabled: true }));
		const items = flows.map(({ id }) => ({ id }));
		const flowId = byId('={{ $json.id }}');
		const listed = await context.records(ALL_FLOWS);
		for (const operation of ['get', 'setStatus', 'publish']) {
			context.clearRequests();
			expect(
				await context.records({ resource: 'flow', operation, flowId, status: 'ENABLED' }, items),
			).toEqual(flows.map(({ id }) => listed.find((each) => each.id === id)));
			expect(requestPaths(context).filter((path) => path === 'GET /v1/projects')).toHaveLength(1);
		}
		expect(listed[0].projectName).toBe(context.data.projects[0].displayName);
	});
});
