import fc from 'fast-check';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { DAY, HOUR, MINUTE, renewService, service, useFakes, watch } from './useFakes';

const YEAR = 365 * DAY;

useFakes();

/** A poll, a minute after the last one, that is told a time which is off by so much. */
async function pollAtWrongTime(n8n: FakeN8n, skew: number): Promise<void> {
	const right = service.skew;
	service.pass();
	service.skew = skew;
	await n8n.poll();
	service.skew = right;
}

describe('a time that is wrong once', () => {
	test.each([10 * MINUTE, 6 * HOUR, YEAR, 7000 * YEAR])(
		'%d ms ahead does not silence a project that is listed for the first time after it',
		async (skew) => {
			const n8n = await watch('flowRunFailed');
			await pollAtWrongTime(n8n, skew);
			service.pass();
			service.projects.push('project-new');
			await n8n.poll();
			service.pass();
			const id = service.addRun({ projectId: 'project-new' }).id;
			await n8n.poll();
			expect(n8n.ids).toEqual([id]);
		},
	);

	test.each([HOUR, 3 * DAY, 60 * YEAR])(
		'%d ms behind invents nothing and repeats nothing',
		async (back) => {
			for (let age = 10 * DAY; age > 0; age -= HOUR) {
				service.addUser(new Date(service.now - age).toISOString());
			}
			limits.triggerSeenRecords = 10;
			const n8n = await watch('userJoined');
			const made: string[] = [];
			for (let count = 0; count < 60; count++) {
				service.pass();
				made.push(service.addUser());
				await n8n.poll();
			}
			await pollAtWrongTime(n8n, -back);
			await n8n.restart();
			made.push(service.addUser());
			await n8n.poll();
			await n8n.restart();
			await n8n.poll();
			expect(n8n.ids).toEqual(made);
		},
	);

	test('is told in one line of the log', async () => {
		const n8n = await watch('flowRunFailed');
		await pollAtWrongTime(n8n, HOUR);
		expect(n8n.warnings).toEqual([expect.stringContaining('does not fit that of the last poll')]);
		service.pass();
		await n8n.poll();
		expect(n8n.warnings).toHaveLength(1);
	});

	test('is told once when it comes at every second or third poll', async () => {
		const n8n = await watch('userJoined');
		const made: string[] = [];
		for (let count = 0; count < 60; count++) {
			service.skew = [0, HOUR, 0, HOUR, 3 * HOUR][count % 5];
			service.pass();
			made.push(service.addUser());
			await n8n.poll();
		}
		expect(n8n.warnings).toHaveLength(1);
		expect(n8n.ids).toEqual(made);
	});

	test('lets no project be forgotten that is missing then', async () => {
		const n8n = await watch('flowRunFailed');
		service.projects = ['project-a'];
		service.pass();
		await n8n.poll();
		service.pass();
		const id = service.addRun({ projectId: 'project-b' }).id;
		await pollAtWrongTime(n8n, 8 * DAY);
		await n8n.poll();
		service.projects = ['project-a', 'project-b'];
		service.pass(HOUR);
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});
});

/** By how much the clock of n8n is ahead of that of the service. */
let n8nSkew = 0;
beforeEach(() => {
	n8nSkew = 0;
});

async function watchBySkewedClock(event: string, parameters = {}): Promise<FakeN8n> {
	const n8n = new FakeN8n(service, { event, statuses: ['FAILED'], ...parameters });
	jest.spyOn(Date, 'now').mockImplementation(() => service.now + n8nSkew);
	await n8n.activate('activate');
	return n8n;
}

const RECORDS: Record<string, (at: number) => string> = {
	userJoined: (at) => service.addUser(new Date(at).toISOString()),
	flowCreated: (at) => service.addFlow({ created: new Date(at).toISOString() }).id,
	flowRunFailed: (at) => service.addRun({ created: new Date(at).toISOString() }).id,
};

describe.each(Object.keys(RECORDS))('the clock of n8n is wrong at one poll: %s', (event) => {
	const add = (age = 0) => RECORDS[event](service.now - age);
	const wrong = [-HOUR, -2 * DAY, -400 * DAY, 2 * DAY].flatMap((skew) => [
		[skew, false] as const,
		[skew, true] as const,
	]);

	test.each(wrong)('%d ms ahead invents nothing (restart: %s)', async (skew, isRestarted) => {
		for (let hour = 1; hour < 30 * 24; hour++) add(hour * HOUR);
		const n8n = await watchBySkewedClock(event);
		service.pass(HOUR);
		const made = [add()];
		await n8n.poll();
		n8nSkew = skew;
		service.pass(HOUR);
		await (isRestarted ? n8n.restart() : n8n.poll());
		n8nSkew = 0;
		service.pass();
		made.push(add());
		await n8n.pollToEnd();
		expect(n8n.ids).toEqual(made);
	});

	test.each([-HOUR, -2 * DAY, 2 * DAY])('%d ms ahead repeats nothing of many', async (skew) => {
		limits.triggerSeenRecords = 10;
		const n8n = await watchBySkewedClock(event);
		const made: string[] = [];
		for (let count = 0; count < 60; count++) {
			service.pass();
			made.push(add(), add());
			await n8n.poll();
		}
		n8nSkew = skew;
		service.pass();
		await n8n.poll();
		n8nSkew = 0;
		for (let count = 0; count < 3; count++) {
			service.pass();
			await n8n.poll();
		}
		expect(n8n.ids).toEqual(made);
	});
});

