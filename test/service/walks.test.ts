import { call, flowsOf, start, stopAll, walk } from './client';
import type { Service } from './index';

afterAll(stopAll);

describe('full walks, as noted in the recordings', () => {
	let early: Service;
	let ofOneSecond: Service;
	beforeAll(async () => {
		early = await start({ release: '0.73', data: 'recorded' });
		ofOneSecond = await start({ data: { connections: 25, sameSecond: true } });
	});

	test.each([
		[10, 26],
		[300, 1],
	])('260 flows, 67 s apart, limit %d: %d pages, none lost', async (limit, pages) => {
		const { sizes, ids } = await walk(early, `${flowsOf(early)}&limit=${limit}`);
		expect(sizes).toHaveLength(pages);
		expect(new Set(ids).size).toBe(260);
	});

	test.each([
		[1, [1, 0]],
		[10, [10, 0]],
		[24, [24, 0]],
		[25, [25]],
		[100, [25]],
	])('25 connections of one second, limit %d: pages of %j', async (limit, pages) => {
		const path = `/v1/global-connections?limit=${limit}`;
		expect((await walk(ofOneSecond, path)).sizes).toEqual(pages);
		expect((await walk(ofOneSecond, path, ofOneSecond.otherPlatformKey)).sizes).toEqual(pages);
	});

	test('flows whose `updated` differ by microseconds only are lost at page edges', async () => {
		const service = await start({ data: { projects: 1, flows: 0 } });
		const [template] = (await start({ data: { projects: 1, flows: 1 } })).data.flows;
		service.data.flows = Array.from({ length: 25 }, (_, i) => {
			service.data.micros.set(`same-${i}`, 900 - i * 30);
			return { ...template, id: `same-${i}` };
		});
		const { sizes } = await walk(service, `${flowsOf(service)}&limit=10`);
		expect(sizes).toEqual([10, 0]);
		expect((await walk(service, `${flowsOf(service)}&limit=25`)).sizes).toEqual([25]);
	});

	test('a flow edited while its list is read is missed', async () => {
		const service = await start({ data: 'recorded' });
		const first = (await call(service, `${flowsOf(service)}&limit=100`)).json();
		const edited = service.data.flows[1];
		service.data.flows = service.data.flows.map((flow) =>
			flow === edited ? { ...flow, status: 'ENABLED', updated: '2026-12-01T00:00:00.000Z' } : flow,
		);
		const cursor = encodeURIComponent(first.next ?? '');
		const rest = await walk(service, `${flowsOf(service)}&limit=100&cursor=${cursor}`);
		expect(rest.ids).not.toContain(edited.id);
	});
});
