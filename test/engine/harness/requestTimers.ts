/** Replaces the timers of this process for requests, which end when a test says so. */
export function controlRequestTimers() {
	const timers = new Map<number, Set<AbortController>>();
	const spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const timer = new AbortController();
		const others = timers.get(ms) ?? new Set();
		timers.set(ms, others.add(timer));
		return timer.signal;
	});
	return {
		/** Ends all pending time-outs with this number of milliseconds */
		expire(ms: number) {
			const due = timers.get(ms) ?? [];
			timers.delete(ms);
			for (const timer of due) timer.abort();
		},
		restore: () => spy.mockRestore(),
	};
}
