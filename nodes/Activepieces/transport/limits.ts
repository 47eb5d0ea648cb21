/** How often and how long a request is repeated. */
export interface RetryPolicy {
	maxAttempts: number;
	/** Measured from the start of the first attempt; no attempt starts later */
	maxElapsedMs: number;
	/** Time left when several requests share it; called after a failed attempt */
	remainingMs?(): number;
}

/** How long, and how often, something is awaited. */
export interface Patience {
	maxElapsedMs: number;
	/** By default as often as a change in progress */
	pollMs?: number;
	/** What several waits have taken so far that have the time together */
	elapsed?: { ms: number };
}

/**
 * The numbers that bound what the package does; maximum lengths of texts are where the texts are made.
 * An object instead of constants, so that tests can shorten waits in the built module: node code has no
 * other place for that.
 */
export const limits = {
	/**
	 * Input items in progress, requests of a run in flight, and pages fetched ahead. A real server does not
	 * respond faster with more than two in flight (measured); the others hide the latency of a distant server.
	 */
	maxConcurrency: 10,
	/** Records of one input item: in n8n's router they go on the stack, which holds about 125,000 */
	maxRecordsPerItem: 100_000,
	/** Records of a table that are created with one request: the service mixes the order of more (recorded) */
	recordsPerRequest: 50,
	/** n8n's own default for a request of a declarative node; applies until the last byte of the response */
	requestTimeoutMs: 300_000,
	/**
	 * Decompressed bytes of a response. 1,000 raw flows of 40 steps have about 40 MB. Decoded, a response
	 * takes several times its size in memory, and ten of them may be in flight.
	 */
	maxResponseBytes: 128 * 2 ** 20,
	/** A file of the input: more than the service accepts in a request, 25 MB (recorded) */
	maxInputFileBytes: 32 * 2 ** 20,

	/** For how long a run takes a record by the name that it had in a list */
	knownRecordsMs: 10_000,

	/** Flows or runs per request, unless Page Size says otherwise: 1,000 raw flows have about 40 MB */
	defaultPageSize: 1000,
	/** Other records per request: the service has no maximum, and loses records only at page edges (recorded) */
	largePageSize: 10_000,
	/** At least so many records per request of a list that continues by time: some of the page before come again */
	leastPageByTime: 100,
	/** Pages of known records in a row; a few may come, because records move while they are read */
	maxRepeatedPages: 3,

	/** Its waits last 4 seconds on average, unless the server asks for more: people also wait for errors */
	execution: { maxAttempts: 5, maxElapsedMs: 120_000 } as RetryPolicy,
	/** Requests of a locator, while a person waits; `locatorMaxElapsedMs` ends the whole search */
	listSearch: { maxAttempts: 2, maxElapsedMs: 3_000 } as RetryPolicy,
	/** A poll of the trigger repeats by itself; the time applies to all its requests together */
	poll: { maxAttempts: 4, maxElapsedMs: 15_000 } as RetryPolicy,
	/** What is removed again after a change was not completed, for which n8n may be waiting to end the execution */
	cleanUp: { maxAttempts: 4, maxElapsedMs: 15_000, pollMs: 5_000 },
	/** The n-th wait is random, up to `firstMs * factor ** (n - 1)` */
	backoff: { firstMs: 500, factor: 2 },
	/** A request that would have to wait longer fails instead; the service itself asks for 60 s */
	maxRetryAfterMs: 60_000,
	/**
	 * Consecutive failed requests of a run that open the circuit breaker, after which requests are not repeated
	 */
	maxConsecutiveFailures: 10,

	/**
	 * How long a change in progress is awaited, and how often its record is read: a worker takes about a
	 * second (recorded)
	 */
	pendingChange: { maxElapsedMs: 60_000, pollMs: 1_000 },

	/**
	 * Calls that wait for the response of a flow at once. A server with four workers responded to 4 to 20
	 * of 20 calls within 6 s (recorded); the others timed out
	 */
	maxWaitingCalls: 3,
	/** How long a server waits for a flow unless it says otherwise, and how much longer the node waits */
	flowResponse: { defaultMs: 30_000, extraMs: 30_000 },
	/** A list shows the end of a run up to 0.6 s after it (recorded) */
	endedRun: { maxElapsedMs: 2_000, pollMs: 500 },
	/** A day: a flow that takes longer has to respond in another way */
	maxRunTimeoutSeconds: 86_400,

	/**
	 * How long the node remembers what a server lacks, and where it has an endpoint; an upgrade is noticed
	 * soon after
	 */
	serverKnowledgeTtlMs: 10 * 60_000,

	/** Entries that the editor receives at once; it requests more when the person scrolls */
	locatorEntries: 50,
	/** Entries of a list with a multiple choice, all of which the editor shows at once */
	optionEntries: 1000,
	/** Records on a page of such a list; large, because the service loses records at page edges (recorded) */
	optionPageSize: 250,
	/** Characters of an entry: the name, the name of its project, and a state */
	locatorLabelLength: 200,
	/** Flow runs on a page of a locator; each contains its flow's whole version twice */
	locatorRuns: 100,
	/** When the editor says that the search continues */
	locatorSlowNoticeMs: 2_500,
	/** Time-out of a request of a locator; a list that takes longer is left out, to leave time for the others */
	locatorRequestTimeoutMs: 12_000,
	locatorMaxElapsedMs: 30_000,
	credentialTestTimeoutMs: 30_000,
	/** If neither the credential nor Request Options have a time-out */
	signInTimeoutMs: 30_000,
	/** Sessions that a run starts: a second one if the first ends; a third would end like the second */
	maxSessions: 2,
	/** How long a server may take to return its edition and its settings (`/v1/flags`) */
	editionTimeoutMs: 5_000,

	/** When a poll gives up, so that the next one can start */
	triggerPollMs: 5 * 60_000,
	/** When a poll leaves unread projects to the next polls, if it has read others */
	triggerProjectsMs: 4 * 60_000,
	/** When a poll stops reading further parts of a list of runs, if it has items to return */
	triggerReadMs: 2 * 60_000,
	/** Time-out of a request of a poll, and the maximum Timeout of the credential: the next poll tries again */
	triggerRequestTimeoutMs: 2 * 60_000,
	/** Consecutive polls that may find the service down before one fails with an error */
	triggerToleratedFailures: 2,
	/**
	 * Records that the trigger remembers by ID, or more while some may still appear late; older ones are
	 * known by their time
	 */
	triggerSeenRecords: 1000,
	/** The most records that it remembers by ID, half a megabyte */
	triggerMaxEntries: 10_000,
	/** Flows or connections whose value the state keeps; a poll reads no more (`maxRecordsPerItem`) */
	triggerMaxValues: 100_000,
	/**
	 * Records on a page of runs in the trigger: each contains its flow's version, up to 70 kB, and a poll
	 * should take little memory
	 */
	triggerRunsPageSize: 250,
	/** Records dated up to this long before the newest one may appear first in a later list */
	triggerLatenessMs: 5 * 60_000,
};
