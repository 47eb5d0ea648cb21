import { isOfOneList, isOfServer, isStatus } from '../response/httpStatus';
import { plainText } from '../values/plainText';
import type { ConnectionErrorKind } from './connectionError';

/** Characters of a message, and of its description: more than any of ours has with what it repeats */
const MAX_MESSAGE = 1000;
const MAX_DESCRIPTION = 3000;

/** What the person in the editor reads: what happened, and what to change. */
export interface UserMessage {
	message: string;
	description: string;
}

/** What came instead of the expected response: the fields of the error that are of no message. */
export type ErrorCause = Partial<
	Omit<ActivepiecesError, keyof Error | 'description' | 'withDescription'>
>;

/**
 * What went wrong, in the words that the person in the editor reads. Thrown anywhere, and turned into
 * n8n's own error, with the input item and without secrets, where it leaves the node
 * (`execution/toNodeError.ts`).
 */
export class ActivepiecesError extends Error {
	override readonly name: string = 'ActivepiecesError';

	readonly description: string;

	/** Of a response that was not the expected one */
	readonly httpStatus?: number;

	/** The server has no such route at all */
	readonly isRouteMissing: boolean = false;

	/** Milliseconds that the server asked to wait */
	readonly retryAfterMs?: number;

	/** Why no response came */
	readonly connectionError?: ConnectionErrorKind;

	/** The service may have done what it was asked all the same */
	readonly isAmbiguous: boolean = false;

	/** Who was asked has done it and said what came of it: asking again is another try, whatever the status */
	readonly isSettled: boolean = false;

	constructor(
		{ message, description }: UserMessage,
		private readonly from: ErrorCause = {},
	) {
		// Whatever they repeat of others: n8n writes a message into one line of its log, and stores both.
		super(plainText(message, MAX_MESSAGE));
		this.description = plainText(description, MAX_DESCRIPTION);
		Object.assign(this, from);
	}

	/** The same error with another description. */
	withDescription(description: string): ActivepiecesError {
		return new ActivepiecesError({ message: this.message, description }, this.from);
	}
}

/** A value of the node or the credential that cannot be used; nothing was sent. */
export class ValidationError extends ActivepiecesError {
	override readonly name = 'ValidationError';
}

/** Signing in gave no session, whatever the request behind it was about. */
export class AuthenticationError extends ActivepiecesError {
	override readonly name = 'AuthenticationError';
}

/** A list was left before its end, because the service does not give all of it. */
export class IncompleteListError extends ActivepiecesError {
	override readonly name = 'IncompleteListError';
}

/** The error for a value that cannot be used. It says what to change, and that nothing was sent. */
export function validationError(message: string, whatToChange: string): ValidationError {
	return new ValidationError({ message, description: `${whatToChange} Nothing was sent.` });
}

/** The run ended while a request was due: the workflow was cancelled, or another item failed. */
export class RunEndedError extends Error {
	override readonly name = 'RunEndedError';

	/**
	 * @param isAmbiguous whether the service may have done what it was asked before
	 * @param note what is left of it, and has to be told although the run has ended
	 */
	constructor(
		readonly isAmbiguous = false,
		readonly note?: string,
	) {
		super('The run has ended');
	}
}

/** Whether this one list cannot be read, while others of the same server can. */
export const isListRefused = (error: unknown): error is ActivepiecesError =>
	error instanceof ActivepiecesError &&
	!(error instanceof AuthenticationError) &&
	isOfOneList(error.httpStatus);

/** Not a time-out and not a cut connection: one list that is spoilt or long brings them, too. */
const CONNECTION_ERRORS_OF_SERVER: ConnectionErrorKind[] = [
	'unknownHost',
	'connectionRefused',
	'connectTimeout',
	'unreachable',
	'untrustedCertificate',
	'tlsProtocol',
];

/** Whether every other list of the server would fail for the same reason as this one. */
export function isAboutServer(error: unknown): boolean {
	if (!(error instanceof ActivepiecesError)) return true;
	const { connectionError, httpStatus } = error;
	return (
		error instanceof AuthenticationError ||
		error instanceof ValidationError ||
		isOfServer(httpStatus) ||
		(connectionError !== undefined && CONNECTION_ERRORS_OF_SERVER.includes(connectionError))
	);
}

/**
 * The reason to tell when none of several lists could be read: what is wrong with the request itself is that of all,
 * whatever else one of them has.
 */
export const commonReason = (reasons: ActivepiecesError[]): ActivepiecesError =>
	reasons.find(({ httpStatus }) => isStatus(httpStatus, 'badRequest')) ?? reasons[0];
