import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { jsonOf } from './harness/hostileServer';
import { useHostileServers } from './harness/hostile';
import { queriesOf, scroll, values } from './harness/locators';
import { type TestContext, useService } from './harness/service';

restoreLimits(limits);

const flowsFound = async (context: TestContext, filter: string) =>
	values(await scroll(context, 'searchFlows', filter));

describe('names in an alphabet with letter cases', () => {
	const context = useService({ data: { projects: 1, flows: 120, steps: 1, foldersPerProject: 0 } });

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
