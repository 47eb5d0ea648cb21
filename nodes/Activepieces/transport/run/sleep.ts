import { sleep } from 'n8n-workflow';

/**
 * Sleeps, and wakes at once when the signal aborts. In n8n 1.x `sleep` knows no signal, so the two are
 * raced; in 2.x the signal also clears the timer.
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

/** How a run waits between its requests: an object, since node code has no other place where a test could hand in a wait. */
export const waiting = { sleep: sleepUntilAborted };
