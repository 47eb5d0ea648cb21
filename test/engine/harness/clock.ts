/** Runs a function while the clock of this process shows a time, in milliseconds since 1970. */
export async function atTime<T>(now: number, work: () => Promise<T>): Promise<T> {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
	try {
		return await work();
	} finally {
		clock.mockRestore();
	}
}
