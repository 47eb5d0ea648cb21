import { pause } from './longRunning';

/** Many times longer than a loaded machine needed. */
const WITHIN_MS = 60_000;

/** Repeats an expectation until it is met, or throws its last error. */
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
