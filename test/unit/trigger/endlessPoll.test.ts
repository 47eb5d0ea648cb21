import { sleep } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { useLimits } from './useLimits';

useLimits(() => {
	limits.delayScale = 0;
});

/** A poll whose first request is not answered until it is given up. */
async function pollWithoutEnd(n8n: FakeN8n): Promise<() => Promise<void>> {
	const { triggerPollMs } = limits;
	const { length } = n8n.warnings;
	limits.triggerPollMs = 1;
	const answer = await n8n.beginPoll();
	while (n8n.warnings.length === length) await sleep(0);
	limits.triggerPollMs = triggerPollMs;
	return answer;
}

test('a poll that does not end is given up like one of a server that is down, and the next one gives everything', async () => {
	const service = new FakeService();
	const n8n = new FakeN8n(service, { event: 'userJoined' });
	await n8n.activate('activate');
	service.now += 60_000;
	const id = service.id('user');
	service.users.push({ id, created: service.time });
	const answer = await pollWithoutEnd(n8n);
	expect(n8n.warnings).toEqual([expect.stringContaining('The poll was not done after')]);
	expect(n8n.errors).toEqual([]);
	// What comes too late is neither given nor remembered.
	await answer();
	await sleep(0);
	await n8n.poll();
	await n8n.poll();
	expect(n8n.given.map((each) => each.id)).toEqual([id]);
});
