/** The times of requests, which are over when a test says so, not after their milliseconds. */
export interface RequestTimers {
	/** Ends the time of every request under way that was given so many milliseconds */
	expire(ms: number): void;
	restore(): void;
}

/** Takes the place of the timers of this process for requests. Requests are told apart by their Timeout. */
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
