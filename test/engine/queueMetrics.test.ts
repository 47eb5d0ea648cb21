import { ROUTE_MISSING, type FaultKind } from '../service';
import { atTime } from './harness/clock';
import { METRICS, ofRecord } from './harness/parameters';
import { requestPaths, useService } from './harness/service';

const FIRST = '/v1/queue-metrics';
const SUCCESSOR = '/v1/worker-machines/queue-metrics';
const PROMETHEUS = `${SUCCESSOR}/prometheus`;

describe('endpoints that moved', () => {
	const later = useService({ release: '0.85' });
	const older = useService({ release: '0.73' });

	/** The paths of a run, this many minutes from now. */
	const pathsAfter = async (minutes: number) => {
		later.clearRequests();
		await atTime(Date.now() + minutes * 60_000, async () => await later.records(METRICS));
		return requestPaths(later).map((path) => path.slice('GET '.length));
	};

	test('the contract’s path is requested first; its successor is remembered for ten minutes', async () => {
		// Only newer servers have metrics for Prometheus.
		expect(await pathsAfter(0)).toEqual([FIRST, SUCCESSOR, PROMETHEUS]);
		expect(await pathsAfter(0)).toEqual([SUCCESSOR]);
		expect(await pathsAfter(60)).toEqual([FIRST, SUCCESSOR, PROMETHEUS]);
		expect(await pathsAfter(60 + 9)).toEqual([SUCCESSOR]);
		expect(await pathsAfter(60 + 11)).toEqual([FIRST, SUCCESSOR, PROMETHEUS]);
	});

	test('what is remembered for one Base URL does not apply to another', async () => {
		await later.records(METRICS, { credential: older.credential });
		expect(requestPaths(older)).toEqual([`GET ${FIRST}`, 'GET /v1/projects', `GET ${FIRST}`]);
	});

	test('a key without access to any project is told which release needs none', async () => {
		older.fault({ path: '/v1/projects', kind: { body: { data: [], next: null } } });
		await older.failsWith(METRICS, 'This needs Activepieces 0.79 or later');
		expect(requestPaths(older)).toEqual([`GET ${FIRST}`, 'GET /v1/projects']);
	});

	test('a missing template does not point to a request to the successor', async () => {
		await older.failure(ofRecord('flowTemplate.delete', 'gone'));
		expect(requestPaths(older)).toEqual(['DELETE /v1/flow-templates/gone']);
	});

	test('a server that is upgraded or downgraded in between is noticed, and one that has neither path', async () => {
		await later.records(METRICS);
		later.clearRequests();
		later.fault({ path: SUCCESSOR, kind: ROUTE_MISSING });
		later.fault({ path: FIRST, kind: { body: { stats: { active: 1 } } } });
		for (let run = 0; run < 2; run++) {
			expect(await later.records(METRICS)).toEqual([{ stats: { active: 1 } }]);
		}
		expect(requestPaths(later)).toEqual([SUCCESSOR, FIRST, FIRST].map((path) => `GET ${path}`));
		later.clearFaults();
		later.fault({ kind: ROUTE_MISSING });
		await later.failsWith(METRICS, `This Activepieces server has no endpoint GET ${FIRST}`);
	});

	test('counters that the service does not report are absent, and queues are added up', async () => {
		const queues = [
			{ name: 'workerJobs', waiting: 3, active: 1 },
			{ name: 'platform-a-jobs', waiting: '4', active: 2 },
			{ waiting: { toString: 1, valueOf: 1 }, active: 'none' },
		];
		later.fault({ path: SUCCESSOR, kind: { body: { queues } } });
		expect(await later.records(METRICS)).toEqual([{ stats: { waiting: 7, active: 3 }, queues }]);
	});
});

