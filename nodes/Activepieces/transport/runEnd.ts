import { sleep } from 'n8n-workflow';

import type { OnCancel } from './deadline';
import { RunEndedError } from './error';

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

/** The early end of a run: stopped because an item failed, or canceled with the workflow. */
export class RunEnd {
	private isStopped = false;

	/** One for each wait, because Node.js warns of a leak when a signal has more than ten listeners. */
	private readonly waits = new Set<AbortController>();

	private readonly cancelListeners = new Set<() => void>();

	/** @param cancelSignal of the whole execution, which may run the node thousands of times */
	constructor(private readonly cancelSignal: AbortSignal | undefined) {
		// One listener for the run, because Node.js warns of a leak when there are more than ten.
		if (cancelSignal?.aborted) this.stop();
		else cancelSignal?.addEventListener('abort', this.cancel);
	}

	get isCancelled(): boolean {
		return this.cancelSignal?.aborted === true;
	}

	/** Whether the run was stopped or canceled */
	get isEnded(): boolean {
		return this.isStopped;
	}

	/** @throws {RunEndedError} when the run was stopped or the workflow canceled */
	throwIfEnded(): void {
		if (this.isStopped) throw new RunEndedError();
	}

	/** Stops the run: requests in flight continue, no others are sent, and waits end at once. */
	stop(): void {
		this.isStopped = true;
		for (const controller of this.waits) controller.abort();
		this.detach();
	}

	/**
	 * Waits for a number of milliseconds.
	 *
	 * @returns false, at once, when the run is stopped or the workflow is canceled
	 */
	async wait(ms: number): Promise<boolean> {
		if (this.isStopped) return false;
		const controller = new AbortController();
		this.waits.add(controller);
		await waiting.sleep(ms, controller.signal);
		this.waits.delete(controller);
		return !this.isStopped;
	}

	/** Calls a listener when the workflow is canceled, even after the run was stopped. */
	readonly onCancel: OnCancel = (listener) => {
		if (this.isCancelled) listener();
		this.cancelListeners.add(listener);
		return () => {
			this.cancelListeners.delete(listener);
			this.detach();
		};
	};

	private readonly cancel = (): void => {
		for (const listener of this.cancelListeners) listener();
		this.stop();
	};

	/** Removes the listener from the execution, once nothing of the run needs it. */
	private detach(): void {
		if (this.isStopped && this.cancelListeners.size === 0) {
			this.cancelSignal?.removeEventListener('abort', this.cancel);
		}
	}
}
