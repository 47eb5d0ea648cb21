/** What the requests of an input item may have changed on the server. */
export type Outcome = 'nothing' | 'maybe' | 'done';

const RANKS: Outcome[] = ['nothing', 'maybe', 'done'];

/**
 * Notes what the requests of one input item did, in every try of *Retry On Fail*. All clients of the item
 * share it. Messages about a change, and whether a change may be repeated, come from here.
 */
export class Ledger {
	/** `maybe` if the server may have carried out a change without confirming it */
	outcome: Outcome = 'nothing';

	/** IDs of the records that requests may have changed: an expression may give another one in a later try */
	private readonly ids = new Set<unknown>();

	/** Notes the outcome of a request that is no GET, for a record with an ID if it has one. */
	note(outcome: Outcome, id?: unknown): void {
		if (outcome !== 'nothing') this.ids.add(id);
		if (RANKS.indexOf(outcome) > RANKS.indexOf(this.outcome)) this.outcome = outcome;
	}

	/** Whether this record has changed, or may have. */
	mayHaveChangedRecord(id: unknown): boolean {
		return this.ids.has(id);
	}

	/** Whether something has changed, or may have */
	get mayHaveChanged(): boolean {
		return this.outcome !== 'nothing';
	}
}
