import { ActivepiecesError } from '../errors/error';
import type { Ledger } from '../errors/ledger';
import type { StatusName } from '../http/response';

/*
 * A change that must not be made twice, such as a new record. Nobody can tell when a server that is slow or behind a proxy
 * carries out a request, so what is not found may still be made.
 */

/** How a change is recognized in a later try of *Retry On Fail*, and named when nothing shows whether it was made. */
export interface Idempotency<Before> {
	/** What tells the change from others: an expression may give something else in a later try */
	key: unknown;
	/** Continues "Could not confirm whether" */
	change: string;
	/** Where a person can look whether it was made */
	lookIn: string;
	/** What the service had before; by it, `find` sees a change */
	before?: Before;
	/** For one of several changes that an item makes: only an earlier request for it is a doubt */
	name?: string;
	/** What several items share: if one of them may have made it, the others are in doubt as well */
	shared?: { isInDoubt?: boolean };
	/** Whether it may be sent again, because the service has the record already, or refuses a second one */
	isIdempotent?: boolean;
}

export interface Change<T, Before> {
	/** Sends it; of earlier tries, `before` is that of the last one before something may have changed */
	send: (before: Before) => Promise<T>;
	/**
	 * Finds what the change makes, whoever made it and when, unless `before` tells them apart; without it, nothing shows
	 * whether it was made. It gets the error of the request that it follows.
	 */
	find?: (before: Before, error?: ActivepiecesError) => Promise<T | undefined>;
	/** What to do with what is there already, before anything is sent: returns it, or throws */
	onExisting?: (existing: T) => T;
	/** With which the service says that somebody else made it */
	madeByOther?: StatusName[];
	/** What a later try of *Retry On Fail* does not send again. What then does the same, such as a new name, is sent again */
	idempotency?: Idempotency<Before>;
}

/** The error for what an earlier request may have made, and a new one would make twice. */
const unconfirmed = ({ change, lookIn }: Idempotency<unknown>, isOther: boolean) =>
	new ActivepiecesError(
		{
			message: `Could not confirm whether ${change}`,
			description: `An earlier attempt failed without a clear result${isOther ? ', and an expression now gives other values' : ''}, so the node did not try again. Check ${lookIn} in Activepieces before you run the node again.`,
		},
		{ outcome: 'said' },
	);

/** A change and its earlier requests: those of earlier tries of the item, and those of items that share it. */
export class TrackedChange<Before> {
	private readonly shared: { isInDoubt?: boolean };
	/** The change that the first try wanted which may have made it */
	private readonly remembered: { value?: Idempotency<Before> };
	private readonly first: Idempotency<Before>;
	/** Whether an earlier try may have made it */
	private readonly isRetried: boolean;

	constructor(
		private readonly ledger: Ledger,
		private readonly wanted: Idempotency<Before>,
	) {
		const { name, shared = {} } = wanted;
		this.remembered = ledger.remembered(name ?? 'change');
		const { value } = this.remembered;
		this.isRetried = ledger.isInDoubt && (name === undefined || value !== undefined);
		this.first = (this.isRetried && value) || wanted;
		this.remembered.value = this.first;
		this.shared = shared;
		this.shared.isInDoubt ||= this.isRetried;
	}

	get before(): Before {
		return this.first.before as Before;
	}

	/** Whether an earlier request may have made it. */
	get isInDoubt(): boolean {
		return this.shared.isInDoubt === true;
	}

	/**
	 * Looks for what an earlier request made.
	 *
	 * @returns undefined if the change may be sent again
	 * @throws {ActivepiecesError} that nothing shows whether it was made
	 */
	async findEarlier<T>(find: Change<T, Before>['find']): Promise<T | undefined> {
		const isOther = JSON.stringify(this.first.key) !== JSON.stringify(this.wanted.key);
		const made = isOther ? undefined : await find?.(this.before);
		if (made) return made;
		if (isOther || this.wanted.isIdempotent !== true) throw unconfirmed(this.first, isOther);
		return undefined;
	}

	noteFailure(isCertainlyNotMade: boolean): void {
		// Then a later try is in doubt because of the item's other changes, but not of this one.
		if (isCertainlyNotMade && this.wanted.name !== undefined && !this.isRetried) {
			this.remembered.value = undefined;
		}
		this.shared.isInDoubt ||= this.ledger.mayHaveChanged && !isCertainlyNotMade;
	}
}
