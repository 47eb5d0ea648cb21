import { limits } from './harness/built';
import { METRICS } from './harness/parameters';
import { atTime } from './harness/clock';
import { requestPaths, useService } from './harness/service';

const SUCCESSOR = '/v1/worker-machines/queue-metrics';
const PROMETHEUS = `${SUCCESSOR}/prometheus`;

describe('a server with metrics for Prometheus', () => {
	const context = useService({ release: '0.86', prometheus: true });

	const metrics = async () => await context.records(METRICS);

	test('returns all states of the contract again, as numbers', async () => {
		const { queue } = context.data;
		Object.assign(queue, { failed: 3, completed: 12_000, paused: 1, 'waiting-children': 4 });
		const [{ stats, queues }] = await metrics();
		expect(stats).toEqual(queue);
		const states = 'active completed delayed failed paused prioritized waiting waiting-children';
		expect(Object.keys(stats as object).sort()).toEqual(states.split(' '));
		expect(queues).toMatchObject([{ name: 'workerJobs' }]);
	});

	test('is asked for them every time', async () => {
		await metrics();
		context.clearRequests();
		await metrics();
		expect(requestPaths(context)).toEqual([`GET ${SUCCESSOR}`, `GET ${PROMETHEUS}`]);
	});

	test.each([401, 403])(
		'that refuses them with %s returns what it returned before',
		async (status) => {
			context.fault({ path: PROMETHEUS, kind: { status, code: 'AUTHORIZATION' } });
			const [{ stats }] = await metrics();
			expect(Object.keys(stats as object)).toEqual(['waiting', 'active']);
		},
	);

	test.each([
		['500', { status: 500 }],
		['a web page', { html: true as const }],
		['another text', { body: 'ok', contentType: 'text/plain' }],
	])('that cannot return them (%s) is not reported to have no failed jobs', async (_name, kind) => {
		context.fault({ path: PROMETHEUS, kind });
		expect((await context.failure(METRICS)).message).not.toBe('');
	});
});

describe('a server without them', () => {
	const context = useService({ release: '0.86' });

	test('is asked only from time to time, and returns what it returned before', async () => {
		const { engine, credential, service } = context;
		const run = { credential, parameters: METRICS, items: Array.from({ length: 3 }, () => ({})) };
		const { waiting, prioritized, active } = service.data.queue;
		const stats = { waiting: waiting + prioritized, active };
		await engine.records({ ...run, items: [{}] });
		for (let time = 0; time < 3; time++) {
			expect(await engine.records(run)).toMatchObject([{ stats }, { stats }, { stats }]);
		}
		const asked = () => requestPaths(context).filter((path) => path === `GET ${PROMETHEUS}`);
		expect(asked()).toHaveLength(1);
	});

	test('is asked again after that time', async () => {
		const later = Date.now() + limits.serverKnowledgeTtlMs + 1;
		await atTime(later, async () => await context.records(METRICS));
		expect(requestPaths(context)).toContain(`GET ${PROMETHEUS}`);
	});
});

describe('a release that returns all states by itself', () => {
	const context = useService({ release: '0.79' });

	test('is not asked for them', async () => {
		const [{ stats }] = await context.records(METRICS);
		expect(stats).toEqual(context.data.queue);
		expect(requestPaths(context)).not.toContain(`GET ${PROMETHEUS}`);
	});
});
