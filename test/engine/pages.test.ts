import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST, type FaultKind } from '../service';
import { limits } from './harness/built';
import { byId, ids } from './harness/byId';
import { ALL_FLOWS, CONNECTIONS, parametersOf, TEMPLATES } from './harness/parameters';
import { useService } from './harness/service';

const all = { ...CONNECTIONS, returnAll: true, simplify: false };

describe('paging with a service that misbehaves', () => {
	const context = useService({ data: { projects: 1, connections: 60, flows: 40 } });
	const path = '/v1/global-connections';
	const returnAll = { ...CONNECTIONS, returnAll: true };
	beforeEach(() => {
		limits.largePageSize = 10;
	});

	test('a Limit that is reached before the cursors repeat is no error', async () => {
		context.fault({ path, kind: { next: 'again' } });
		expect(await context.records({ ...CONNECTIONS, limit: 10 })).toHaveLength(10);
	});

	const endless = (data: (n: number) => object[]): FaultKind => ({
		answers: (_request, n) => ({ data: data(n), next: `cursor-${n}` }),
	});
	const WITHOUT_ID = endless(() => [{}]);
	const OF_PROJECT = { ...ALL_FLOWS, projectId: byId('p'), returnAll: false, limit: 50 };
	test.each<[string, INodeParameters, FaultKind, number]>([
		['repeats its rows with ever new cursors', returnAll, endless(() => [{ id: 1 }]), 7],
		['leads to itself', returnAll, { answers: (_, n) => ({ data: [{ id: n }], next: '1' }) }, 2],
		['has only records without an ID', returnAll, WITHOUT_ID, 9],
		['has them up to a Limit', OF_PROJECT, WITHOUT_ID, 9],
		['is one of projects without an ID', ALL_FLOWS, WITHOUT_ID, 9],
	])('a list that %s fails, without a part of it', async (_name, parameters, kind, most) => {
		context.fault({ kind });
		const repeated = /^The server repeats pages of the list of /;
		await context.failsWith(
			parameters,
			repeated,
			/after \d+ records?\. Check that nothing in front/,
		);
		expect(context.requests.length).toBeLessThanOrEqual(most);
	});

	test('a list that has only empty pages fails at the second one', async () => {
		context.fault({ kind: endless(() => []) });
		await context.failsWith(returnAll, /^The server leaves records out of the list of /);
		expect(context.requests).toHaveLength(2);
	});

	test.each(['', null])('a `next` that is %j ends the list', async (next) => {
		context.fault({ path, kind: { next } });
		expect(await context.records(returnAll)).toHaveLength(10);
		expect(context.requests).toHaveLength(1);
	});

	test('a bare array of templates is read like an envelope', async () => {
		const body = ['A', 'B'].map((name) => ({ id: name, name }));
		context.fault({ path: '/v1/templates', kind: { body } });
		expect((await context.records(TEMPLATES)).map(({ name }) => name)).toEqual(['A', 'B']);
	});

	test('any text in a cursor arrives at the service exactly as it was sent', async () => {
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
		const cursors = [...new Set(fc.sample(text, 50))];
		const next = (n: number) => cursors[n - 1] ?? null;
		context.fault({ kind: { answers: (_, n) => ({ data: [{ id: n }], next: next(n) }) } });
		expect(await context.records(all)).toHaveLength(cursors.length + 1);
		const sent = context.requests.map(({ url }) => new URL(url, context.origin).searchParams);
		expect(sent.map((query) => query.get('cursor'))).toEqual([null, ...cursors]);
		for (const query of sent) expect([...query.keys()].length).toBeLessThanOrEqual(2);
	});
});

// Other numbers, page sizes and Limits are in unit/paginate.test.ts.
describe('250 connections created in one second', () => {
	const context = useService({ data: { projects: 1, flows: 0, connections: 250 } });
	const path = '/v1/global-connections';
	beforeEach(() => {
		context.data.connections.forEach((each, index) => {
			each.created = new Date(Date.UTC(2026, 0, 1) + index).toISOString();
		});
	});
	const sizes = () => context.requests.map(({ query }) => query.limit);

	test('come in one large page', async () => {
		expect(ids(await context.records(all))).toEqual(ids(context.data.connections));
		expect(sizes()).toEqual(['10000']);
	});

	test('if the server returns small pages, no part of the list is returned', async () => {
		context.fault({ path, kind: { pageCap: 10 } });
		const message = 'The server leaves records out of the list of global connections';
		await context.failsWith(all, message);
		expect(sizes()).toEqual(['10000', '10000']);
	});

	test.each([400, 413])(
		'a large page that is refused with %i is requested as usual',
		async (status) => {
			context.fault({ path, times: 1, kind: { status } });
			expect(ids(await context.records(all))).toEqual(ids(context.data.connections));
			expect(sizes()).toEqual(['10000', '1000']);
		},
	);

	test('a refusal of every page is told', async () => {
		context.fault({ path, kind: { status: 400 } });
		await context.failsWith(all, 'Activepieces did not accept the request');
		expect(sizes()).toEqual(['10000', '1000']);
	});
});

describe.each(FIRST_AND_LAST)('runs of one second at page edges on %s', (release) => {
	const context = useService({ release, data: { projects: 1, flowRuns: 26 } });

	test.each([1, 3, 7])('come once each and in order, with %i a page', async (pageSize) => {
		limits.leastPageByTime = 9;
		const { flowRuns } = context.data;
		flowRuns.sort((a, b) => (a.created < b.created ? -1 : 1));
		// Four records in each second.
		const time = (index: number) =>
			Date.parse('2026-05-01') + (index >> 2) * 5000 + (index % 4) * 200;
		for (const [index, run] of flowRuns.entries())
			run.created = new Date(time(index)).toISOString();
		const parameters = parametersOf('flowRun.getAll', { returnAll: true });
		const whole = ids(await context.records(parameters));
		expect(whole).toHaveLength(26);
		const options = { pageSize };
		expect(ids(await context.records({ ...parameters, options }))).toEqual(whole);
	});
});
