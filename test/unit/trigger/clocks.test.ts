import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { DAY, HOUR, MINUTE, renewService, service, useFakes, watch } from './useFakes';

const YEAR = 365 * DAY;

useFakes();

/** How far the clock of n8n is ahead of the service's. */
let n8nSkew = 0;
beforeEach(() => {
	n8nSkew = 0;
});

async function watchBySkewedClock(event: string, parameters: IDataObject = {}): Promise<FakeN8n> {
	const n8n = new FakeN8n(service, { event, statuses: ['FAILED'], ...parameters });
	jest.spyOn(Date, 'now').mockImplementation(() => service.now + n8nSkew);
	await n8n.activate('activate');
	return n8n;
}

const ago = (ms: number) => new Date(service.now - ms).toISOString();

const RECORDS: Record<string, (created?: string) => string> = {
	userJoined: (created) => service.addUser(created),
	flowCreated: (created = service.time) => service.addFlow({ created }).id,
	flowRunFailed: (created = service.time) => service.addRun({ created }).id,
};

const OFF = [0, 0, HOUR, -HOUR, 3 * DAY, -3 * DAY];
const clock = fc.constantFrom(
	...OFF.flatMap((skew) => [{ n8n: skew }, { server: skew }, { isTold: false }]),
	...[-400 * DAY, -2 * DAY].map((n8n) => ({ n8n })),
	...[-60 * YEAR, 7000 * YEAR].map((server) => ({ server })),
);

test('whichever clock is wrong at a poll, every event is returned once, and none from before', async () => {
	const step = fc.record({
		clock: clock as fc.Arbitrary<{ n8n?: number; server?: number; isTold?: boolean }>,
		happens: fc.nat(2),
		pass: fc.constantFrom(MINUTE, 10 * MINUTE, HOUR),
		isRestart: fc.constantFrom(false, false, false, true),
	});
	const history = fc.record({
		event: fc.constantFrom(...Object.keys(RECORDS)),
		steps: fc.array(step, { minLength: 3, maxLength: 25, size: 'max' }),
		maxItems: fc.constantFrom(2, 1000),
		pageSize: fc.constantFrom(4, 1000),
		seen: fc.constantFrom(3, 1000),
		before: fc.constantFrom(0, 20),
	});
	await fc.assert(
		fc.asyncProperty(history, async ({ event, steps, maxItems, pageSize, seen, before }) => {
			renewService();
			n8nSkew = 0;
			limits.defaultPageSize = pageSize;
			limits.triggerRunsPageSize = pageSize;
			limits.triggerSeenRecords = seen;
			for (let count = before; count > 0; count--) RECORDS[event](ago(count * 6 * HOUR));
			const n8n = await watchBySkewedClock(event, { 'options.maxItems': maxItems });
			const made: string[] = [];
			for (const { clock, happens, pass, isRestart } of steps) {
				n8nSkew = clock.n8n ?? 0;
				service.skew = clock.server ?? 0;
				service.isDated = clock.isTold ?? true;
				service.pass(pass);
				for (let count = 0; count < happens; count++) {
					made.push(RECORDS[event]());
					service.pass(1000);
				}
				await (isRestart ? n8n.restart() : n8n.poll());
			}
			service.skew = 0;
			n8nSkew = 0;
			service.isDated = true;
			await n8n.pollToEnd();
			expect([...n8n.ids].sort()).toEqual(made.sort());
		}),
		{ numRuns: 60 },
	);
});

test('a time of the server that is once far ahead loses nothing later', async () => {
	const n8n = await watch('flowRunFailed');
	service.skew = 7000 * YEAR;
	service.pass();
	await n8n.poll();
	service.skew = 0;
	const made: string[] = [];
	await n8n.polls(2, () => {
		service.pass();
		made.push(service.addRun().id);
	});
	service.projects.push('project-new');
	service.pass();
	made.push(service.addRun({ projectId: 'project-new' }).id);
	await n8n.poll();
	expect(await n8n.idsAfterRestart()).toEqual(made);
});

test('clocks that are both set back after they were ahead lose no run', async () => {
	const n8n = await watchBySkewedClock('flowRunSucceeded', { 'options.lookbackHours': 1 });
	service.pass(3 * DAY);
	await n8n.poll();
	service.pass(-2 * DAY);
	const { id } = service.addRun({ status: 'SUCCEEDED' });
	expect(await n8n.idsAfterPoll()).toEqual([id]);
});

test.each([-2 * DAY, 2 * DAY])(
	'n8n %d ms ahead at one poll causes no events in a new project',
	async (skew) => {
		const n8n = await watchBySkewedClock('flowRunFailed');
		service.pass(HOUR);
		service.addRun();
		await n8n.poll();
		n8nSkew = skew;
		service.pass(HOUR);
		service.addRun({ projectId: 'project-new' });
		service.pass(HOUR);
		await n8n.poll();
		n8nSkew = 0;
		service.pass();
		service.projects.push('project-new');
		const { id } = service.addRun({ projectId: 'project-new' });
		await n8n.polls(2);
		expect(n8n.ids.slice(1)).toEqual([id]);
	},
);

describe('runs from before the activation', () => {
	const of = (when: string, skews: number[]) =>
		skews.map((skew): [string, number, number] => [when, skew, 1]);
	test.each([
		...of('always', [-3 * HOUR, -12 * HOUR, 3 * HOUR, -3 * YEAR]),
		['always', -48 * HOUR, 24] as const,
		...of('at the activation', [-3 * DAY, -2 * HOUR, HOUR, 3 * DAY]),
	])('are not returned when n8n is %s %d ms ahead (Lookback %d)', async (when, skew, lookback) => {
		// Some minutes after their start, one an hour for three days.
		for (let minutes = 10; minutes < 3 * 24 * 60; minutes += 60) {
			service.addRun({ created: ago(minutes * MINUTE), finishTime: ago((minutes - 1) * MINUTE) });
		}
		n8nSkew = skew;
		const n8n = await watchBySkewedClock('flowRunFailed', { 'options.lookbackHours': lookback });
		if (when !== 'always') n8nSkew = 0;
		const made: string[] = [];
		await n8n.polls(5, () => {
			service.pass();
			made.push(service.addRun().id);
		});
		service.projects.push('project-new');
		made.push(service.addRun({ projectId: 'project-new' }).id);
		await n8n.pollToEnd();
		expect(await n8n.idsAfterRestart()).toEqual(made);
		expect(n8n.warnings).toEqual([]);
	});

	test('are not returned when they lasted almost Lookback and failed just before it', async () => {
		service.addRun({ created: ago(61 * MINUTE), finishTime: ago(3 * MINUTE) });
		const n8n = await watch('flowRunFailed', { 'options.lookbackHours': 1 });
		service.pass();
		await n8n.polls(2);
		expect(n8n.given).toEqual([]);
	});
});

test('the first events of a project are returned although their clock is some minutes behind', async () => {
	service.skew = 4 * MINUTE;
	const n8n = await watch('flowRunFailed');
	service.pass();
	await n8n.poll();
	service.pass(20_000);
	service.projects.push('project-new');
	const { id } = service.addRun({ projectId: 'project-new' });
	expect(await n8n.idsAfterPoll()).toEqual([id]);
});
