/** For how long one request is repeated. */
export interface Patience {
	/** Tries in all, the first one included */
	tries: number;
	/** Milliseconds from the first try after which no further one starts */
	total: number;
}

/**
 * How requests are repeated when the service or the way to it is down for a moment. All times in
 * milliseconds. An object and not constants, because node code has no other place from which tests
 * could shorten the waits: they change it in the built module.
 */
export const patience = {
	/** A workflow has time: a restart of the service or its proxy takes seconds to a minute. */
	run: { tries: 5, total: 120_000 } satisfies Patience as Patience,
	/** A person waits for the list of a locator. */
	list: { tries: 2, total: 3_000 } satisfies Patience as Patience,
	/** The n-th wait is anything up to `first * factor ** (n - 1)`, but no more than `longest` */
	backoff: { first: 500, factor: 2, longest: 8_000 },
	/** A service that asks for a longer wait is taken at its word, and not waited for: it asks for 60 s */
	longestAsked: 60_000,
	/** So many requests of a run given up in a row mean an outage: the others are tried once each */
	outage: 10,
	/** Share of every wait that is really waited; tests take less */
	share: 1,
};
