import type { INodeParameters } from 'n8n-workflow';

import { byId, byUrl } from './harness/byId';
import { scroll } from './harness/locators';
import { ALL_FLOWS, parametersOf } from './harness/parameters';
import { useService } from './harness/service';

const getFlow = (flowId: INodeParameters[string]): INodeParameters => {
	return { resource: 'flow', operation: 'get', flowId };
};

describe('pages of the web app', () => {
	const context = useService({ data: { projects: 2, flows: 12, flowRuns: 12 } });
	const pageOf = ({ id, projectId }: { id: string; projectId: string }, kind: string) =>
		`${context.origin}/projects/${projectId}/${kind}/${id}`;

	test('flows, runs and projects come with the address of their page, also in From List, and others have none', async () => {
		const { flows, flowRuns, projects } = context.data;
		const { origin } = context;
		for (const [pair, method, pages] of [
			['flow.getAll', 'searchFlows', flows.map((flow) => pageOf(flow, 'flows'))],
			['flowRun.getAll', 'searchAllFlowRuns', flowRuns.map((run) => pageOf(run, 'runs'))],
			['project.getAll', 'searchProjects', projects.map(({ id }) => `${origin}/projects/${id}`)],
		] as const) {
			const records = await context.records(parametersOf(pair, { returnAll: true }));
			expect(records.map(({ url }) => url).sort()).toEqual(pages.sort());
			const { results } = await scroll(context, method);
			const wanted = records.map(({ id, url }) => `${String(id)} ${String(url)}`);
			expect(results.map(({ value, url }) => `${value} ${url}`).sort()).toEqual(wanted.sort());
		}
		const { results } = await context.search('searchFolders');
		expect(results).toHaveLength(context.data.folders.length);
		for (const entry of results) expect(entry).not.toHaveProperty('url');
	});

	test('By URL takes the address of the page, as it is in a browser, and that of a webhook', async () => {
		const [flow] = context.data.flows;
		const [run] = context.data.flowRuns;
		const page = pageOf(flow, 'flows');
		const webhook = `${context.baseUrl}/v1/webhooks/${flow.id}`;
		for (const address of [
			...[page, `${page}/`, `${page}?a=1&b=2#step`, ` ${page}\n`, page.replace('http:', 'https:')],
			`${context.origin}/flows/${flow.id}`,
			...['', '/sync', '/draft', '/draft/sync', '/test'].map((end) => webhook + end),
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
		const address = `${context.origin}/projects/${projectId}${end}`;
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

	const NO_FLOW = /^The URL in Flow does not point to a flow on 127\.0\.0\.1:\d+$/;
	// Another port is another server.
	const OTHER_SERVER = 'http://127.0.0.1:1/projects/p/flows/f';
	test.each([
		'/platform/projects',
		'/projects/p/runs/r',
		'/projects/p/flows',
		'/api/v1/flows/f',
		'/api/v1/webhooks/f/other',
		'/',
		OTHER_SERVER,
	])('the URL of another page is refused: %s', async (path) => {
		const url = path === OTHER_SERVER ? path : context.origin + path;
		const advice = [`points to ${new URL(context.origin).host}`, 'By ID'];
		for (const locator of [byUrl(url), byId(url)]) {
			await context.refuses(getFlow(locator), NO_FLOW, advice);
		}
		await context.refuses(getFlow(byUrl('projects/p/flows/f')), NO_FLOW, 'By ID');
	});

	test.each([
		['/projects/p/flows/f', /^The URL in Project does not point to a project on /],
		['/projects/', /^The URL in Project does not point to a project on /],
		['/projects/undefined', 'Project must be an ID'],
	])('%s is refused as the URL of a project', async (path, message) => {
		const projectId = byUrl('={{ $json.url }}');
		const items = [{ url: context.origin + path }];
		await context.refuses({ ...ALL_FLOWS, projectId }, message, '', items);
	});
});
