import type { UserMessage } from './userMessage';

/**
 * What went wrong, in the words that the person in the editor reads. Thrown anywhere, and turned into
 * n8n's own error, with the input item and without secrets, where it leaves the node
 * (`execution/toNodeError.ts`).
 */
export class ActivepiecesError extends Error {
	override readonly name: string = 'ActivepiecesError';

	readonly description: string;

	readonly httpStatus?: number;

	/** The server has no such route at all */
	readonly isRouteMissing: boolean;

	/** @param response that was not the expected one; absent when none came */
	constructor(
		{ message, description }: UserMessage,
		private readonly response?: { status: number; isRouteMissing: boolean },
	) {
		super(message);
		this.description = description;
		this.httpStatus = response?.status;
		this.isRouteMissing = response?.isRouteMissing ?? false;
	}

	/** The same error with another description. */
	withDescription(description: string): ActivepiecesError {
		return new ActivepiecesError({ message: this.message, description }, this.response);
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

/** The error for a value that cannot be used. It says what to change, and that nothing was sent. */
export function validationError(message: string, whatToChange: string): ValidationError {
	return new ValidationError({ message, description: `${whatToChange} Nothing was sent.` });
}

/** The run ended while a request was due: the workflow was cancelled, or another item failed. */
export class RunEndedError extends Error {
	override readonly name = 'RunEndedError';

	/** @param isAmbiguous whether the service may have done what it was asked before */
	constructor(readonly isAmbiguous = false) {
		super('The run has ended');
	}
}
