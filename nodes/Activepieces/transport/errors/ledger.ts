/** What the requests of an input item may have changed on the server. */
export type Outcome = 'nothing' | 'maybe' | 'done';

const RANKS: Outcome[] = ['nothing', 'maybe', 'done'];

/**
 * What the requests of one input item did, in every try of *Retry On Fail*: for messages about a change, and
 * for whether it may be repeated.
 */
export class Ledger {
	/** `maybe` if the server may have carried out a change without confirming it */
	outcome: Outcome = 'nothing';
	/** IDs of the records that requests may have changed: an expression may give another one in a later try */
	private readonly ids = new Set<unknown>();

	note(outcome: Outcome, id?: unknown): void {
		if (outcome !== 'nothing') this.ids.add(id);
		if (RANKS.indexOf(outcome) > RANKS.indexOf(this.outcome)) this.outcome = outcome;
	}

	mayHaveChangedRecord(id: unknown): boolean {
		return this.ids.has(id);
	}

	get mayHaveChanged(): boolean {
		return this.outcome !== 'nothing';
	}
}

export class SharedLedger extends Ledger {
	constructor(private readonly ledgers: Ledger[]) {
		super();
	}

	override note(outcome: Outcome, id?: unknown): void {
		for (const ledger of this.ledgers) ledger.note(outcome, id);
	}
}
