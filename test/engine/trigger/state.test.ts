/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node, never inside n8n */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sleep, type INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST } from '../../service';
import { activations } from '../harness/built';
import { byId, ids } from '../harness/byId';
import { requestPaths, useService } from '../harness/service';
import { activeTrigger, TriggerRun } from '../harness/trigger';

describe('what a trigger remembers', () => {
	const context = useService({ data: { flowRuns: 20, flows: 20 } });
	// The clock of n8n follows that of the service.
	beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => context.time.now));
	afterEach(() => jest.restoreAllMocks());

	const options = { lookbackHours: 48, maxItems: 5 };
	const STAYS = { simplify: false, projectId: byId(''), options };
	test.each<[string, (flow: string) => INodeParameters, given: number]>([
		['restarts with another event', () => ({ event: 'flowCreated' }), 1],
		['restarts with another flow', (flow) => ({ flowId: byId(flow) }), 1],
		['restarts with other statuses', () => ({ statuses: ['CANCELED', 'FAILED'] }), 1],
		['stays with another output, Lookback, order and way to choose', () => STAYS, 2],
	])('%s', async (_name, after, given) => {
		const statuses = ['FAILED', 'TIMEOUT'];
		const run = await activeTrigger(context, { event: 'flowRunFailed', statuses });
		const { flowId } = context.live.addFlowRun({ status: 'FAILED' });
		context.live.addFlow();
		await run.change({ statuses: statuses.reverse(), ...after(flowId) });
		await run.poll();
		expect(run.given).toHaveLength(given - 1);
		context.live.addFlow();
		context.live.addFlowRun({ status: 'FAILED', flowId });
		await run.poll();
		expect(run.given).toHaveLength(given);
	});

	test('a poll that starts while another one is in progress leaves everything to it', async () => {
		const run = await activeTrigger(context, { event: 'userJoined' });
		const { id } = context.live.addUser();
		context.clearRequests();
		context.fault({ times: 1, kind: { delay: 200 } });
		const [first, second] = await Promise.all([run.poll(), run.poll()]);
		expect([ids(first), ids(second)]).toEqual([[id], []]);
		expect(requestPaths(context)).toEqual(['GET /v1/users']);
	});
});

describe.each(FIRST_AND_LAST)('the queue on release %s', (release) => {
	const context = useService({ release });
	const event = 'queueBacklog';
	const start = (parameters: INodeParameters) => new TriggerRun(context, { event, ...parameters });

	test('shows its number of jobs as a test event', async () => {
		context.live.setQueue({ waiting: 3, prioritized: 0 });
		expect(await start({ threshold: 10 }).fetchTestEvent()).toEqual([
			expect.objectContaining({ metric: 'waiting', count: 3, threshold: 10, clearAt: null }),
		]);
		// The lowest threshold, and the highest number at which an alarm may end.
		const lowest = start({ threshold: 0, options: { clearAt: 1 } });
		expect(await lowest.fetchTestEvent()).toMatchObject([{ threshold: 0, clearAt: 1 }]);
	});

	test('refuses a metric that the release does not report', async () => {
		const run = start({ metric: 'delayed' });
		const message = 'This Activepieces server does not report delayed jobs';
		const description = 'It reports waiting, active. Choose one of them in Metric.';
		if (release === '0.79') await run.activate();
		else await expect(run.activate()).rejects.toMatchObject({ message, description });
	});
});

describe('what the process remembers', () => {
	const context = useService();
	beforeEach(() => activations.clear());
	const activate = async () => await activeTrigger(context, { event: 'userJoined' });

	test('keeps no workflow in memory that n8n has released', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const contexts: Array<WeakRef<object>> = [];
		const liveOnce = async () => {
			const run = await activate();
			await run.poll();
			contexts.push(new WeakRef(run.context!));
			run.deactivate();
		};
		for (let count = 0; count < 20; count++) await liveOnce();
		const alive = () => contexts.filter((each) => each.deref() !== undefined).length;
		// A WeakRef keeps its target until the end of the job that made it.
		for (let count = 0; count < 50 && alive() > 1; count++) {
			await sleep(1);
			collectGarbage();
		}
		expect(contexts).toHaveLength(20);
		// The last one may still be on the stack.
		expect(alive()).toBeLessThanOrEqual(1);
		expect(activations.size).toBe(20);
	});
});
