import type { Outcome } from '../http/response';
import { worse } from '../http/verdict';
import { inRanges } from '../texts';
import { ActivepiecesError } from './error';

/**
 * What the requests of one input item did, in every try of *Retry On Fail*: for messages about a change, and
 * for whether it may be repeated.
 */
export class Ledger {
	/** `maybe` if the server may have carried out a change without confirming it */
	outcome: Outcome = 'nothing';
	/** Whether a request of the item was sent, reads included */
	hasSent = false;
	/** IDs of the records that requests may have changed: an expression may give another one in a later try */
	readonly ids = new Set<unknown>();
	private readonly memory = new Map<string, { value?: unknown }>();
	/** Whether an earlier try may have changed something */
	isInDoubt = false;

	startTry(): void {
		this.isInDoubt = this.mayHaveChanged;
	}

	note(outcome: Outcome, ...ids: unknown[]): void {
		this.hasSent = true;
		if (outcome !== 'nothing') for (const id of ids) this.ids.add(id);
		this.outcome = worse(this.outcome, outcome);
	}

	/** The place for what a try keeps for later ones. */
	remembered<T>(key: string): { value?: T } {
		const place = this.memory.get(key) ?? {};
		this.memory.set(key, place);
		return place as { value?: T };
	}

	mayHaveChangedRecord(id: unknown): boolean {
		return this.ids.has(id);
	}

	get mayHaveChanged(): boolean {
		return this.outcome !== 'nothing';
	}

	/**
	 * Nothing is left of what the requests did, so that a later try is not in doubt. That something was sent stays, as do
	 * the IDs and what is remembered.
	 */
	clear(): void {
		this.outcome = 'nothing';
	}
}

/** Notes in the ledgers of several items what a request for all of them did. It has no outcome of its own. */
export class SharedLedger extends Ledger {
	constructor(private readonly ledgers: Ledger[]) {
		super();
	}

	override note(outcome: Outcome, ...ids: unknown[]): void {
		for (const ledger of this.ledgers) ledger.note(outcome, ...ids);
	}
}

const CHECK_FIRST = 'Check in Activepieces before you run the node again.';

/** A value of an item cannot be used */
const NOTHING_SENT = 'Nothing was sent.';

const NOTHING_CHANGED = 'Nothing was changed.';

/** The note about an item of a run in which others were completed. */
export const besideCompleted = (note = ''): string =>
	note === NOTHING_SENT || note === NOTHING_CHANGED ? note.replace('.', ' for this item.') : note;

/** A change may have been made without a confirmation */
export const MAYBE_DONE = `Activepieces may have applied the change. ${CHECK_FIRST}`;

/** A change was made, or will be, before another request failed */
const ALREADY_SENT = `The node had already sent the request, which Activepieces accepted. ${CHECK_FIRST}`;

/**
 * What a person has to know of the change, besides the error; empty if the error says it (`ActivepiecesError.outcome`).
 * Only a refusal, such as a 503 of the service itself, gets the note that nothing was changed: a server that cannot be
 * reached needs none. A missing route concerns the server, not the change.
 */
export function outcomeNote(error: unknown, ledger = new Ledger(), isChange = false): string {
	const { outcome, isRefusal, isRouteMissing } =
		error instanceof ActivepiecesError ? error : ({} as Partial<ActivepiecesError>);
	if (outcome === 'said' || outcome === 'settled') return '';
	if (ledger.outcome === 'maybe') return MAYBE_DONE;
	if (ledger.outcome === 'done') return ALREADY_SENT;
	if (outcome === 'unsent' && !ledger.hasSent) return NOTHING_SENT;
	const isOfChange = isChange && outcome !== undefined;
	return isOfChange && isRefusal === true && !isRouteMissing ? NOTHING_CHANGED : '';
}

/**
 * What a person has to know of a run of changes that ended early, beside the error:
 *
 *     2 of 4 items were completed.
 *     19 of 41 items were completed, 17 of them without a change.
 *     50 of 120 items were completed. Check in Activepieces whether the change was made for item index 51 to 59.
 *
 * @param inDoubt indexes of items that may have changed something, of which the message says nothing else
 */
export function runNote(
	{ completed, unchanged, total }: Record<'completed' | 'unchanged' | 'total', number>,
	inDoubt: number[],
): string {
	const ofThem = unchanged === completed ? '' : `, ${unchanged} of them`;
	const without = unchanged === 0 ? '' : `${ofThem} without a change`;
	const notes = total > 1 ? [`${completed} of ${total} items were completed${without}.`] : [];
	if (inDoubt.length > 0) {
		const items = inRanges(inDoubt);
		notes.push(`Check in Activepieces whether the change was made for item index ${items}.`);
	}
	return notes.join(' ');
}
