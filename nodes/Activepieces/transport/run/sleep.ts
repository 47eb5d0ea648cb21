import { sleep } from 'n8n-workflow';

/**
 * Sleeps, and wakes at once when the signal aborts. `sleep` of n8n 1.x accepts no signal, so this races
 * the two; in 2.x the signal also clears the timer.
 */
export async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	let wake = () => {};
	const aborted = new Promise<void>((resolve) => {
		wake = resolve;
		signal.addEventListener('abort', wake, { once: true });
	});
	try {
		await Promise.race([sleep(ms, signal).catch(() => {}), aborted]);
	} finally {
		signal.removeEventListener('abort', wake);
	}
}

/**
 * How a run waits between requests. An object, so that tests can replace the wait: node code has no other
 * place for that.
 */
export const waiting = { sleep: sleepUntilAborted };
