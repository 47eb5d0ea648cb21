/** Time-outs of requests that end when a test says so, not after their milliseconds. */
export interface RequestTimers {
	/** Ends all pending time-outs with this number of milliseconds */
	expire(ms: number): void;
	restore(): void;
}

/** Replaces the timers of this process for requests, which are identified by their Timeout. */
export function controlRequestTimers(): RequestTimers {
	const timers = new Map<number, Set<AbortController>>();
	const spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const timer = new AbortController();
		const others = timers.get(ms) ?? new Set();
		timers.set(ms, others.add(timer));
		return timer.signal;
	});
	return {
		expire(ms) {
			const due = timers.get(ms) ?? [];
			timers.delete(ms);
			for (const timer of due) timer.abort();
		},
		restore: () => spy.mockRestore(),
	};
}
