import { pause } from './longRunning';

/** Many times what a loaded machine was seen to need. */
const WITHIN_MS = 60_000;

/** Repeats an expectation until it is met; what it said last is thrown when it never was. */
export async function eventually<T>(expectation: () => Promise<T>): Promise<T> {
	const deadline = Date.now() + WITHIN_MS;
	let last: unknown;
	do {
		try {
			return await expectation();
		} catch (error) {
			last = error;
		}
		await pause(100);
	} while (Date.now() < deadline);
	throw last;
}
