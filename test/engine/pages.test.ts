import type { INodeParameters } from 'n8n-workflow';

import { byId, RELEASES, requestPaths, requestUrls, useService } from './harness/service';

/** A locator parameter in the mode By URL. */
const byUrl = (value: unknown) => ({ __rl: true, mode: 'url', value: value as string });

const getFlow = (flowId: INodeParameters[string]): INodeParameters => ({
	resource: 'flow',
	operation: 'get',
	flowId,
});

describe.each(RELEASES)('pages of the web app on release %s', (release) => {
	const context = useService({ release, data: { projects: 2, flows: 12, flowRuns: 12 } });
	const webApp = () => context.service.baseUrl.replace(/\/api$/, '');

	const { records } = context;
	const list = async (resource: string) =>
		await records({ resource, operation: 'getAll', returnAll: true });
	const pageOf = ({ id, projectId }: { id: unknown; projectId: unknown }, kind: string) =>
		`${webApp()}/projects/${String(projectId)}/${kind}/${String(id)}`;

	test('flows, runs and projects come with the address of their page', async () => {
		const { flows, flowRuns, projects } = context.service.data;
		const urls = async (resource: string) => (await list(resource)).map(({ url }) => url).sort();
		expect(await urls('flow')).toEqual(flows.map((flow) => pageOf(flow, 'flows')).sort());
		expect(await urls('flowRun')).toEqual(flowRuns.map((run) => pageOf(run, 'runs')).sort());
		expect(await urls('project')).toEqual(
			projects.map(({ id }) => `${webApp()}/projects/${id}`).sort(),
		);
	});

	test('the entries of From List do as well, and others have none', async () => {
		const entries = async (method: string) => {
			return (await context.search(method)).results;
		};
		const { flows } = context.service.data;
		for (const { url, value } of await entries('searchFlows')) {
			expect(url).toBe(
				pageOf(
					flows.find(({ id }) => id === value)!,
					'flows',
				),
			);
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
		const [flow] = context.service.data.flows;
		const [run] = context.service.data.flowRuns;
		const page = pageOf(flow, 'flows');
		const short = `${webApp()}/flows/${flow.id}`;
		const https = page.replace('http://', 'https://');
		for (const address of [page, `${page}/`, `${page}?a=1&b=2#step`, ` ${page}\n`, short, https]) {
			expect(await records(getFlow(byUrl(address)))).toMatchObject([{ id: flow.id }]);
		}
		const getRun = { resource: 'flowRun', operation: 'get' };
		expect(await records({ ...getRun, flowRunId: byUrl(pageOf(run, 'runs')) })).toMatchObject([
			{ id: run.id },
		]);
	});

	test.each(['', '/', '/flows', '/runs?status=FAILED', '/settings/#team', '/automations'])(
		'a project is taken from the address of its page that ends in %j',
		async (end) => {
			const { flows } = context.service.data;
			const [{ projectId }] = flows;
			const address = `${webApp()}/projects/${projectId}${end}`;
			const given = await records({
				resource: 'flow',
				operation: 'getAll',
				returnAll: true,
				projectId: byUrl(address),
			});
			expect(given).toHaveLength(flows.filter((flow) => flow.projectId === projectId).length);
		},
	);

	test('what an item has is taken in every mode: the address, or the ID', async () => {
		const [first, second] = context.service.data.flows;
		const items = [{ it: pageOf(first, 'flows') }, { it: second.id }];
		for (const locator of [byUrl('={{ $json.it }}'), byId('={{ $json.it }}')]) {
			expect((await records(getFlow(locator), items)).map(({ id }) => id)).toEqual([
				first.id,
				second.id,
			]);
		}
	});

	test.each([
		['/projects/p/runs/r', 'The address in Flow leads to a flow run, not to a flow'],
		['/projects/p/flows', 'The address in Flow leads to a project, not to a flow'],
		['/platform/projects', 'The address in Flow does not lead to a flow'],
		['/api/v1/flows/f', 'The address in Flow does not lead to a flow'],
		['/', 'The address in Flow does not lead to a flow'],
		['/projects/p/flows/%ff', 'The address in Flow does not lead to a flow'],
	])('the address of another page is refused, and nothing is sent: %s', async (path, message) => {
		const { service } = context;
		for (const locator of [byUrl(webApp() + path), byId(webApp() + path)]) {
			const error = await context.failure(getFlow(locator));
			expect(error.message).toBe(message);
			expect(error.description).toContain('By ID');
		}
		expect(service.requests).toEqual([]);
	});

	test('the address of a flow is none of a project, and one without its project none at all', async () => {
		const { service } = context;
		const list = { resource: 'flow', operation: 'getAll', projectId: byUrl('={{ $json.url }}') };
		const refused = async (url: string) => (await context.failure(list, [{ url }])).message;
		expect(await refused(`${webApp()}/projects/p/flows/f`)).toBe(
			'The address in Project leads to a flow, not to a project',
		);
		expect(await refused(`${webApp()}/projects/`)).toBe(
			'The address in Project does not lead to a project',
		);
		expect(await refused(`${webApp()}/projects/undefined`)).toBe('Project is not an ID');
		expect(service.requests).toEqual([]);
	});

	test('the address of a page of another server is refused, and nothing is sent', async () => {
		const { service } = context;
		const parameters = getFlow(byUrl('https://elsewhere.example/projects/p/flows/f'));
		const error = await context.failure(parameters);
		expect(error.message).toBe('The address in Flow leads to another server, elsewhere.example');
		expect(error.description).toContain(new URL(webApp()).host);
		expect(service.requests).toEqual([]);
	});
});

describe('a server that sends ids of its own making', () => {
	const context = useService({ data: { projects: 1, flows: 1 } });

	test.each([
		['../../../evil', 'p', '/projects/p/flows/..%2F..%2F..%2Fevil'],
		['a)](//evil?x=<b>&"', 'p', '/projects/p/flows/a%29%5D%28%2F%2Fevil%3Fx%3D%3Cb%3E%26%22'],
		['f', '@evil.example', '/projects/%40evil.example/flows/f'],
		['f', '..', null],
		['f', '', null],
		['f', null, null],
		['f', { toString: 'x' }, null],
	])('cannot lead anybody elsewhere: %j in %j', async (id, projectId, path) => {
		const { service } = context;
		service.fault({
			path: /^\/v1\/flows$/,
			kind: { answers: () => ({ data: [{ id, projectId, version: {} }], next: null }) },
		});
		const parameters = { resource: 'flow', operation: 'getAll', projectId: byId('p') };
		const [flow] = await context.records(parameters);
		const webApp = service.baseUrl.replace(/\/api$/, '');
		expect(flow.url).toBe(path === null ? null : webApp + path);
	});
});

describe.each(RELEASES)('versions of a flow on release %s', (release) => {
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

	test('an edited flow is given as it is edited, or as it runs, and has unpublished changes', async () => {
		const { id } = await edited();
		const state = { published: true, unpublishedChanges: true };
		expect(await get(id)).toMatchObject([{ ...state, name: 'As edited' }]);
		context.service.clearRequests();
		expect(await get(id, { version: 'published' })).toMatchObject([
			{ ...state, name: 'As published' },
		]);
		expect(requestPaths(context)).toEqual([
			`GET /v1/flows/${id}`,
			`GET /v1/flows/${id}`,
			'GET /v1/projects',
		]);
		const [raw] = await get(id, { version: 'published', simplify: false });
		expect(raw.version).toMatchObject({ id: raw.publishedVersionId, state: 'LOCKED' });
	});

	test('a flow whose latest version is published is asked for once', async () => {
		const { id } = context.service.live.addFlow({ published: true });
		expect(await get(id, { version: 'published' })).toMatchObject([
			{ id, published: true, unpublishedChanges: false },
		]);
		expect(requestUrls(context)).toEqual([`GET /v1/flows/${id}`, 'GET /v1/projects?limit=1000']);
	});

	test('a flow that was never published has no published version', async () => {
		const { service } = context;
		const flow = service.live.addFlow({ name: 'New' });
		expect(await get(flow.id)).toMatchObject([{ published: false, unpublishedChanges: false }]);
		const error = await context.failure({ ...getFlow(byId(flow.id)), version: 'published' });
		expect(error.message).toBe(`Flow "New" (${flow.id}) was never published`);
	});

	test('a list of published versions does not tell whether there are changes', async () => {
		const { id } = await edited();
		const given = await context.records({
			resource: 'flow',
			operation: 'getAll',
			returnAll: true,
			filters: { versionState: 'LOCKED', status: ['ENABLED'] },
		});
		expect(given.find((each) => each.id === id)).toMatchObject({
			name: 'As published',
			published: true,
			unpublishedChanges: null,
		});
	});

	test('every operation on a flow gives the same of it, and reads the projects once', async () => {
		const { service } = context;
		const flows = [0, 1, 2].map(() => service.live.addFlow({ published: true, enabled: true }));
		const items = flows.map(({ id }) => ({ id }));
		const flowId = byId('={{ $json.id }}');
		const listed = await context.records({
			resource: 'flow',
			operation: 'getAll',
			returnAll: true,
		});
		for (const operation of ['get', 'setStatus', 'publish']) {
			service.clearRequests();
			const parameters = { resource: 'flow', operation, flowId, status: 'ENABLED' };
			expect(await context.records(parameters, items)).toEqual(
				flows.map(({ id }) => listed.find((each) => each.id === id)),
			);
			expect(requestPaths(context).filter((path) => path === 'GET /v1/projects')).toHaveLength(1);
		}
		expect(listed[0].projectName).toBe(service.data.projects[0].displayName);
	});
});
