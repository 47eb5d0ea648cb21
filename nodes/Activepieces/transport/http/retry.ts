import { limits, type RetryPolicy } from '../limits';
import type { AttemptResult, Attempts } from './response';

/**
 * How many milliseconds to wait before the next attempt of a request that may be repeated (`mayRepeat`); undefined
 * to give up. The whole wait is random, so that clients that the service refused together do not return together.
 */
export function nextRetryDelay(
	result: AttemptResult,
	{ count, elapsedMs }: Attempts,
	policy: RetryPolicy,
	random = Math.random(),
): number | undefined {
	if (result.isFinal || count >= policy.maxAttempts) return undefined;

	const { firstMs, factor } = limits.backoff;
	const backoff = random * firstMs * factor ** (count - 1);
	const asked = 'response' in result ? (result.response.retryAfterMs ?? 0) : 0;
	if (asked > limits.maxRetryAfterMs) return undefined;
	// Never earlier than the server asked, plus a random part: all refused clients received the same value.
	const delay = Math.ceil(asked > 0 ? asked + random * firstMs : backoff);
	const remainingMs = Math.min(policy.maxElapsedMs - elapsedMs, policy.remainingMs?.() ?? Infinity);
	return delay > remainingMs ? undefined : delay;
}
