import { call, start, stopAll } from './client';
import { RECORDED_RELEASES, type Service } from './index';
import { stepsOf } from './webhookSteps';

afterEach(stopAll);

/** Without a key, like anybody who knows the URL of a webhook. */
const post = async (service: Service, path: string) => {
	const headers = { 'content-type': 'application/json' };
	const init = { method: 'POST', headers, body: '{"order":1}' };
	const response = await fetch(service.baseUrl + path, init);
	return { status: response.status, text: await response.text() };
};

/** Every status in which a new run was seen, in order, until a call and its run have ended. */
async function watch(service: Service, called: Promise<unknown>): Promise<string[]> {
	const { flowRuns } = service.data;
	const seen: string[] = [];
	let isOver = false;
	void called.then(async () => await service.webhooks.settled()).then(() => (isOver = true));
	for (let wasOver = false; !wasOver;) {
		wasOver = isOver;
		const { projectId } = service.data.flows[0];
		const { data } = (await call(service, `/v1/flow-runs?projectId=${projectId}&limit=100`)).json();
		for (const { id, status } of data as Array<{ id: string; status: string }>) {
			if (flowRuns.every((run) => run.id !== id) && seen.at(-1) !== status) seen.push(status);
		}
	}
	return seen;
}

describe.each(RECORDED_RELEASES)('the outcome of a call on %s', (release) => {
	let service: Service;
	let known: Set<string>;
	beforeEach(async () => {
		service = await start({ release, data: { flows: 2 } });
		service.webhooks.timeoutSeconds = 0.05;
		known = new Set(service.data.flowRuns.map(({ id }) => id));
	});

	const add = () =>
		service.live.addFlow({ enabled: true, steps: stepsOf('webhook', {}, { body: { ok: 1 } }) });

	test.each(['', '/sync'])('is a run that ends: %s', async (suffix) => {
		const { id } = add();
		const answer = post(service, `/v1/webhooks/${id}${suffix}`);
		const seen = await watch(service, answer);
		expect((await answer).status).toBe(200);
		// A worker may be faster than two reads.
		expect(['QUEUED', 'RUNNING', 'SUCCEEDED'].filter((each) => seen.includes(each))).toEqual(seen);
		expect(seen.at(-1)).toBe('SUCCEEDED');
		const [run] = service.data.flowRuns;
		expect(run).toMatchObject({ flowId: id, status: 'SUCCEEDED' });
		expect(String(run.created) < String(run.finishTime)).toBe(true);
	});

	test('is a run that fails where its flow does', async () => {
		const { id } = add();
		service.webhooks.ends.set(id, 'fails');
		await post(service, `/v1/webhooks/${id}`);
		await service.webhooks.settled();
		expect(service.data.flowRuns[0]).toMatchObject({ flowId: id, status: 'FAILED' });
	});

	const sync = async (flow: { id: string }, suffix = '/sync') => {
		const { status, text } = await post(service, `/v1/webhooks/${flow.id}${suffix}`);
		return [status, text];
	};
	const isEarly = release === '0.73' || release === '0.79';
	const late: [number, string] = release === '0.86' ? [408, '{}'] : [204, ''];

	test('is no answer where there is no trigger', async () => {
		const flow = service.live.addFlow({ trigger: 'empty' });
		const failed = [500, '{"message":"An internal error has occurred"}'];
		expect(await sync(flow, '/draft/sync')).toEqual(isEarly ? failed : late);
	});

	test('is no run without a worker, but for a sync call, whose run is queued', async () => {
		const { id } = add();
		service.webhooks.hasWorker = false;
		expect((await post(service, `/v1/webhooks/${id}`)).status).toBe(200);
		await service.webhooks.settled();
		expect(service.data.flowRuns.filter((run) => !known.has(run.id))).toEqual([]);
		const { status } = await post(service, `/v1/webhooks/${id}/sync`);
		expect(status).toBe(release === '0.86' ? 408 : 204);
		expect(service.data.flowRuns[0]).toMatchObject({ flowId: id, status: 'QUEUED' });
	});
});
