import type { ApiClient } from './client';
import type { ConnectionError } from './connectionError';
import { ActivepiecesError, AuthenticationError, type UserMessage } from './error';
import { isErrorStatus, isOfOneList, isStatus } from './httpStatus';
import {
	afterTries,
	CONNECTION_RULES,
	failedInProject,
	LIST_RULES,
	type ListFacts,
	type ListKind,
	refusedInProject,
	type Rule,
	type RuleMessage,
	signInSent,
} from './messages';
import { SIGN_IN } from './endpoint';
import type { AttemptResult } from './exchange';
import type { ApiRequest, WebhookRequest } from './request';
import { type ApiResponse, type Attempts, isFinalRefusal } from './response';
import { RESPONSE_RULES, type ResponseRule, SIGN_IN_RULES } from './responseMessages';
import { append, inSeconds } from './text';
import { type About, aboutRequest, type ErrorContext } from './words';

export function errorContext(
	{ baseUrl, credentialKind, place, proxyHost }: ApiClient,
	request: ApiRequest | WebhookRequest,
): ErrorContext {
	const { id, subject, endpoint } = request;
	const { method, path, feature } = endpoint;
	const isText = typeof id === 'string' || typeof id === 'number';
	return {
		...subject,
		method,
		path,
		feature,
		baseUrl,
		credentialKind,
		place,
		proxyHost,
		isCall: 'json' in request,
		id: isText ? String(id).trim() : undefined,
	};
}

/** The first rule that matches. The last rule of a list has no conditions, or all kinds have one. */
function ruleFor<Facts>(rules: Array<Rule<Facts>>, facts: Facts, about: About): Rule<Facts> {
	for (const rule of rules) {
		if (rule.conditions.every((matches) => matches(facts, about))) return rule;
	}
	return rules[rules.length - 1];
}

/** The sentence that names the project, if the request is for one of several. A key applies to all projects. */
function projectSentence(about: About, status?: number): string {
	if (about.within?.of === undefined || isStatus(status, 'unauthorized')) return '';
	// A plan applies to all projects.
	return isOfOneList(status)
		? refusedInProject(about, !isStatus(status, 'paymentRequired'))
		: failedInProject(about);
}

/**
 * Completes the text of every error of a request with what the person cannot know: how often it was sent,
 * and which project was read. What the item may have changed is added where the error leaves the node.
 */
function complete(
	{ message, description }: RuleMessage,
	about: About,
	{ attempts, status }: { attempts?: Attempts; status?: number } = {},
): UserMessage {
	const isRepeated = attempts !== undefined && attempts.count > 1;
	return {
		message: isRepeated
			? message + afterTries(attempts.count, inSeconds(attempts.elapsedMs, 'less than a second'))
			: message,
		description: append(description, projectSentence(about, status)),
	};
}

export function errorForResponse(
	response: ApiResponse,
	context: ErrorContext,
	rules: ResponseRule[] = [],
): ActivepiecesError {
	const { attempts, status, isRouteMissing, retryAfterMs } = response;
	const about = aboutRequest(context, response);
	const rule = ruleFor([...rules, ...RESPONSE_RULES], response, about);
	const text = rule.text(about, response);
	// Often the response to a sign-in is that of a proxy, or of another server: the person has to know what
	// was sent. A proxy that wants a password has not passed it on.
	const isPassedOn = !isStatus(status, 'proxyAuthenticationRequired');
	if (context.credentialKind === 'account' && isPassedOn && !rules.includes(rule)) {
		text.description = append(text.description, signInSent(about));
	}
	return new ActivepiecesError(complete(text, about, { attempts, status }), {
		httpStatus: status,
		isRouteMissing,
		isRefusal: isFinalRefusal(response),
		retryAfterMs,
		nothingChanged: text.nothingChanged,
		// A web page with a success comes from a wrong Base URL, which the message is about.
		saysOutcome: response.isHtml && !isErrorStatus(status),
	});
}

export const toApiError = (
	client: ApiClient,
	request: ApiRequest | WebhookRequest,
	response: ApiResponse,
): ActivepiecesError =>
	errorForResponse(response, errorContext(client, request), request.endpoint.rules);

export function errorForConnection(
	error: ConnectionError,
	context: ErrorContext,
	attempts?: Attempts,
): ActivepiecesError {
	const about = aboutRequest(context);
	const text = ruleFor(CONNECTION_RULES, error, about).text(about, error);
	return new ActivepiecesError(complete(text, about, { attempts }), {
		connectionError: error.kind,
	});
}

export function listMessage(
	client: ApiClient,
	request: ApiRequest,
	kind: ListKind,
	list: ListFacts,
): UserMessage {
	const about = aboutRequest(errorContext(client, request));
	const facts = { ...list, kind };
	return complete(ruleFor(LIST_RULES, facts, about).text(about, facts), about);
}

/** The error for a sign-in without a session. */
export function errorForSignIn(
	result: AttemptResult,
	{ baseUrl, place, proxyHost }: Pick<ErrorContext, 'baseUrl' | 'place' | 'proxyHost'>,
	attempts?: Attempts,
): AuthenticationError {
	const context: ErrorContext = {
		...SIGN_IN,
		baseUrl,
		place,
		proxyHost,
		noun: 'session',
		credentialKind: 'account',
	};
	const error =
		'connectionError' in result
			? errorForConnection(result.connectionError, context, attempts)
			: errorForResponse({ ...result.response, attempts }, context, SIGN_IN_RULES);
	const { httpStatus, retryAfterMs, connectionError } = error;
	return new AuthenticationError(error, { httpStatus, retryAfterMs, connectionError });
}
