import {
	type INode,
	type JsonObject,
	ExpressionError,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import {
	ActivepiecesError,
	type UserMessage,
	ValidationError,
} from '../transport/errors/activepiecesError';
import { createRedactor, type Redactor, type Secrets } from '../transport/errors/redact';
import { plainText } from '../transport/values/plainText';
import { textOf } from '../transport/values/textOf';

/** What is known of the place where an error leaves the node. */
export interface ErrorOrigin {
	/** Input item that failed; absent in a locator */
	itemIndex?: number;
	/** What the error must not show */
	secrets: Secrets;
	/** A sentence to add to the description */
	note?: string;
	/** Why it failed in n8n's own words, which newer releases of n8n look at after a poll */
	failure?: NodeApiError['failure'];
}

/** n8n's own errors, of expressions for example, may have no description. */
function foreignMessage(error: unknown): UserMessage {
	const { message, description, context } = (
		typeof error === 'object' && error !== null ? error : { message: error }
	) as { message?: unknown; description?: unknown; context?: { parameter?: unknown } };
	const parameter = context?.parameter;
	return {
		message: textOf(message) || 'The node could not run',
		description:
			typeof description === 'string' && description !== ''
				? description
				: typeof parameter === 'string'
					? `Check the expression in the parameter ${parameter}.`
					: 'Check the fields of the node.',
	};
}

/** What happened and what to do, in words without secrets, for any error. */
export function userMessageOf(error: unknown, { secrets, note }: ErrorOrigin): UserMessage {
	const redactor = createRedactor(secrets);
	const isOurs = error instanceof ActivepiecesError;
	const { message, description } = isOurs ? error : foreignMessage(error);
	// What our own messages repeat of others went through the redactor when it came in.
	const redact = isOurs ? redactor.data : (text: string) => plainText(redactor.message(text), 2000);
	return {
		message: redact(message),
		description: redact(note === undefined ? description : `${description} ${note}`),
	};
}

/** Whether nothing that n8n stores of an error shows a secret. */
function isClean(error: Error, redactor: Redactor): boolean {
	const { message, stack, description, cause, context } = error as Error & {
		description?: unknown;
		context?: unknown;
	};
	const stored = [message, stack, description, cause, context].map((part) =>
		part instanceof Error ? `${part.message} ${part.stack}` : (JSON.stringify(part) ?? ''),
	);
	return stored.every((text) => redactor.message(text) === text);
}

/**
 * The one place where an error leaves the node: n8n's own error, with the item, and without secrets.
 * Errors that n8n made stay what they are, since the editor shows more of them than their words.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	origin: ErrorOrigin,
): NodeApiError | NodeOperationError | ExpressionError {
	const { itemIndex, secrets, note, failure } = origin;
	const isOfN8n =
		error instanceof NodeApiError ||
		error instanceof NodeOperationError ||
		error instanceof ExpressionError;
	if (isOfN8n && note === undefined && isClean(error, createRedactor(secrets))) {
		if (itemIndex !== undefined) error.context.itemIndex = itemIndex;
		return error;
	}
	const { message, description } = userMessageOf(error, origin);
	if (error instanceof ActivepiecesError && !(error instanceof ValidationError)) {
		const { httpStatus } = error;
		// An empty object: whatever stands in it is stored with the execution, and NodeApiError hands a
		// NodeApiError back unchanged.
		const response: JsonObject = {};
		return new NodeApiError(node, response, {
			message,
			description,
			itemIndex,
			failure,
			httpCode: httpStatus === undefined ? undefined : String(httpStatus),
		});
	}
	return new NodeOperationError(node, message, { description, itemIndex, failure });
}
