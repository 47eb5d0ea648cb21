/** The longest delay of a Node.js timer, about 25 days. A longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time limit of one request, from its start to the last byte of its response. */
export interface Deadline {
	/** Aborts at the time limit, or when the workflow is canceled */
	readonly signal: AbortSignal;
	/** Whether the time limit was reached before the workflow was canceled */
	readonly isOver: boolean;
	/** Releases the timer and the listener; call it when the request has ended */
	release(): void;
}

/**
 * Calls a listener when the workflow is canceled, or at once if it already is. Returns a function that
 * removes the listener.
 */
export type OnCancel = (listener: () => void) => () => void;

/**
 * Starts the time limit of a request. `sleep` of n8n 1.x cannot be cleared, and would keep the process
 * alive for the longest time-out of a run.
 *
 * @param ms milliseconds
 * @param onCancel subscribes to the cancellation of the workflow
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
 * Waits for a task until the signal aborts.
 *
 * @param dispose receives the result of the task when nobody waits for it any more
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
