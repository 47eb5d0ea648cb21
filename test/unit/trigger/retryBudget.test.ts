import { limits } from '../../../nodes/Activepieces/transport/limits';
import { nextRetryDelay } from '../../../nodes/Activepieces/transport/retry';
import { createRetryBudget } from '../../../nodes/Activepieces/trigger/configuredEvent';

const refused = { connectionError: { kind: 'connectionRefused' as const } };
const delay = (budget: ReturnType<typeof createRetryBudget>, count: number, elapsedMs: number) =>
	nextRetryDelay(refused, 'GET', { count, elapsedMs }, budget, 0.5);

describe('the time for the retries of a poll', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	test('begins with the first request that fails, however long the poll has been going on', () => {
		const budget = createRetryBudget();
		jest.advanceTimersByTime(120_000);
		expect(delay(budget, 1, 0)).toBeGreaterThan(0);
	});

	test('is over for every request when it is over', () => {
		const budget = createRetryBudget();
		expect(delay(budget, 1, 0)).toBeGreaterThan(0);
		jest.advanceTimersByTime(limits.poll.maxElapsedMs - 1);
		expect(delay(budget, 1, 0)).toBeGreaterThan(0);
		jest.advanceTimersByTime(1);
		expect(delay(budget, 1, 0)).toBeUndefined();
	});

	test('holds for one request as well, and so does the number of its attempts', () => {
		const budget = createRetryBudget();
		expect(delay(budget, 1, limits.poll.maxElapsedMs)).toBeUndefined();
		expect(delay(budget, limits.poll.maxAttempts, 0)).toBeUndefined();
	});

	test('is 15 seconds', () => {
		expect(limits.poll.maxElapsedMs).toBe(15_000);
	});
});