describe('metrics for Prometheus', () => {
	const context = useService({ release: '0.86', prometheus: true });
	const without = useService({ release: '0.86' });
	const old = useService({ release: '0.79' });

	test('return all states of the contract again, as numbers, and are read every time', async () => {
		const { queue } = context.data;
		Object.assign(queue, { failed: 3, completed: 12_000, paused: 1, 'waiting-children': 4 });
		const { stats, queues } = await context.record(METRICS);
		expect(stats).toEqual(queue);
		const states = 'active completed delayed failed paused prioritized waiting waiting-children';
		expect(Object.keys(stats as object).sort()).toEqual(states.split(' '));
		expect(queues).toMatchObject([{ name: 'workerJobs' }]);
		context.clearRequests();
		await context.records(METRICS);
		expect(requestPaths(context)).toEqual([`GET ${SUCCESSOR}`, `GET ${PROMETHEUS}`]);
	});

	test.each([401, 402, 403, 404])('refused with %s leave what there was before', async (status) => {
		context.fault({ path: PROMETHEUS, kind: { status, code: 'AUTHORIZATION' } });
		const { stats } = await context.record(METRICS);
		expect(Object.keys(stats as object)).toEqual(['waiting', 'active']);
	});

	const TEXT = { body: 'ok', contentType: 'text/plain' };
	const NO_METRICS: FaultKind[] = [{ status: 500 }, { html: true }, TEXT, { body: { queues: [] } }];
	test.each(NO_METRICS)('that cannot be read do not mean that no jobs failed: %j', async (kind) => {
		context.fault({ path: PROMETHEUS, kind });
		expect((await context.failure(METRICS)).message).not.toBe('');
	});

	const returns = (body: string) =>
		context.fault({ path: PROMETHEUS, kind: { body, contentType: 'text/plain' } });

	test.each([
		['a label before and after it', 'bullmq_job_count{queue="a",state="failed",host="x"} 3'],
		['spaces between the labels', 'bullmq_job_count{ queue="a" , state="failed" , host="x" } 3'],
		['a comma after the last label', 'bullmq_job_count{queue="a",state="failed",}\t3'],
		['a time after the value', 'bullmq_job_count{state="failed"} 3 1395066363000'],
		['Windows line ends', '# HELP x\r\nbullmq_job_count{state="failed"} 3\r\n'],
		['another queue', 'bullmq_job_count{state="failed"} 1\nbullmq_job_count{state="failed"} 2'],
		['an escaped quote in a label', 'bullmq_job_count{queue="a\\",state=\\"x",state="failed"} 3'],
	])('are read in a line with %s', async (_name, text) => {
		returns(text);
		expect(await context.record(METRICS)).toMatchObject({ stats: { failed: 3 } });
	});

	test.each([
		['another metric', 'bullmq_job_seconds{state="failed"} 3'],
		['a label whose name ends in state', 'bullmq_job_count{substate="failed"} 3'],
		['no value', 'bullmq_job_count{state="failed"}'],
		['no end', 'bullmq_job_count{state="failed"'],
		['no state', 'bullmq_job_count{queue="a"} 3'],
		['a state that is none', 'bullmq_job_count{state="a b"} 3'],
		['text in front of it', 'x bullmq_job_count{state="failed"} 3'],
		// Each of them takes minutes or longer with code that restarts at every character.
		['many labels without a name', `bullmq_job_count{${','.repeat(266_000)}`],
		['many labels and no end', `bullmq_job_count{${',state="a"'.repeat(26_600)}`],
		['many starts', 'bullmq_job_count{'.repeat(15_600)],
		['many escapes', `bullmq_job_count{state="${'\\'.repeat(266_000)}`],
		['many spaces', `bullmq_job_count{state="a"}${' '.repeat(266_000)}`],
		['empty lines only', '\n'.repeat(5_000_000)],
	])('are missing in a text with %s', async (_name, text) => {
		returns(text);
		await context.failsWith(METRICS, /^The response for the queue metrics is incomplete/);
	});

	test('are only looked for from time to time on a server without them', async () => {
		const { waiting, prioritized, active } = without.data.queue;
		const stats = { waiting: waiting + prioritized, active };
		for (let time = 0; time < 3; time++) {
			expect(await without.records(METRICS, [{}, {}])).toMatchObject([{ stats }, { stats }]);
		}
		const asked = requestPaths(without).filter((path) => path === `GET ${PROMETHEUS}`);
		expect(asked.length).toBeLessThanOrEqual(2);
	});

	test('are not looked for on a release that returns all states by itself', async () => {
		expect(await old.records(METRICS)).toEqual([{ stats: old.data.queue }]);
		expect(requestPaths(old)).not.toContain(`GET ${PROMETHEUS}`);
	});
});
