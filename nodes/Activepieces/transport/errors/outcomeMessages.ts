/* What the requests of an item did, added where its error leaves the node. */

/** Ends every text about a change that may have been made */
export const BEFORE_AGAIN = 'before you run the node again.';

export const CHECK_FIRST = `Check in Activepieces ${BEFORE_AGAIN}`;

/** A change may have been made without a confirmation */
export const MAYBE_DONE = `Activepieces may have applied the change. ${CHECK_FIRST}`;

/** A change was made, or will be, before another request failed */
export const ALREADY_SENT = `The node had already sent the request, which Activepieces accepted. ${CHECK_FIRST}`;

export const NOTHING_CHANGED = 'Nothing was changed.';
