import { limits } from '../limits';

/** Counts the requests in a row that were given up on one server, over all input items of a run. */
export interface CircuitBreaker {
	/** The server is down for more than a moment: requests are sent once and not repeated */
	readonly isOpen: boolean;
	/** @param isTransient whether the last attempt met a server that is down */
	recordResult(isTransient: boolean): void;
}

/** A server that is down would cost a run of thousands of items hours of waiting. */
export function createCircuitBreaker(): CircuitBreaker {
	let consecutiveFailures = 0;
	return {
		get isOpen() {
			return consecutiveFailures >= limits.maxConsecutiveFailures;
		},
		recordResult(isTransient) {
			consecutiveFailures = isTransient ? consecutiveFailures + 1 : 0;
		},
	};
}
