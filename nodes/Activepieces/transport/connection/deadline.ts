/** The longest time that a timer of Node.js can wait, about 25 days; a longer one is over at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time that one request has, from its start to the last byte of its answer. */
export interface Deadline {
	/** Aborts when the time is over, or when the workflow is cancelled */
	readonly signal: AbortSignal;
	/** Whether the time was over before the workflow was cancelled */
	readonly isOver: boolean;
	/** Ends the watch; to be called when the request has ended, whatever came of it */
	release(): void;
}

/** Calls back when the workflow is cancelled, at once when it was; gives what ends the waiting for it. */
export type OnCancel = (listener: () => void) => () => void;

/**
 * Begins the time of a request. Node code may not use timers; `sleep` of n8n 1.x cannot be cleared, and
 * would keep the process alive for the longest time-out of a run.
 *
 * @param ms milliseconds
 * @param onCancel calls back when the workflow is cancelled, unless what it gives is called before
 */
export function startDeadline(ms: number, onCancel?: OnCancel): Deadline {
	const controller = new AbortController();
	const timer = AbortSignal.timeout(Math.min(ms, MAX_TIMER_MS));
	const deadline = { signal: controller.signal, isOver: false, release };
	const expire = () => {
		deadline.isOver = !controller.signal.aborted;
		controller.abort();
	};
	const forget = onCancel?.(() => controller.abort());
	function release() {
		timer.removeEventListener('abort', expire);
		forget?.();
	}
	timer.addEventListener('abort', expire);
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
