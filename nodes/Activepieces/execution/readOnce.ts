import type { ApiClient } from '../transport/client';

/**
 * Makes a read that all input items with one credential share. Its result is kept for the run of the
 * node. A failed read is repeated for the next item that asks.
 *
 * @param isFinal whether an error is kept as well, instead of reading again
 */
export function createReadOnce<T>(isFinal: (error: unknown) => boolean = () => false) {
	/** Entries disappear with the run */
	const runs = new WeakMap<object, Map<string, Promise<T>>>();
	return async ({ perCredential }: ApiClient, key: string, read: () => Promise<T>): Promise<T> => {
		const known = runs.get(perCredential) ?? new Map<string, Promise<T>>();
		runs.set(perCredential, known);
		const reading = known.get(key) ?? read();
		known.set(key, reading);
		return await reading.catch((error: unknown) => {
			if (known.get(key) === reading && !isFinal(error)) known.delete(key);
			throw error;
		});
	};
}
