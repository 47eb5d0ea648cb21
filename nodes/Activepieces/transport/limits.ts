/** For how long one request is repeated. */
export interface RetryPolicy {
	/** The first attempt included */
	maxAttempts: number;
	/** From the start of the first attempt; no further one starts after it */
	maxElapsedMs: number;
	/** Time left, where it is for several requests together; called when one has failed */
	remainingMs?(): number;
}

/**
 * The numbers by which the package bounds what it does; lengths of texts stand where the texts are made. An object and not constants, because node code has no other
 * place from which tests could shorten a wait: they change it in the built module.
 */
export const limits = {
	/**
	 * Input items at work, requests of a run in flight, and pages fetched ahead. A real server answers no
	 * faster beyond two in flight (measured); the others hide the way to a server that is far away.
	 */
	maxConcurrency: 10,
	/** Records of one input item: in the path of n8n's router they go on the stack, which holds about 125,000 */
	maxRecordsPerItem: 100_000,
	/** Names in Fields, each of which is looked for in each record */
	maxFields: 100,
	/** Characters of a pattern that the node compares names with as well */
	maxPatternLength: 200,
	/** Clocks of n8n and of the server that differ by more are not both right */
	maxClockDifferenceMs: 24 * 3_600_000,
	/** n8n's own default for a request of a declarative node; holds for the answer to its last byte */
	requestTimeoutMs: 300_000,
	/**
	 * Decompressed bytes of one answer. 1,000 raw flows of 40 steps have about 40 MB; decoded, an answer takes
	 * several times its size in memory, and ten of them may be in flight.
	 */
	maxResponseBytes: 128 * 2 ** 20,
	/** Values of JSON in one answer, names counted twice more; 1,000 raw flows of 40 steps have about 3 million */
	maxResponseValues: 5_000_000,
	/** Answers of more than a few MB that a run reads at once; the others wait with what they have */
	maxLargeResponses: 2,
	/** What a run gives in all: n8n stores it as one text, of which V8 takes 512 MB */
	maxOutputBytes: 512 * 2 ** 20,

	/** Rows per request: the service sets no cap, and loses rows only at page edges (recorded) */
	defaultPageSize: 1000,
	/** Rows of one answer, however many were asked for: lists without pages have thousands at most */
	maxPageRows: 100_000,
	/** Characters of a `next`, all of which are kept while a list is read; the service's own have about 60 */
	maxCursorLength: 10_000,
	/** No list of the service is this long; one that goes on does not end */
	maxPages: 100_000,
	/** Pages of known records in a row; some may come, since rows move while they are read */
	maxRepeatedPages: 3,
	/** Empty pages with a `next` in a row; the service itself gives none */
	maxEmptyPages: 20,

	/** A workflow has time: a restart of the service or its proxy takes seconds to a minute */
	execution: { maxAttempts: 5, maxElapsedMs: 120_000 } as RetryPolicy,
	/** Requests of a locator, for which a person waits; `locatorMaxElapsedMs` ends the whole search */
	listSearch: { maxAttempts: 2, maxElapsedMs: 3_000 } as RetryPolicy,
	/** A poll of the trigger comes again by itself; the time is for all its requests together */
	poll: { maxAttempts: 4, maxElapsedMs: 15_000 } as RetryPolicy,
	/** What is removed again after a change was not completed, for which n8n may be waiting to end the execution */
	cleanUp: { maxAttempts: 4, maxElapsedMs: 15_000 } as RetryPolicy,
	/** The n-th wait is anything up to `firstMs * factor ** (n - 1)`, but no more than `maxMs` */
	backoff: { firstMs: 500, factor: 2, maxMs: 8_000 },
	/** A longer wait than this is not waited for; the service itself asks for 60 s */
	maxRetryAfterMs: 60_000,
	/** So many requests of a run given up in a row open the circuit breaker: the others are sent once */
	maxConsecutiveFailures: 10,

	/**
	 * For how long the change of a flow's status is waited for, up to 0.79, and how often it is looked for:
	 * a worker takes about a second (recorded)
	 */
	flowChange: { maxElapsedMs: 60_000, pollMs: 1_000 },

	/**
	 * Calls that wait for the answer of a flow at once. A server with four workers gave 4 to 20 of 20 calls
	 * their answer within 6 s (recorded); the others were told that the time was over.
	 */
	maxWaitingCalls: 3,
	/** A server waits for a flow for so long unless it says otherwise, and the node waits so much longer */
	flowAnswer: { defaultMs: 30_000, extraMs: 30_000 },
	/** A day: a flow that takes longer answers by other means */
	maxRunTimeoutSeconds: 86_400,

	/** For how long what a server lacks, and where it has an endpoint, is known: an upgrade is noticed soon after */
	serverKnowledgeTtlMs: 10 * 60_000,

	/** Entries that the editor gets at once; it asks for more when the person scrolls */
	locatorEntries: 50,
	/** Entries of a list from which several are chosen: the editor shows all of them at once */
	optionEntries: 1000,
	/** Records on a page of such a list: large, since the service loses rows at page edges (recorded) */
	optionPageSize: 250,
	/** Characters of an entry: a name, its project's name, and a state */
	locatorLabelLength: 200,
	/** Flow runs on a page of a locator: each carries its flow's whole version twice */
	locatorRuns: 100,
	/** Lists that are read as a whole for a word that no name has: it may be part of an ID */
	locatorWholeLists: 25,
	/** Entries that fill the editor's list, so that it can be scrolled for more: 236 pixels of 32 each */
	locatorFullList: 8,
	/** After this a locator shows what it has, if the editor can scroll it */
	locatorFirstEntriesMs: 1_500,
	/** After this it shows what it has, however little */
	locatorShortListMs: 8_000,
	/** After this the editor says that the search goes on */
	locatorSlowNoticeMs: 2_500,
	/** One request of a locator; a list that takes longer is left out, and there is time for the others */
	locatorRequestTimeoutMs: 12_000,
	/** After this a locator gives up */
	locatorMaxElapsedMs: 30_000,
	credentialTestTimeoutMs: 30_000,
	/** Where neither the credential nor Request Options say otherwise */
	signInTimeoutMs: 30_000,
	/** Decompressed bytes of the answer to a sign-in, which has about 2 kB and is remembered when it is a refusal */
	maxSignInBytes: 2 ** 20,
	/** Sessions that a run begins: a second one if the first ends; a third would end as the second did */
	maxSessions: 2,
	/** After this a server that refused an API key is not asked for its edition any more */
	editionTimeoutMs: 5_000,
	/** For how long polls of triggers do not repeat a sign-in that was refused */
	signInRefusalTtlMs: 15 * 60_000,

	/** A poll that takes longer is given up, and the next one may begin */
	triggerPollMs: 5 * 60_000,
	/** After this a poll leaves projects that it has not read to the next ones, if it has read others */
	triggerProjectsMs: 4 * 60_000,
	/** After this a poll begins no further piece of a list of runs if it has something to give */
	triggerReadMs: 2 * 60_000,
	/** A request of a poll that takes longer is left to the next one, unless the credential has a Timeout */
	triggerRequestTimeoutMs: 60_000,
	/** And whatever Timeout is: ten projects that do not answer would leave no time for the others */
	triggerMaxRequestMs: 2 * 60_000,
	/** Milliseconds of one list of which the service does not give all runs; beyond these the list cannot be read */
	triggerIncompleteMoments: 3,
	/** Polls in a row that may find the service down before one ends in an error */
	triggerToleratedFailures: 2,
	/** Records that the trigger knows by id, or more while some may show up late; older ones it knows by time */
	triggerSeenRecords: 1000,
	/**
	 * Entries of each kind in the stored state, however many records may still show up late, have no time of
	 * their own, need attention, or are of projects that cannot be read: half a megabyte at most
	 */
	triggerMaxEntries: 10_000,
	/** Flows of which the state keeps what they were; a list has no more (`maxRecordsPerItem`) */
	triggerMaxValues: 100_000,
	/** Characters of a stored state that are read; our own is always smaller */
	triggerMaxStateLength: 20_000_000,
	/**
	 * Records dated further ahead are dated in the future: of the service's own time, or of n8n's, where the
	 * service does not tell it. They make no others old
	 */
	triggerFutureMs: { knownTime: 24 * 3_600_000, unknownTime: 5 * 365 * 24 * 3_600_000 },
	/** A project that is missing from the list for so long is forgotten, and of more than these the oldest */
	triggerMissingProjectMs: 7 * 24 * 3_600_000,
	triggerMissingProjects: 1000,
	/** Items beyond those that a poll gives, of a project that is being read and of all that were; the rest is left to later polls */
	triggerPendingItems: 10_000,
	/** Rows of a page of runs that the trigger reads: each has its flow's version, up to 70 kB, and a poll is to take little memory */
	triggerRunsPageSize: 250,
	/** Triggers of which a process of n8n remembers what it has not stored; the one polled longest ago is let go */
	triggerRemembered: 5000,
	/** So much the clocks of the server and of n8n may drift apart before a time of the server is doubted */
	triggerClockDriftMs: 5 * 60_000,
	/** Records dated up to this long before the newest one may first show up in a later list */
	triggerLatenessMs: 5 * 60_000,
};
