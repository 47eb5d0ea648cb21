/** Runs a task as soon as a slot is free. Tasks start in the order of their calls. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Limits how many tasks run at once. n8n's router starts the requests of all input items together, which
 * would open as many sockets as there are items.
 */
export function createLimiter(places: number): Limiter {
	const waiting: Array<() => void> = [];
	let head = 0;
	let free = places;

	const acquire = async () => {
		if (free > 0) {
			free--;
			return;
		}
		await new Promise<void>((resolve) => waiting.push(resolve));
	};

	const release = () => {
		if (head === waiting.length) {
			free++;
			return;
		}
		// A moving head, because shift() would make the queue of 20,000 items quadratic.
		const next = waiting[head++];
		if (head === waiting.length) {
			waiting.length = 0;
			head = 0;
		}
		next();
	};

	return async (task) => {
		await acquire();
		try {
			return await task();
		} finally {
			release();
		}
	};
}

/** A slot that is taken only if needed. */
interface Slot {
	/** Waits for the slot */
	begin(): Promise<void>;
	/** Releases the slot, or stops waiting for it */
	end(): void;
}

export function createSlot(limiter: Limiter): Slot {
	let isOver = false;
	let free = () => {};
	return {
		begin: async () =>
			await new Promise<void>((begin, reject) => {
				limiter(async () => {
					if (isOver) return;
					begin();
					await new Promise<void>((resolve) => {
						free = resolve;
					});
				}).catch(reject);
			}),
		end() {
			isOver = true;
			free();
		},
	};
}
