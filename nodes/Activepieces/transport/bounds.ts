/** n8n's router puts the items of one input item on the stack, which holds about 125,000 of them. */
export const MOST_RECORDS = 100_000;

/** An object and not a constant, so that tests can lower it in the built module. */
export const bounds = {
	/** Pages of one list. None of the service is this long; one that goes on has lost its way. */
	pages: 100_000,
};
