import type { ApiClient } from '../../transport/client';
import { RunEndedError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';

/**
 * Polls a flow while a change is in progress, within a time limit.
 *
 * @param isAmbiguous whether the last request may have been carried out although its response did not
 * say so
 * @returns the last response, even if the change is still in progress
 * @throws {RunEndedError} when the run ends first
 */
export async function pollWhile<T>(
	client: ApiClient,
	first: T,
	isPending: (answer: T) => boolean,
	next: () => Promise<T>,
	isAmbiguous?: (answer: T) => boolean | undefined,
): Promise<T> {
	const { maxElapsedMs, pollMs } = limits.flowChange;
	let answer = first;
	let elapsed = 0;
	while (isPending(answer) && elapsed < maxElapsedMs) {
		const start = Date.now();
		if (!(await client.runState.end.wait(pollMs))) throw new RunEndedError(isAmbiguous?.(answer));
		answer = await next();
		// Counts the whole wait, even if timers are faked.
		elapsed += Math.max(pollMs, Date.now() - start);
	}
	return answer;
}
