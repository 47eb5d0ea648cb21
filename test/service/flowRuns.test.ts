import { call, post, start, stopAll, walk } from './client';
import { FLOW_RUN_STATUSES } from './flowRunRecords';
import type { Service } from './index';

afterEach(stopAll);

const projectOf = ({ data }: Service) => data.flowRuns[0].projectId;
const runsOf = (service: Service, query = '') =>
	`/v1/flow-runs?projectId=${projectOf(service)}${query}`;

describe('generated runs', () => {
	test('are in every status but one, of published flows, the newest first', async () => {
		const service = await start({ data: { flows: 12, flowRuns: 200 } });
		const { flowRuns, flows } = service.data;
		const statuses = new Set(flowRuns.map(({ status }) => status));
		expect([...statuses].sort()).toEqual(
			FLOW_RUN_STATUSES.filter((status) => status !== 'LOG_SIZE_EXCEEDED').sort(),
		);
		for (const { flowId, failedStep, status } of flowRuns) {
			expect(flows.find(({ id }) => id === flowId)?.publishedVersionId).not.toBeNull();
			expect(failedStep !== null).toBe(status === 'FAILED');
		}
		const page = (await call(service, runsOf(service, '&limit=1000'))).json();
		const created = page.data.map((run) => String(run.created));
		expect(created).toEqual([...created].sort().reverse());
		expect(created.length).toBeGreaterThan(10);
	});

	test('of the same sizes are the same', async () => {
		const data = { flows: 12, flowRuns: 40 };
		const [one, two] = [await start({ data }), await start({ data })];
		expect(two.data.flowRuns).toEqual(one.data.flowRuns);
	});

	test('of one second are lost at page edges up to 0.79, and in one page they are not', async () => {
		const data = { flows: 12, flowRuns: 60, flowRunsSameSecond: true };
		const old = await start({ release: '0.79', data });
		const late = await start({ release: '0.85', data });
		const all = late.data.flowRuns.filter(({ projectId }) => projectId === projectOf(late)).length;
		expect((await walk(old, runsOf(old, '&limit=5'))).ids).toHaveLength(5);
		expect((await walk(old, runsOf(old, '&limit=1000'))).ids).toHaveLength(all);
		expect((await walk(late, runsOf(late, '&limit=5'))).ids).toHaveLength(all);
	});
});

test('a retry on the latest version is a new run of the version that is live', async () => {
	const service = await start();
	const flow = service.live.addFlow({ enabled: true });
	const run = service.live.addFlowRun({ flowId: flow.id, status: 'FAILED' });
	service.live.editFlow(flow.id, 'A draft');
	service.live.publishFlow(flow.id);
	const body = { projectId: run.projectId, strategy: 'ON_LATEST_VERSION' };
	const { text } = await post(service, `/v1/flow-runs/${run.id}/retry`, body);
	const again = JSON.parse(text) as Record<string, unknown>;
	expect(again).toMatchObject({ status: 'QUEUED', flowVersionId: flow.version.id });
	expect(again.id).not.toBe(run.id);
	expect(run).toMatchObject({ status: 'FAILED', version: { state: 'LOCKED' } });
	expect(run.version.id).not.toBe(flow.version.id);
});
