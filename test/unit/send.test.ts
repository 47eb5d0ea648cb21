import { createLimiter } from '../../nodes/Activepieces/transport/limiter';
import { exchange } from '../../nodes/Activepieces/transport/send';
import type { Session } from '../../nodes/Activepieces/transport/session';

/** A session of a run that is cancelled as soon as its first request was sent. */
function cancelledAfterOne() {
	let sent = 0;
	const session: Session = {
		baseUrl: 'https://host.example/api',
		requests: createLimiter(1),
		outage: { givenUp: 0 },
		patience: { tries: 1, total: 0 },
		async request() {
			sent++;
			return { statusCode: 200, headers: {}, body: {} };
		},
		throwIfCancelled() {
			if (sent > 0) throw new Error('cancelled');
		},
		async pause() {},
		error: ({ message }) => new Error(message) as never,
		refusal: (message) => new Error(message) as never,
	};
	return { session, sent: () => sent };
}

test('a request that waits for its turn is not sent once the run was cancelled', async () => {
	const { session, sent } = cancelledAfterOne();
	const request = { method: 'GET', path: '/v1/flows', subject: { noun: 'flows' } } as const;
	const results = await Promise.allSettled(
		[1, 2, 3].map(async () => await exchange(session, request)),
	);
	expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
	expect(sent()).toBe(1);
});
