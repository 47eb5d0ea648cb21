import { limits, type RetryPolicy } from '../transport/limits';

/**
 * The retry policy of one poll. Its time is for all requests together, from the first that failed on:
 * with a policy for each request a poll of a thousand projects could go on for hours.
 */
export function createRetryBudget(): RetryPolicy {
	const { maxAttempts, maxElapsedMs } = limits.poll;
	let end: number | undefined;
	return {
		maxAttempts,
		// Read when a request has failed, to see whether it may be sent again.
		get maxElapsedMs() {
			end ??= Date.now() + maxElapsedMs;
			return Date.now() < end ? maxElapsedMs : 0;
		},
	};
}