test.each([-2 * DAY, 2 * DAY])(
	'the clock of n8n %d ms ahead at one poll invents nothing in a project that is new after it',
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
		await n8n.poll();
		await n8n.poll();
		// It cannot tell when the poll at the wrong time was, so the one before it counts.
		expect(n8n.ids.slice(1)).toContain(id);
		expect(n8n.ids.length).toBeLessThanOrEqual(3);
	},
);

test.each([3, 1000])(
	'whichever clock is wrong at a poll, every event is given once (room for %d IDs)',
	async (seen) => {
		const off = [0, 0, HOUR, -HOUR, 3 * DAY, -3 * DAY];
		const step = fc.record({
			clock: fc.constantFrom('n8n', 'service', 'none'),
			skew: fc.constantFrom(...off),
			happens: fc.nat(3),
			pass: fc.constantFrom(MINUTE, 10 * MINUTE, HOUR),
			isRestart: fc.constantFrom(false, false, false, true),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...Object.keys(RECORDS)),
				fc.array(step, { minLength: 3, maxLength: 30, size: 'max' }),
				fc.constantFrom(1, 2, 1000),
				fc.constantFrom(4, 10_000),
				async (event, steps, maxItems, listed) => {
					renewService();
					limits.defaultPageSize = Math.min(listed, 1000);
					limits.triggerRunsPageSize = limits.defaultPageSize;
					n8nSkew = 0;
					limits.triggerSeenRecords = seen;
					const n8n = await watchBySkewedClock(event, { 'options.maxItems': maxItems });
					const made: string[] = [];
					for (const { clock, skew, happens, pass, isRestart } of steps) {
						service.skew = clock === 'service' ? skew : 0;
						n8nSkew = clock === 'n8n' ? skew : 0;
						service.isDated = clock !== 'none';
						service.pass(pass);
						for (let count = 0; count < happens; count++) {
							made.push(RECORDS[event](service.now));
							service.pass(1000);
						}
						await (isRestart ? n8n.restart() : n8n.poll());
					}
					service.skew = 0;
					n8nSkew = 0;
					service.isDated = true;
					await n8n.pollToEnd();
					expect([...n8n.ids].sort()).toEqual(made.sort());
				},
			),
			{ numRuns: 100 },
		);
	},
);

describe('runs from before the activation', () => {
	/** Runs that ended some minutes after their start, one an hour for three days. */
	const failBefore = () => {
		for (let minutes = 10; minutes < 3 * 24 * 60; minutes += 60) {
			const start = service.now - minutes * MINUTE;
			const [created, finishTime] = [start, start + MINUTE].map((at) => new Date(at).toISOString());
			service.addRun({ created, finishTime });
		}
	};

	test.each([
		[-3, 1],
		[-12, 1],
		[-48, 24],
		[3, 1],
	])('are not given when n8n is always %d hours ahead (Lookback %d)', async (hours, lookback) => {
		failBefore();
		n8nSkew = hours * HOUR;
		const n8n = await watchBySkewedClock('flowRunFailed', { 'options.lookbackHours': lookback });
		service.pass();
		const { id } = service.addRun();
		await n8n.pollToEnd();
		await n8n.restart();
		expect(n8n.ids).toEqual([id]);
	});

	test.each([-3 * DAY, -2 * HOUR, HOUR, 3 * DAY])(
		'are not given when n8n is %d ms ahead at the activation only',
		async (skew) => {
			failBefore();
			n8nSkew = skew;
			const n8n = await watchBySkewedClock('flowRunFailed', { 'options.lookbackHours': 1 });
			n8nSkew = 0;
			const made: string[] = [];
			for (let count = 0; count < 5; count++) {
				service.pass();
				made.push(service.addRun().id);
				await n8n.poll();
			}
			expect(n8n.ids).toEqual(made);
		},
	);

	test('are not given when they lasted almost Lookback and failed just before it', async () => {
		const [created, finishTime] = [61, 3].map((minutes) =>
			new Date(service.now - minutes * MINUTE).toISOString(),
		);
		service.addRun({ created, finishTime });
		const n8n = await watch('flowRunFailed', { 'options.lookbackHours': 1 });
		service.pass();
		await n8n.poll();
		await n8n.poll();
		expect(n8n.given).toEqual([]);
	});
});

