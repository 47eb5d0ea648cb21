import { sleep } from 'n8n-workflow';

/**
 * Waits for a task; throws the signal's reason when the signal aborts first.
 *
 * @param dispose receives the result of the task when nobody waits for it any more
 */
export async function untilAborted<T>(
	task: Promise<T>,
	signal: AbortSignal,
	dispose: (result: T) => void,
): Promise<T> {
	let abort = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		abort = () => {
			task.then(dispose, () => {});
			reject(signal.reason as Error);
		};
		if (signal.aborted) abort();
		else signal.addEventListener('abort', abort);
	});
	try {
		return await Promise.race([task, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}

/** Sleeps, and wakes at once when the signal aborts: `sleep` of n8n 1.x accepts no signal. */
const sleepUntilAborted = async (ms: number, signal: AbortSignal): Promise<void> =>
	await untilAborted(sleep(ms, signal), signal, () => {}).catch(() => {});

/** How a run waits between requests: an object, so that tests can replace the wait. */
export const waiting = { sleep: sleepUntilAborted };

/** Calls a listener when the workflow is canceled. Returns a function that removes the listener. */
export type OnCancel = (listener: () => void) => () => void;
