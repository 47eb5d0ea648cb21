import type { ApiClient } from '../../transport/client';
import { RunEndedError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';

/**
 * Asks every so often while a change of a flow is under way, or for as long as it is waited for.
 *
 * @param isAmbiguous whether what was sent last may have been carried out although its answer did not say so
 * @returns the last answer, whether it is pending or not
 * @throws {RunEndedError} when the run ends meanwhile
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
		// The whole wait counts, however a test waits.
		elapsed += Math.max(pollMs, Date.now() - start);
	}
	return answer;
}
