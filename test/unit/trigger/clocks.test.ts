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

/** Polls, one per minute, whose responses contain a time with this error. */
async function pollAtWrongTime(n8n: FakeN8n, skew: number, polls = 1): Promise<void> {
	service.skew = skew;
	await n8n.polls(polls, () => service.pass());
	service.skew = 0;
}

const AHEAD = [10 * MINUTE, 6 * HOUR, 8 * DAY, 7000 * YEAR];

describe.each(AHEAD.flatMap((skew) => [1, 5].map((polls) => [skew, polls])))(
	'a time that is %d ms ahead at %d polls',
	(skew, polls) => {
		test('loses nothing of a project that is new then, or later', async () => {
			const n8n = await watch('flowRunFailed');
			await pollAtWrongTime(n8n, skew, polls);
			service.projects.push('project-new');
			service.pass();
			const made = [service.addRun({ projectId: 'project-new' }).id];
			await pollAtWrongTime(n8n, skew, polls);
			await n8n.polls(polls, () => service.pass());
			service.projects.push('project-newer');
			for (const projectId of ['project-new', 'project-newer']) {
				service.pass();
				made.push(service.addRun({ projectId }).id);
			}
			await n8n.poll();
			expect(await n8n.idsAfterRestart()).toEqual(made);
		});

		test('lets no project be forgotten that is missing then', async () => {
			const n8n = await watch('flowRunFailed');
			service.projects = ['project-a'];
			service.pass();
			await n8n.poll();
			const { id } = service.addRun({ projectId: 'project-b' });
			await pollAtWrongTime(n8n, skew, polls);
			service.projects = ['project-a', 'project-b'];
			service.pass(HOUR);
			expect(await n8n.idsAfterPoll()).toEqual([id]);
		});
	},
);

test('a time that is wrong at every second or third poll is told in one line of the log', async () => {
	const n8n = await watch('userJoined');
	const made: string[] = [];
	for (let count = 0; count < 20; count++) {
		service.skew = [0, HOUR, 0, HOUR, 3 * HOUR][count % 5];
		service.pass();
		made.push(service.addUser());
		await n8n.poll();
	}
	expect(n8n.warnings).toEqual([
		expect.stringContaining('does not match the time of the last poll'),
	]);
	expect(n8n.ids).toEqual(made);
});

test.each([-2 * HOUR, 2 * HOUR])(
	'a time that stays different is used once it is confirmed: n8n %d ms ahead',
	async (skew) => {
		const n8n = await watchBySkewedClock('flowRunFailed');
		n8nSkew = skew;
		const made: string[] = [];
		for (let count = 0; count < 6; count++) {
			service.pass();
			if (count > 2) made.push(service.addRun().id);
			await n8n.poll();
		}
		expect(n8n.ids).toEqual(made);
		expect(n8n.warnings).toHaveLength(1);
		const lastPoll = Number(/"lastPoll":(\d+)/.exec(n8n.stored)?.[1]);
		expect(service.now - lastPoll).toBeLessThan(2000);
	},
);

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
		// It is unknown when the poll with the wrong time was, so the one before it counts.
		expect(n8n.ids.slice(1)).toContain(id);
		expect(n8n.ids.length).toBeLessThanOrEqual(3);
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
		expect(n8n.warnings).toHaveLength(when === 'always' ? 0 : 1);
	});

	test('are not returned when they lasted almost Lookback and failed just before it', async () => {
		service.addRun({ created: ago(61 * MINUTE), finishTime: ago(3 * MINUTE) });
		const n8n = await watch('flowRunFailed', { 'options.lookbackHours': 1 });
		service.pass();
		await n8n.polls(2);
		expect(n8n.given).toEqual([]);
	});
});

test('without any time, a project that is missing from one list is not forgotten', async () => {
	service.isDated = false;
	const n8n = await watch('flowRunFailed');
	service.projects = ['project-a'];
	await n8n.poll();
	service.pass();
	const missed = service.addRun({ projectId: 'project-b' }).id;
	service.pass(HOUR);
	service.addRun();
	await n8n.polls(2);
	service.projects = ['project-a', 'project-b'];
	expect(await n8n.idsAfterPoll()).toContain(missed);
});

test('floors in the future, in an edited state, suppress no events', async () => {
	const n8n = await watch('flowRunFailed');
	const far = service.now + 20 * YEAR;
	n8n.stored = n8n.stored
		.replace(/"floor":\d+/, `"floor":${far}`)
		.replace(
			/"lastPoll":\d+,"read":\[[^\]]*\],"exceptions":\[\]/,
			`"lastPoll":${far},"read":["project-a"],"exceptions":[["project-b",${far},true,0,true]]`,
		);
	await n8n.restart();
	service.pass();
	const made = service.projects.map((projectId) => service.addRun({ projectId }).id);
	expect(await n8n.idsAfterPoll()).toEqual(made);
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
