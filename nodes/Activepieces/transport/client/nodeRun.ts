import { ActivepiecesError } from '../errors/error';
import { waiting, type OnCancel } from '../http/exchange';
import { limits } from '../limits';

/* What all input items of a run share: its end, its limits, and what was read. */

/** Runs a task as soon as a slot is free. Tasks start in the order of their calls. */
type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Limits how many tasks run at once: of requests, because each item may read ten projects.
 */
export function createLimiter(places: number): Limiter {
	const queue: Array<() => void> = [];
	let head = 0;
	let free = places;
	return async (task) => {
		if (free > 0) free--;
		else await new Promise<void>((resolve) => queue.push(resolve));
		try {
			return await task();
		} finally {
			// A moving head, because shift() would make the queue of 20,000 items quadratic.
			if (head < queue.length) queue[head++]();
			else {
				queue.length = head = 0;
				free++;
			}
		}
	};
}

/** The end of a run: after its last item, because an item failed, or canceled with the workflow. */
class RunEnd {
	isEnded = false;
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

	/** Stops the run: requests in flight continue, no others are sent, and waits end at once. */
	stop(): void {
		this.isEnded = true;
		for (const controller of this.waits) controller.abort();
		this.detach();
	}

	/** Waits for milliseconds; false, at once, when the run is stopped or the workflow is canceled. */
	async wait(ms: number): Promise<boolean> {
		if (this.isEnded) return false;
		const controller = new AbortController();
		this.waits.add(controller);
		await waiting.sleep(ms, controller.signal);
		this.waits.delete(controller);
		return !this.isEnded;
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
		if (this.isEnded && this.cancelListeners.size === 0) {
			this.cancelSignal?.removeEventListener('abort', this.cancel);
		}
	}
}

/** What all input items of one node run share. It disappears with the run: n8n does not store it. */
export class NodeRun {
	readonly end: RunEnd;
	readonly limitRequests = createLimiter(limits.maxConcurrency);
	private readonly values = new Map<string, { value: unknown; madeAt: number }>();
	/** Consecutive failed requests, over all input items, by the Base URL of their server */
	readonly failuresInARow = new Map<string, number>();
	readonly respondedBaseUrls = new Set<string>();
	/** Items of a group, if the person has set Batching */
	batchSize?: number;

	constructor(cancelSignal?: AbortSignal) {
		this.end = new RunEnd(cancelSignal);
	}

	/** Limits how many of its input items do the same at once. */
	limiter(key: string, concurrency: number): Limiter {
		return this.cached(`limit of ${key}`, () => createLimiter(concurrency));
	}

	/**
	 * What all input items share: made for the first one that asks. A read that fails is made again for the next
	 * one that asks, unless that would fail in the same way.
	 *
	 * @param maxAgeMs after which it is made again
	 */
	cached<T>(key: string, make: () => T, maxAgeMs = Infinity): T {
		const known = this.values.get(key);
		if (known !== undefined && performance.now() - known.madeAt <= maxAgeMs)
			return known.value as T;
		const value = make();
		const entry = { value, madeAt: performance.now() };
		this.values.set(key, entry);
		if (value instanceof Promise) {
			// A read that takes longer than that is not made again by those who wait for it.
			entry.madeAt = Infinity;
			value.then(
				() => (entry.madeAt = performance.now()),
				(error: unknown) => {
					entry.madeAt = performance.now();
					const isOurs = error instanceof ActivepiecesError;
					const isMadeAgain = !isOurs || !error.isRefusal || error.isTemporary;
					if (isMadeAgain && this.values.get(key) === entry) this.values.delete(key);
				},
			);
		}
		return value;
	}
}
