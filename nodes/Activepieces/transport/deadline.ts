/** The longest time that a timer of Node.js can wait, about 25 days; a longer one is over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time that one request has, from its start to the last byte of its answer. */
export interface Deadline {
	/** Aborts when the time is over, or when the workflow is cancelled */
	readonly signal: AbortSignal;
	/** Whether the time was over before the workflow was cancelled */
	readonly isOver: boolean;
	/** Ends the watch; to be called when the request has ended, whatever came of it */
	release(): void;
}

/**
 * Begins the time of a request. Node code may not use timers; `sleep` of n8n 1.x cannot be cleared, and
 * would keep the process alive for the longest time-out of a run.
 *
 * @param ms milliseconds
 * @param cancelSignal aborts when the workflow is cancelled
 */
export function startDeadline(ms: number, cancelSignal?: AbortSignal): Deadline {
	const controller = new AbortController();
	const timer = AbortSignal.timeout(Math.min(ms, MAX_TIMER_MS));
	const deadline = { signal: controller.signal, isOver: false, release };
	const expire = () => {
		deadline.isOver = !controller.signal.aborted;
		controller.abort();
	};
	const cancel = () => controller.abort();
	function release() {
		timer.removeEventListener('abort', expire);
		cancelSignal?.removeEventListener('abort', cancel);
	}
	timer.addEventListener('abort', expire);
	if (cancelSignal?.aborted) cancel();
	else cancelSignal?.addEventListener('abort', cancel);
	return deadline;
}

/**
 * Waits for a task, but no longer than until the signal aborts.
 *
 * @param dispose is given what the task brings when nobody waits for it any more
 * @throws {DOMException} when the signal aborts first
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
