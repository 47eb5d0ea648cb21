/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node, never inside n8n */
import { getEventListeners } from 'node:events';

import { Run } from '../../nodes/Activepieces/transport/run';

test('a run in a workflow that was canceled before sends nothing', async () => {
	const run = new Run(AbortSignal.abort());
	expect(run.end.isEnded).toBe(true);
	expect(await run.end.wait(60_000)).toBe(false);
});

test('a run that has ended leaves no listener on the signal of the execution, which runs the node again', () => {
	const { signal } = new AbortController();
	const runs = Array.from({ length: 20 }, () => new Run(signal));
	expect(getEventListeners(signal, 'abort')).toHaveLength(20);
	for (const run of runs) run.end.stop();
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
