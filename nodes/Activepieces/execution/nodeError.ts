/** An error where it leaves the node: as n8n's own, or as the output of a failed item, without secrets. */
import {
	ExpressionError,
	NodeApiError,
	NodeOperationError,
	type INode,
	type INodeExecutionData,
	type JsonObject,
} from 'n8n-workflow';

import { ActivepiecesError, ValidationError, type UserMessage } from '../transport/errors/error';
import { outcomeNote } from '../transport/errors/ledger';
import { createRedactor, NOT_SHOWN, type Secrets } from '../transport/http/redact';
import { append, capitalize, plainText, shortName } from '../transport/texts';
import { textOf } from '../transport/values';

export interface ErrorOrigin {
	itemIndex?: number;
	secrets: Secrets;
	/** The file that the item has, by which a person knows it better than by its index */
	fileName?: string;
	/** What it may have changed, and of a run that ended early its progress; by default what the error itself knows of it */
	note?: string;
	/** The reason in n8n's own terms, which newer releases of n8n read after a poll */
	failure?: NodeApiError['failure'];
}

/** n8n's name of a node that is used as a tool */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** n8n's own errors, for example those of expressions, may have no description. */
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
					? `Check the expression in the ${parameter} parameter.`
					: 'Check the fields of the node.',
	};
}

const withSentence = (text: string, sentence = '') => append(text, ` ${sentence}`);

export function userMessageOf(
	error: unknown,
	{ secrets, fileName, note = outcomeNote(error) }: ErrorOrigin,
): UserMessage {
	const redactor = createRedactor(secrets);
	const isOurs = error instanceof ActivepiecesError;
	const { message, description } = isOurs ? error : foreignMessage(error);
	// Foreign text in our own messages was redacted when the message was made.
	const shown = (text: string) => (redactor.isClean(text) ? text : capitalize(`${NOT_SHOWN}.`));
	const redact = isOurs ? redactor.data : (text: string) => plainText(shown(text), 2000);
	const file = fileName && `The file is "${shortName(fileName)}".`;
	return {
		message: redact(message),
		description: redact([file, note].filter(Boolean).reduce(withSentence, description)),
	};
}

/** Whether nothing that n8n stores of an error contains a secret. */
function isClean(error: Error, secrets: Secrets): boolean {
	const redactor = createRedactor(secrets);
	const { message, stack, description, cause, context } = error as Error & {
		description?: unknown;
		context?: unknown;
	};
	const stored = [message, stack, description, cause, context].map((part) =>
		part instanceof Error ? `${part.message} ${part.stack}` : (JSON.stringify(part) ?? ''),
	);
	return stored.every((text) => redactor.isClean(text));
}

/**
 * n8n replaces a message that contains the name of an error code in any letter case, such as that of the flow
 * "UpdatePermissions", which contains EPERM.
 */
const withMessage = <E extends NodeApiError | NodeOperationError>(error: E, message: string): E =>
	Object.assign(error, { message, messages: [] });

/**
 * Converts an error where it leaves the node: to n8n's own class, with the item, without secrets. Errors
 * that n8n made keep their class, because the editor shows more of them than their text.
 */
export function toNodeError(node: INode, error: unknown, origin: ErrorOrigin) {
	const { itemIndex, secrets, note: givenNote = '', failure } = origin;
	const isOfN8n =
		error instanceof NodeApiError ||
		error instanceof NodeOperationError ||
		error instanceof ExpressionError;
	if (isOfN8n && givenNote === '' && isClean(error, secrets)) {
		if (itemIndex !== undefined) error.context.itemIndex = itemIndex;
		return error;
	}
	const { message: short, description } = userMessageOf(error, origin);
	// Of an error, n8n 2 gives an agent only the message: without the rest a model repeats a change that may have been made.
	const message = isTool(node) ? append(short, ` ${description}`) : short;
	if (error instanceof ActivepiecesError && !(error instanceof ValidationError)) {
		const { httpStatus } = error;
		// An empty object: n8n stores its content with the execution. NodeApiError returns an existing
		// NodeApiError unchanged, so the error itself is not passed.
		const response: JsonObject = {};
		const httpCode = httpStatus === undefined ? undefined : String(httpStatus);
		const options = { message, description, itemIndex, failure, httpCode };
		return withMessage(new NodeApiError(node, response, options), message);
	}
	const options = { description, itemIndex, failure };
	return withMessage(new NodeOperationError(node, message, options), message);
}

/**
 * The output of a failed item when the workflow continues. On the error output n8n recognizes it by exactly these keys,
 * and adds the fields of the input; here they are always added, those with our names under `input`.
 */
export function failedItem(
	{ onError }: INode,
	{ json }: INodeExecutionData,
	error: unknown,
	origin: ErrorOrigin,
): INodeExecutionData {
	const { message, description } = userMessageOf(error, origin);
	const pairedItem = { item: origin.itemIndex! };
	const fields = { error: message, message: description };
	if (onError === 'continueErrorOutput') return { json: fields, pairedItem };
	const names = ['error', 'message', 'input'].filter((name) => Object.hasOwn(json, name));
	const isReplaced = names.some((name) => name !== 'input');
	const input = Object.fromEntries(names.map((name) => [name, json[name]]));
	return { json: { ...json, ...fields, ...(isReplaced ? { input } : {}) }, pairedItem };
}
