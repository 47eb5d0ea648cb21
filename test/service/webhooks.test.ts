import { call, post, start, stopAll } from './client';
import { RECORDED_RELEASES, type Service } from './index';
import { stepsOf } from './webhookSteps';

afterEach(stopAll);

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
	beforeEach(async () => {
		service = await start({ release, data: { flows: 2 } });
		service.webhooks.timeoutSeconds = 0.05;
	});

	const add = () =>
		service.live.addFlow({ enabled: true, steps: stepsOf('webhook', {}, { body: { ok: 1 } }) });

	test.each(['', '/sync'])('is a run that ends: %s', async (suffix) => {
		const { id } = add();
		// With any credential
		const answer = post(service, `/v1/webhooks/${id}${suffix}`, { order: 1 });
		const seen = await watch(service, answer);
		expect((await answer).status).toBe(200);
		// A worker may be faster than two reads.
		expect(['QUEUED', 'RUNNING', 'SUCCEEDED'].filter((each) => seen.includes(each))).toEqual(seen);
		expect(seen.at(-1)).toBe('SUCCEEDED');
		const [run] = service.data.flowRuns;
		expect(run).toMatchObject({ flowId: id, status: 'SUCCEEDED' });
		expect(String(run.created) < String(run.finishTime)).toBe(true);
	});
});
