import type { ApiClient } from './client';
import type { ConnectionError } from './connectionError';
import { ActivepiecesError, AuthenticationError, type UserMessage } from './error';
import { isErrorStatus, isOfOneList, isStatus } from './httpStatus';
import { connectionKind, responseKind, signInKind } from './messageKind';
import { type ErrorContext, fillTemplate, type ListFacts, partsOf } from './messageParts';
import { AFTER_TRIES, type ListKind, type MessageKind, MESSAGES, OF_PROJECT } from './messages';
import type { ApiRequest, WebhookRequest } from './request';
import { type ApiResponse, type Attempts, isFinalRefusal } from './response';
import type { AttemptResult } from './exchange';
import { SIGN_IN } from './endpoint';
import { append, inSeconds } from './text';

/** What a message about a request may contain. */
export function errorContext(
	{ baseUrl, credentialKind, place, proxyHost }: ApiClient,
	request: ApiRequest | WebhookRequest,
): ErrorContext {
	const { id, subject, method, path, feature, means, mayHandOnCloud } = request;
	const isText = typeof id === 'string' || typeof id === 'number';
	return {
		...subject,
		method,
		path,
		feature,
		means,
		mayHandOnCloud,
		baseUrl,
		credentialKind,
		place,
		proxyHost,
		isCall: 'json' in request,
		id: isText ? String(id).trim() : undefined,
	};
}

/** The sentence that names the project, if the request is for one of several. A key applies to all projects. */
function projectSentence({ within }: ErrorContext, status?: number): string {
	if (within?.of === undefined || isStatus(status, 'unauthorized')) return '';
	return isOfOneList(status) ? OF_PROJECT.refused : OF_PROJECT.failed;
}

/**
 * Completes the text of every error of a request: with what is known of the request, and with what the
 * person cannot know, such as how often it was sent, whether a change may have been made, and which
 * project was read.
 */
function messageFor(
	kind: MessageKind,
	parts: ReturnType<typeof partsOf>,
	context: ErrorContext,
	{ attempts, status }: { attempts?: Attempts; status?: number } = {},
): UserMessage {
	const { message, description } = MESSAGES[kind];
	const isRepeated = attempts !== undefined && attempts.count > 1;
	return {
		message:
			fillTemplate(message, parts) +
			(isRepeated
				? fillTemplate(AFTER_TRIES, {
						tries: String(attempts.count),
						time: inSeconds(attempts.elapsedMs, 'less than a second'),
					})
				: ''),
		description: append(
			fillTemplate(description, parts),
			fillTemplate(projectSentence(context, status), parts),
		),
	};
}

/** The error for any unexpected response. */
export function errorForResponse(response: ApiResponse, context: ErrorContext): ActivepiecesError {
	const { attempts, status, isRouteMissing, retryAfterMs } = response;
	const message = messageFor(
		responseKind(response, context),
		partsOf(context, { response }),
		context,
		{ attempts, status },
	);
	return new ActivepiecesError(message, {
		httpStatus: status,
		isRouteMissing,
		isRefusal: isFinalRefusal(response),
		retryAfterMs,
		// A web page with a success comes from a wrong Base URL, which the message is about.
		saysOutcome: response.isHtml && !isErrorStatus(status),
	});
}

/** The error for an unexpected response. */
export const toApiError = (
	client: ApiClient,
	request: ApiRequest | WebhookRequest,
	response: ApiResponse,
): ActivepiecesError => errorForResponse(response, errorContext(client, request));

/** The error for a request without a response. */
export function errorForConnection(
	error: ConnectionError,
	context: ErrorContext,
	attempts?: Attempts,
): ActivepiecesError {
	const { kind } = error;
	const parts = partsOf(context, { connectionError: error });
	return new ActivepiecesError(
		messageFor(connectionKind(kind, context), parts, context, { attempts }),
		{ connectionError: kind },
	);
}

/** The message for a list that was not read to its end. */
export function listMessage(
	client: ApiClient,
	request: ApiRequest,
	kind: ListKind,
	list: ListFacts,
): UserMessage {
	const context = errorContext(client, request);
	return messageFor(kind, partsOf(context, { list }), context);
}

/**
 * The error for a sign-in without a session.
 *
 * @param request the request that needed the session and was not sent
 */
export function errorForSignIn(
	result: AttemptResult,
	request: Pick<ErrorContext, 'baseUrl' | 'method' | 'place' | 'proxyHost'>,
	attempts?: Attempts,
): AuthenticationError {
	const { baseUrl, method, place, proxyHost } = request;
	const context: ErrorContext = {
		...SIGN_IN,
		baseUrl,
		place,
		proxyHost,
		noun: 'session',
		credentialKind: 'signIn',
	};
	const parts = partsOf(context, result);
	// Whether a change may have been made depends on that request.
	const behind = { ...context, method };
	if ('connectionError' in result) {
		const { kind } = result.connectionError;
		return new AuthenticationError(
			messageFor(connectionKind(kind, context), parts, behind, { attempts }),
			{ connectionError: kind },
		);
	}
	const { response } = result;
	const kind = signInKind(response) ?? responseKind(response, context);
	return new AuthenticationError(messageFor(kind, parts, behind, { attempts }), {
		httpStatus: response.status,
		retryAfterMs: response.retryAfterMs,
	});
}
