import type { ApiClient } from '../transport/client';
import { limits } from '../transport/limits';
import { runEnded } from '../transport/send';

/**
 * Polls a record while a change of it is in progress, within a time limit.
 *
 * @returns the last response, even if the change is still in progress
 * @throws {RunEndedError} when the run ends first
 */
export async function pollWhile<T>(
	client: ApiClient,
	first: T,
	isPending: (answer: T) => boolean,
	next: () => Promise<T>,
): Promise<T> {
	const { maxElapsedMs, pollMs } = limits.pendingChange;
	let answer = first;
	let elapsed = 0;
	while (isPending(answer) && elapsed < maxElapsedMs) {
		if (!(await client.runState.end.wait(pollMs))) throw runEnded(client);
		const start = Date.now();
		answer = await next();
		elapsed += pollMs + Date.now() - start;
	}
	return answer;
}
