import type { ConnectionErrorKind } from '../http/connectionError';
import { isStatus, type Outcome } from '../http/response';
import { rowOf, type Verdict } from '../http/verdict';
import { append, capitalize, ended, plainText, shortName, unended } from '../texts';
import { textOf } from '../values';
import { adviceIfMissing, type RequestSubject } from './words';

/*
 * The errors of the package, and when each is thrown:
 *
 * - `ValidationError`: a value of the node or the credential cannot be used; nothing is sent with it
 * - `AuthenticationError`: there is no session
 * - `IncompleteListError`: a list was not read to its end
 * - `RunEndedError`: the run ended before a request was sent; no person reads it
 * - `ActivepiecesError`: a request failed in any other way, or a check refused a change (`refusal`, `outcomeError`)
 */

/** Maximum length of a message and of a description: longer than any of ours with what it quotes */
export const MAX_MESSAGE = 1000;
const MAX_DESCRIPTION = 3000;

export interface UserMessage {
	message: string;
	description: string;
}

/** The fields of an error that are not text. */
interface ErrorFacts {
	httpStatus?: number;
	isRouteMissing?: boolean;
	/** Whether the service itself refused the request (`isRefusedByService`), or a check of the node did */
	isRefusal?: boolean;
	/** Whether the service does not have the record of the request */
	isRecordUnknown?: boolean;
	/** How long the server asked to wait, in milliseconds */
	retryAfterMs?: number;
	connectionError?: ConnectionErrorKind;
	/**
	 * What the change that failed may have done in all its attempts; undefined for a read. `unsent`: a value cannot be
	 * used. Where the error leaves the node, `outcomeNote` adds a sentence about it and about the item's other
	 * requests, unless it is `said`, by the text itself, or `settled`: the recipient has carried out the request and
	 * reported the outcome, so that a new request is a new attempt, whatever the status
	 */
	outcome?: Outcome | 'unsent' | 'said' | 'settled';
}

/**
 * An error with the text that a person reads in the editor. It can be thrown anywhere.
 * `execution/nodeError.ts` converts it to n8n's own error, with the input item and without secrets,
 * where it leaves the node.
 */
export class ActivepiecesError extends Error implements ErrorFacts {
	readonly description: string;
	readonly httpStatus?: number;
	readonly isRouteMissing: boolean;
	readonly isRefusal: boolean;
	readonly isRecordUnknown: boolean;
	readonly retryAfterMs?: number;
	readonly connectionError?: ConnectionErrorKind;
	readonly outcome?: ErrorFacts['outcome'];

	constructor({ message, description }: UserMessage, facts: ErrorFacts = {}) {
		// Quoted text may contain anything. n8n writes a message to one line of its log, and stores both.
		super(plainText(message, MAX_MESSAGE));
		this.description = plainText(description, MAX_DESCRIPTION);
		this.httpStatus = facts.httpStatus;
		this.isRouteMissing = facts.isRouteMissing ?? false;
		this.isRefusal = facts.isRefusal ?? false;
		this.isRecordUnknown = facts.isRecordUnknown ?? false;
		this.retryAfterMs = facts.retryAfterMs;
		this.connectionError = facts.connectionError;
		this.outcome = facts.outcome;
	}

	/** The row of the response, or of the reason why there is none; undefined for an error of another kind */
	private get row() {
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

	/** Whether the same request may succeed a moment later */
	get isTemporary(): boolean {
		return this.row?.isTemporary ?? false;
	}

	/** Its message and description as sentences, which others follow. */
	get sentences(): string {
		return ended(`${unended(this.message)}. ${this.description}`);
	}

	withDescription(description: string, outcome = this.outcome): ActivepiecesError {
		return new ActivepiecesError({ message: this.message, description }, { ...this, outcome });
	}
}

/** The error for a value of the node or the credential that cannot be used. */
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

/** The error for a value that cannot be used. It says what to change. */
export const validationError = (message: string, whatToChange: string): ValidationError =>
	new ValidationError(
		{ message, description: whatToChange },
		{ outcome: 'unsent', isRefusal: true },
	);

/**
 * The error when the run ended before a request was sent: the workflow was canceled, or another item failed.
 */
export class RunEndedError extends Error {
	/** @param note what the item left on the server, which has to be reported although the run has ended */
	constructor(readonly note?: string) {
		super('The run has ended');
	}
}

/**
 * An error with a sentence about what an item has done or left on the server, which is also reported of a run that has
 * ended. Other errors stay as they are.
 */
export function withNote(error: unknown, note: string, outcome?: ActivepiecesError['outcome']) {
	if (error instanceof RunEndedError) return new RunEndedError(note);
	if (!(error instanceof ActivepiecesError)) return error;
	return error.withDescription(append(error.description, ` ${note}`), outcome);
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

export const errorOf = (message: string, description: string, facts?: ErrorFacts) =>
	new ActivepiecesError({ message: capitalize(message), description }, facts);

/** The error for a change that a check has prevented. */
export const refusal = (message: string, description: string, facts?: ErrorFacts) =>
	errorOf(message, description, { ...facts, outcome: 'nothing', isRefusal: true });

/** The error for a change of which its text says what is known. */
export const outcomeError = (message: string, description: string, facts?: ErrorFacts) =>
	errorOf(message, description, { ...facts, outcome: 'said' });

/** The error for a record that is in no list of the service. */
export const notFoundError = (
	{ id, subject: { noun, field } }: { id?: unknown; subject: RequestSubject },
	facts?: ErrorFacts,
) =>
	errorOf(
		`${noun} "${shortName(textOf(id))}" was not found`,
		adviceIfMissing(noun, field ?? noun, id),
		{ isRecordUnknown: true, ...facts },
	);
