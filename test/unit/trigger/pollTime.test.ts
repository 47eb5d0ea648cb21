import { sleep } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { nextRetryDelay } from '../../../nodes/Activepieces/transport/retry';
import { createRetryBudget } from '../../../nodes/Activepieces/trigger/eventContext';
import type { FakeN8n } from './fakeN8n';
import { service, useFakes, watch } from './useFakes';

useFakes();

/** A poll whose first request has no response until it is given up. */
async function pollWithoutEnd(n8n: FakeN8n): Promise<() => Promise<void>> {
	const { triggerPollMs } = limits;
	const { length } = n8n.warnings;
	limits.triggerPollMs = 1;
	const answer = await n8n.beginPoll();
	while (n8n.warnings.length === length) await sleep(0);
	limits.triggerPollMs = triggerPollMs;
	return answer;
}

test('a poll that does not end fails like that of a server that is down, and the next one returns everything', async () => {
	const n8n = await watch('userJoined');
	service.pass();
	const id = service.addUser();
	const answer = await pollWithoutEnd(n8n);
	expect(n8n.warnings).toEqual([expect.stringContaining('The poll did not finish within')]);
	expect(n8n.errors).toEqual([]);
	// A late result is neither returned nor remembered.
	await answer();
	await sleep(0);
	await n8n.poll();
	expect(await n8n.idsAfterPoll()).toEqual([id]);
});

test('a poll that was given up sends no more requests', async () => {
	const n8n = await watch('flowCreated');
	service.askedSince.clear();
	const answer = await pollWithoutEnd(n8n);
	await answer();
	await sleep(0);
	// Only the list of projects, which belongs to no project.
	expect([...service.askedSince.keys()]).toEqual([undefined]);
});

test('a poll retries for 15 seconds from its first failed request, whichever request it is', () => {
	jest.useFakeTimers();
	limits.poll.maxAttempts = 2;
	const budget = createRetryBudget();
	const refused = { connectionError: { kind: 'connectionRefused' as const } };
	const isRetried = (count = 1, elapsedMs = 0) =>
		nextRetryDelay(refused, 'GET', { count, elapsedMs }, budget, 0.5) !== undefined;
	jest.advanceTimersByTime(120_000);
	expect(isRetried()).toBe(true);
	expect(isRetried(2)).toBe(false);
	expect(isRetried(1, limits.poll.maxElapsedMs)).toBe(false);
	// Half of the first wait, which has to end in time.
	jest.advanceTimersByTime(14_750);
	expect(isRetried()).toBe(true);
	jest.advanceTimersByTime(1);
	expect(isRetried()).toBe(false);
	jest.useRealTimers();
});
