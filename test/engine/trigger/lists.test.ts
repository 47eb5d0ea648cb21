import { limits } from '../harness/built';
import { useService } from '../harness/service';
import { createTriggerRun } from '../harness/trigger';

describe('lists of many projects', () => {
	const context = useService({ release: '0.73', data: { projects: 60, flows: 300, flowRuns: 60 } });
	const { defaultPageSize } = limits;
	afterEach(() => {
		limits.defaultPageSize = defaultPageSize;
	});
	const askedFor = (path: string) =>
		context.service.requests.filter((request) => request.path === path);
	const newest = () => ({
		credential: context.credential,
		parameters: { resource: 'flowRun', operation: 'getAll', returnAll: false, limit: 50 },
	});
	const newestRuns = async () => await context.engine.records(newest());

	test('a list of the newest is left when one project cannot be read, and other items go on', async () => {
		const { service, engine } = context;
		service.fault({ path: '/v1/flow-runs', times: 1, kind: { status: 403, shape: 'application' } });
		const { items } = await engine.run({
			...newest(),
			items: [{}, {}],
			onError: 'continueRegularOutput',
		});
		expect(items.filter(({ json }) => json.error !== undefined)).toHaveLength(1);
		expect(items.length).toBeGreaterThan(1);
		// All projects for one item; for the other one those that were being asked.
		expect(askedFor('/v1/flow-runs').length).toBeLessThan(
			service.data.projects.length + 3 * limits.maxConcurrency,
		);
	});

	test('a project that is deleted while the others are read has nothing: 0.73 answers 403', async () => {
		const { service } = context;
		const { projects } = service.data;
		const [gone] = projects;
		const first = { data: structuredClone(projects), next: null, previous: null };
		service.fault({ path: /\/projects$/, times: 1, kind: { body: first } });
		service.live.removeProject(gone.id);
		const runs = await newestRuns();
		expect(runs).toHaveLength(Math.min(50, service.data.flowRuns.length));
	});

	test('one that is searched for the first record of a kind is read in whole pages', async () => {
		const { engine, credential, service } = context;
		limits.defaultPageSize = 2;
		for (const flow of service.data.flows) Object.assign(flow, { publishedVersionId: null });
		const run = createTriggerRun(engine, credential, { event: 'flowPublished' });
		await expect(run.fetchTestEvent()).rejects.toThrow('No flow is published');
		const pages = askedFor('/v1/flows');
		expect(pages.length).toBeGreaterThan(0);
		expect(pages.some(({ query }) => query.cursor !== undefined)).toBe(true);
		// A page that is asked for once more is longer (`enlargePage.ts`).
		expect(pages.filter(({ query }) => Number(query.limit) < 2)).toEqual([]);
	});
});
