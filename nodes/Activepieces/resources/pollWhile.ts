import type { ApiClient } from '../transport/client/client';
import { limits } from '../transport/limits';
import { RunEndedError } from '../transport/errors/error';

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
	{ maxElapsedMs, pollMs } = limits.pendingChange,
): Promise<T> {
	let answer = first;
	let elapsed = 0;
	while (isPending(answer) && elapsed < maxElapsedMs) {
		if (!(await client.nodeRun.end.wait(pollMs))) throw new RunEndedError();
		const start = performance.now();
		answer = await next();
		elapsed += pollMs + performance.now() - start;
	}
	return answer;
}
