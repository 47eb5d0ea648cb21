/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node, never inside n8n */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sleep } from 'n8n-workflow';

import { limits, memories } from '../harness/built';
import { useService } from '../harness/service';
import { createTriggerRun, type TriggerRun } from '../harness/trigger';

const EVENT = { event: 'userJoined' };

describe('what the process remembers', () => {
	const context = useService();
	const { triggerRemembered } = limits;
	beforeEach(() => memories.clear());
	afterEach(() => {
		limits.triggerRemembered = triggerRemembered;
	});
	const start = () => createTriggerRun(context.engine, context.credential, EVENT);

	test('keeps no workflow alive that n8n has let go of', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const contexts: Array<WeakRef<object>> = [];
		const activate = async () => {
			const run = start();
			await run.activate();
			await run.poll();
			if (run.context !== undefined) contexts.push(new WeakRef(run.context));
			run.deactivate();
		};
		for (let count = 0; count < 20; count++) await activate();
		const alive = () => contexts.filter((each) => each.deref() !== undefined).length;
		// A WeakRef holds its target until the end of the job that made it.
		for (let count = 0; count < 50 && alive() > 1; count++) {
			await sleep(1);
			collectGarbage();
		}
		expect(contexts).toHaveLength(20);
		// The last one may still be on the stack.
		expect(alive()).toBeLessThanOrEqual(1);
		expect(memories.size).toBe(20);
	});

	test('is of so many triggers only, those that were polled last', async () => {
		limits.triggerRemembered = 3;
		const runs: TriggerRun[] = [];
		for (let count = 0; count < 5; count++) {
			const run = start();
			await run.activate();
			runs.push(run);
			await runs[0].poll();
		}
		expect(memories.size).toBe(3);
		// One that is let go of goes on with what n8n has.
		const { id } = context.service.live.addUser();
		for (const run of runs) await run.poll();
		for (const run of runs) await run.poll();
		expect(runs.map(({ given }) => given.map((user) => user.id))).toEqual(runs.map(() => [id]));
	});
});
