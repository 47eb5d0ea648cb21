import type { OnCancel } from '../connection/deadline';
import { RunEndedError } from '../errors/activepiecesError';
import { waiting } from './sleep';

/** How a run ends before its time: it is stopped, since an item failed, or cancelled together with the workflow. */
export class RunEnd {
	private isStopped = false;

	/** One for each wait: Node.js warns of a leak when a signal has more than ten listeners. */
	private readonly waits = new Set<AbortController>();

	private readonly cancelListeners = new Set<() => void>();

	/** @param cancelSignal that of the whole execution, which may run the node thousands of times */
	constructor(private readonly cancelSignal: AbortSignal | undefined) {
		// One listener for the run, since Node.js warns of a leak when there are more than ten.
		if (cancelSignal?.aborted) this.stop();
		else cancelSignal?.addEventListener('abort', this.cancel);
	}

	get isCancelled(): boolean {
		return this.cancelSignal?.aborted === true;
	}

	/** Stopped or cancelled */
	get isEnded(): boolean {
		return this.isStopped;
	}

	/** @throws {RunEndedError} when the run was stopped or the workflow cancelled */
	throwIfEnded(): void {
		if (this.isStopped) throw new RunEndedError();
	}

	/** Requests in flight go on, no other is sent, and waits end at once. */
	stop(): void {
		this.isStopped = true;
		for (const controller of this.waits) controller.abort();
		this.detach();
	}

	/**
	 * Waits so many milliseconds.
	 *
	 * @returns false, at once, when the run is stopped or the workflow cancelled meanwhile
	 */
	async wait(ms: number): Promise<boolean> {
		if (this.isStopped) return false;
		const controller = new AbortController();
		this.waits.add(controller);
		await waiting.sleep(ms, controller.signal);
		this.waits.delete(controller);
		return !this.isStopped;
	}

	/** Calls back when the workflow is cancelled, also after the run was stopped. */
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

	/** Lets go of the execution, once nothing of the run waits for it. */
	private detach(): void {
		if (this.isStopped && this.cancelListeners.size === 0) {
			this.cancelSignal?.removeEventListener('abort', this.cancel);
		}
	}
}