describe.each([10 * MINUTE, 6 * HOUR, 3 * DAY, 7000 * YEAR])(
	'a time that is %d ms ahead for an hour',
	(skew) => {
		const pollWrongly = async (n8n: FakeN8n, polls: number) => {
			for (let count = 0; count < polls; count++) await pollAtWrongTime(n8n, skew);
		};

		test.each([1, 5])(
			'loses nothing of a project that is new then or %d polls later',
			async (polls) => {
				const n8n = await watch('flowRunFailed');
				await pollWrongly(n8n, 5);
				service.projects.push('project-new');
				service.pass();
				const made = [service.addRun({ projectId: 'project-new' }).id];
				await pollWrongly(n8n, 5);
				for (let count = 0; count < polls; count++) {
					service.pass();
					await n8n.poll();
				}
				service.projects.push('project-newer');
				for (const projectId of ['project-new', 'project-newer']) {
					service.pass();
					made.push(service.addRun({ projectId }).id);
				}
				await n8n.poll();
				await n8n.restart();
				expect(n8n.ids).toEqual(made);
			},
		);

		test('lets no project be forgotten that is missing then', async () => {
			const n8n = await watch('flowRunFailed');
			service.projects = ['project-a'];
			service.pass();
			await n8n.poll();
			const { id } = service.addRun({ projectId: 'project-b' });
			await pollWrongly(n8n, 5);
			service.projects = ['project-a', 'project-b'];
			service.pass();
			await n8n.poll();
			expect(n8n.ids).toEqual([id]);
		});

		test('repeats and loses nothing of projects that are known', async () => {
			limits.triggerSeenRecords = 3;
			const n8n = await watch('flowRunFailed');
			const made: string[] = [];
			for (let count = 0; count < 30; count++) {
				service.pass();
				made.push(service.addRun({ projectId: service.projectOf(count) }).id);
				if (count > 5 && count < 20) await pollWrongly(n8n, 1);
				else await n8n.poll();
				if (count % 7 === 0) await n8n.restart();
			}
			expect(n8n.ids).toEqual(made);
			expect(n8n.warnings.length).toBeLessThanOrEqual(6);
		});
	},
);

test('a time that stays ahead is used once events are dated by it', async () => {
	const n8n = await watch('flowRunFailed');
	// The server's clock is put right: by that of n8n it was behind.
	n8nSkew = -2 * HOUR;
	jest.spyOn(Date, 'now').mockImplementation(() => service.now + n8nSkew);
	const lastPoll = () => Number(/"lastPoll":(\d+)/.exec(n8n.stored)?.[1]);
	for (let count = 0; count < 3; count++) {
		service.pass();
		await n8n.poll();
	}
	const made: string[] = [];
	for (let count = 0; count < 3; count++) {
		service.pass();
		made.push(service.addRun().id);
		await n8n.poll();
	}
	expect(n8n.ids).toEqual(made);
	expect(n8n.warnings).toHaveLength(1);
	expect(service.now - lastPoll()).toBeLessThan(2000);
});

test('a time that stays different is used from the second poll on', async () => {
	const n8n = await watch('flowRunFailed');
	for (let count = 0; count < 3; count++) await pollAtWrongTime(n8n, -2 * HOUR);
	expect(n8n.warnings).toHaveLength(1);
});

test.each([-2 * HOUR, 2 * HOUR, 3 * YEAR])(
	'a server that is always %d ms ahead of n8n gives each event once',
	async (offset) => {
		const n8n = new FakeN8n(service, { event: 'flowRunFailed', statuses: ['FAILED'] });
		jest.spyOn(Date, 'now').mockImplementation(() => service.now - offset);
		service.addRun({ projectId: 'project-a' });
		await n8n.activate('activate');
		const made: string[] = [];
		for (let count = 0; count < 5; count++) {
			service.pass(10 * MINUTE);
			made.push(service.addRun({ projectId: 'project-a' }).id);
			if (count === 2) service.projects.push('project-new');
			if (count > 2) made.push(service.addRun({ projectId: 'project-new' }).id);
			await n8n.poll();
			await n8n.restart();
		}
		expect(n8n.ids).toEqual(made);
		expect(n8n.warnings).toEqual([]);
	},
);

test('without any time, a project that one list leaves out is not forgotten', async () => {
	service.isDated = false;
	const n8n = await watch('flowRunFailed');
	service.projects = ['project-a'];
	await n8n.poll();
	service.pass();
	const missed = service.addRun({ projectId: 'project-b' }).id;
	service.pass(HOUR);
	service.addRun({ projectId: 'project-a' });
	await n8n.poll();
	await n8n.poll();
	service.projects = ['project-a', 'project-b'];
	await n8n.poll();
	expect(n8n.ids).toContain(missed);
});

test('floors of an edited state that lie in the future silence nothing', async () => {
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
	const made = ['project-a', 'project-b'].map((projectId) => service.addRun({ projectId }).id);
	await n8n.poll();
	expect(n8n.ids).toEqual(made);
});

test('the first events of a project are given although their clock is some minutes behind', async () => {
	service.skew = 4 * MINUTE;
	const n8n = await watch('flowRunFailed');
	service.pass();
	await n8n.poll();
	service.pass(20_000);
	service.projects.push('project-new');
	const made = [service.addRun({ projectId: 'project-new' }).id];
	await n8n.poll();
	expect(n8n.ids).toEqual(made);
});
