import type { ConnectionErrorKind } from '../http/connectionError';
import { isStatus } from '../http/httpStatus';
import { plainText } from '../text';
import { rowOf, type Verdict } from '../http/verdict';

/** Maximum length of a message and of a description: longer than any of ours with what it quotes */
export const MAX_MESSAGE = 1000;
const MAX_DESCRIPTION = 3000;

export interface UserMessage {
	message: string;
	description: string;
}

/** The fields of an error that are not text. */
export type ErrorFacts = Partial<
	Omit<
		ActivepiecesError,
		keyof Error | 'description' | 'scope' | 'n8nCause' | 'hasChangedNothing' | 'withDescription'
	>
>;

/**
 * An error with the text that a person reads in the editor. It can be thrown anywhere.
 * `execution/nodeError.ts` converts it to n8n's own error, with the input item and without secrets,
 * where it leaves the node.
 */
export class ActivepiecesError extends Error {
	readonly description: string;
	readonly httpStatus?: number;
	readonly isRouteMissing: boolean = false;
	/** Whether the service itself refused the request, and would refuse it again (`isFinalRefusal`) */
	readonly isRefusal: boolean = false;
	/** Whether the service does not have the record of the request */
	readonly isRecordUnknown: boolean = false;
	/** How long the server asked to wait, in milliseconds */
	readonly retryAfterMs?: number;
	readonly connectionError?: ConnectionErrorKind;
	/**
	 * Whether a change was refused, by the service (`isRefusal`) or by a check of the node, so that nothing was changed
	 * unless another request of the item did
	 */
	readonly isRefusedChange: boolean = false;
	/**
	 * What its text says of the change; otherwise what the ledger of the item knows is added where the error leaves
	 * the node. `said`: the text says whether the change was made. `settled`: the recipient has carried out the request and reported the outcome, so that a new
	 * request is a new attempt, whatever the status
	 */
	readonly knownOutcome?: 'said' | 'settled';

	constructor({ message, description }: UserMessage, facts: ErrorFacts = {}) {
		// Quoted text may contain anything. n8n writes a message to one line of its log, and stores both.
		super(plainText(message, MAX_MESSAGE));
		Object.assign(this, facts);
		this.description = plainText(description, MAX_DESCRIPTION);
	}

	/** The row of the response, or of the reason why there is none; undefined for an error of another kind */
	private get row(): Verdict | undefined {
		const reason = this.connectionError ?? this.httpStatus;
		return reason === undefined ? undefined : rowOf(reason);
	}

	/** What else fails for the same reason */
	get scope(): Verdict['scope'] {
		return this.row?.scope ?? 'request';
	}

	get n8nCause(): Verdict['n8nCause'] | undefined {
		return this.row?.n8nCause;
	}

	/** Whether the request has certainly changed nothing, whoever refused it */
	get hasChangedNothing(): boolean {
		return this.isRefusal || this.row?.outcome === 'nothing';
	}

	withDescription(description: string, knownOutcome = this.knownOutcome): ActivepiecesError {
		return new ActivepiecesError({ message: this.message, description }, { ...this, knownOutcome });
	}
}

/** The error for a value of the node or the credential that cannot be used; nothing was sent. */
export class ValidationError extends ActivepiecesError {
	override get scope() {
		return 'server' as const;
	}
}

export class AuthenticationError extends ActivepiecesError {
	override get scope() {
		return 'server' as const;
	}
}

export class IncompleteListError extends ActivepiecesError {}

/** The error for a value that cannot be used. It says what to change, and that nothing was sent. */
export function validationError(message: string, whatToChange: string): ValidationError {
	return new ValidationError({ message, description: `${whatToChange} Nothing was sent.` });
}

/**
 * The error when the run ended before a request was sent: the workflow was canceled, or another item failed.
 */
export class RunEndedError extends Error {
	/** @param note what the item left on the server, which has to be reported although the run has ended */
	constructor(readonly note?: string) {
		super('The run has ended');
	}
}

/** What else fails for the same reason as a request; everything, if it was none of ours. */
export const scopeOf = (error: unknown): Verdict['scope'] =>
	error instanceof ActivepiecesError ? error.scope : 'server';

/** Whether this list cannot be read, while others of the same server may be: whoever refused it, unlike `isRefusal`. */
export const isListRefused = (error: unknown): error is ActivepiecesError =>
	scopeOf(error) === 'list';

/**
 * The reason to report when none of several lists could be read. A problem with the request itself comes
 * first, because it applies to all lists.
 */
export const commonReason = (reasons: ActivepiecesError[]): ActivepiecesError =>
	reasons.find(({ httpStatus }) => isStatus(httpStatus, 'badRequest')) ?? reasons[0];
