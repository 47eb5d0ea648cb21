import { limits } from '../harness/built';
import { byId, ids } from '../harness/byId';
import { useService } from '../harness/service';
import { activeTrigger, type TriggerRun } from '../harness/trigger';

const HOUR = 3_600_000;

beforeEach(() => {
	limits.triggerRunsPageSize = limits.defaultPageSize = 10;
	// No list is read completely.
	limits.maxRecordsPerItem = 50;
});

// Up to 0.79 a cursor skips the rest of a second (recorded).
describe.each(['0.79', '0.92'] as const)('many failed runs on release %s', (release) => {
	const context = useService({ release, data: { projects: 3, flows: 12, flowRuns: 0 } });
	beforeEach(() => void (context.data.flowRuns = []));
	const flow = () => context.data.flows[0];

	/** Runs that fail as soon as they have started, while n8n is off; some in the same second. */
	const failMany = (count: number, everyMs: number) =>
		Array.from({ length: count }, (_, index) => {
			if (index % 20 > 0) context.time.advance(everyMs);
			return context.live.addFlowRun({ status: 'FAILED', flowId: flow().id, duration: 0 }).id;
		});

	function failTogether(count: number, withinMs: number): string[] {
		context.time.advance(1000 - (context.time.now % 1000) + 300);
		context.time.step = withinMs / count;
		const made = failMany(count, 0);
		context.time.step = 1000;
		return made;
	}

	const watchOne = async () => await activeTrigger(context, { projectId: byId(flow().projectId) });

	async function pollLater(run: TriggerRun): Promise<void> {
		context.time.advance(HOUR);
		for (let poll = 0; poll < 3; poll++) await run.poll();
	}

	/** Limits a response to fewer bytes than a page of these runs. */
	async function boundAnswers(): Promise<void> {
		const query = `projectId=${flow().projectId}&limit=${limits.defaultPageSize}`;
		const headers = { authorization: `Bearer ${context.service.apiKey}` };
		const answer = await fetch(`${context.baseUrl}/v1/flow-runs?${query}`, { headers });
		limits.maxResponseBytes = 0.7 * (await answer.text()).length;
	}

	test.each(['runs', 'bytes'])('are given once, although a second has many %s', async (what) => {
		const run = await watchOne();
		const made = failTogether(25, 75);
		if (what === 'bytes') await boundAnswers();
		else made.push(...failMany(15, HOUR), ...failTogether(25, 100), ...failTogether(25, 100));
		await pollLater(run);
		expect(run.errors).toEqual([]);
		expect([...ids(run.given)].sort()).toEqual([...made].sort());
	});

	test('of one millisecond that the service does not return do not withhold the others', async () => {
		const run = await watchOne();
		const before = failMany(12, 60_000);
		context.time.advance(HOUR);
		const ofMoment = failTogether(20, 0);
		context.time.advance(HOUR);
		const after = failMany(12, 60_000);
		await boundAnswers();
		await pollLater(run);
		const given = new Set(ids(run.given));
		expect([...before, ...after].filter((id) => !given.has(id))).toEqual([]);
		expect(run.given).toHaveLength(given.size);
		// Lists of runs continue by time, and no more of one millisecond come than fit in a response.
		expect(ofMoment.every((id) => given.has(id))).toBe(false);
		expect([...run.errors, ...run.warnings]).toEqual([]);
	});

	if (release === '0.79') return;
	test('are returned in part when the poll has taken long, and the rest by the next polls', async () => {
		failMany(1, 0);
		const run = await watchOne();
		const made = failMany(60, HOUR);
		// It started first and failed last.
		context.live.finishFlowRun(made[0], 'FAILED');
		limits.triggerReadMs = 1;
		context.fault({ path: '/v1/flow-runs', kind: { delay: 5 } });
		const first = await run.poll();
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThan(40);
		context.clearFaults();
		limits.triggerReadMs = HOUR;
		await pollLater(run);
		expect(ids(run.given)).toEqual([...made.slice(1), made[0]]);
	});
});
