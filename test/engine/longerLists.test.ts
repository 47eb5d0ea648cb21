import { FIRST_AND_LAST } from '../service';
import { limits } from './harness/built';
import { byId } from './harness/byId';
import { CONNECTIONS, parametersOf, TEMPLATES } from './harness/parameters';
import { requestPaths, useService } from './harness/service';

const longer = (noun: string) =>
	`The list of ${noun} is longer than Limit. To get the rest, raise Limit or turn on Return All`;

describe.each(FIRST_AND_LAST)('a list that Limit has cut, on release %s', (release) => {
	const context = useService({
		release,
		data: { projects: 3, flows: 60, flowRuns: 60, connections: 30 },
	});
	const hintsOf = async (pair: string, more = {}) =>
		(await context.run(parametersOf(pair, more))).hints;

	test('a hint says so, but not about a list that ends there', async () => {
		for (const [limit, hints] of [
			[29, [longer('global connections')]],
			[30, []],
			[31, []],
		] as const) {
			expect((await context.run({ ...CONNECTIONS, limit })).hints).toEqual(hints);
			expect(requestPaths(context)).toEqual(['GET /v1/global-connections']);
			context.clearRequests();
		}
		expect((await context.run({ ...CONNECTIONS, returnAll: true })).hints).toEqual([]);
	});

	test('of one project and of all projects, in their order and newest first', async () => {
		const [{ id }] = context.data.projects;
		const inProject = context.data.flows.filter(({ projectId }) => projectId === id).length;
		const projectId = byId(id);
		expect(await hintsOf('flow.getAll', { projectId, limit: inProject - 1 })).toEqual([
			longer('flows'),
		]);
		expect(await hintsOf('flow.getAll', { projectId, limit: inProject })).toEqual([]);
		const runs = context.data.flowRuns.filter(
			({ environment, archivedAt }) => environment === 'PRODUCTION' && archivedAt === null,
		).length;
		for (const [pair, noun, all] of [
			['flow.getAll', 'flows', 60],
			['flowRun.getAll', 'flow runs', runs],
		] as const) {
			for (const limit of [1, all - 1]) {
				expect(await hintsOf(pair, { limit })).toEqual([longer(noun)]);
			}
			expect(await hintsOf(pair, { limit: all })).toEqual([]);
		}
	});

	test('that comes in one piece', async () => {
		const own = context.data.templates.filter(({ type }) => type !== 'SHARED').length;
		const listed = { ...TEMPLATES, returnAll: false };
		const { hints } = await context.run({ ...listed, limit: own - 1 });
		expect(hints).toEqual([longer('flow templates')]);
		expect((await context.run({ ...listed, limit: own })).hints).toEqual([]);
	});

	test('is no list if it has more records than the node reads at once', async () => {
		const own = context.data.templates.filter(({ type }) => type !== 'SHARED').length;
		const whole = { ...TEMPLATES, returnAll: true };
		limits.maxRecordsPerItem = own;
		expect(await context.records(whole)).toHaveLength(own);
		limits.maxRecordsPerItem = own - 1;
		const message = `There are more flow templates than the node reads at once (${own - 1})`;
		await context.failsWith(whole, message, 'Use Limit, filters or');
	});

	test('a tool tells its model, as the last item', async () => {
		const given = { asTool: true };
		const items = await context.records({ ...CONNECTIONS, limit: 2 }, given);
		expect(items.slice(2)).toEqual([{ hint: longer('global connections') }]);
		expect(await context.records({ ...CONNECTIONS, limit: 30 }, given)).toHaveLength(30);
	});
});

describe('a list of all projects that has as many records as Limit', () => {
	const context = useService({ data: { projects: 13, flows: 14, flowRuns: 28 } });

	test.each([
		['flows', 'flow'],
		['flowRuns', 'flowRun'],
	] as const)('goes on in a project that was not needed: %s', async (name, resource) => {
		const projects = await context.records(parametersOf('project.getAll', { returnAll: true }));
		const [first, ...others] = projects.map(({ id }) => String(id));
		const records = [...context.data[name]].sort((a, b) => a.created.localeCompare(b.created));
		const hintsOf = async (limit: number) =>
			(await context.run(parametersOf(`${resource}.getAll`, { limit }))).hints;
		// The others respond later, so that those after the first ten are not needed.
		for (const projectId of others) context.fault({ projectId, kind: { delay: 30 } });
		for (const last of [first, others[0], others.at(-1)!]) {
			records.forEach((each, i) => (each.projectId = i === 0 ? last : first));
			Object.assign(context.data, { [name]: [...records] });
			expect(await hintsOf(records.length - 1)).toEqual([
				longer(name === 'flows' ? 'flows' : 'flow runs'),
			]);
			expect(await hintsOf(records.length)).toEqual([]);
		}
		// The last project, which has one, responds before those that have none.
		context.clearFaults();
		for (const projectId of others.slice(0, -1)) context.fault({ projectId, kind: { delay: 30 } });
		expect(await hintsOf(records.length - 1)).toHaveLength(1);
		// A page shows it, so that no further project is asked.
		context.clearRequests();
		expect(await hintsOf(2)).toHaveLength(1);
		const asked = context.requests.map(({ query }) => query.projectId);
		expect(new Set(asked).size).toBe(asked.length);
		expect(asked.length).toBeLessThan(projects.length + 2);
	});
});

describe('the records', () => {
	const context = useService({ data: { projects: 1, tablesPerProject: 1 } });

	test('of a table, by one request', async () => {
		const [{ id: tableId }] = context.data.tables;
		const rows = context.data.tableRows.filter((row) => row.tableId === tableId).length;
		const hintsOf = async (limit: number, filters = {}) => {
			const list = parametersOf('tableRecord.getAll', { tableId: byId(tableId), limit, filters });
			return (await context.run(list)).hints;
		};
		expect(await hintsOf(rows - 1)).toEqual([longer('table records')]);
		expect(await hintsOf(rows)).toEqual([]);
		expect(requestPaths(context).filter((path) => path.endsWith('/records'))).toHaveLength(2);
	});
});
