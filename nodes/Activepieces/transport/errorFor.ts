import type { ConnectionError } from './connectionError';
import { SIGN_IN } from './endpoint';
import { ActivepiecesError, AuthenticationError, type UserMessage } from './error';
import type { AttemptResult } from './exchange';
import { isErrorStatus, isStatus } from './httpStatus';
import {
	afterTries,
	CONNECTION_RULES,
	LIST_RULES,
	type ListFacts,
	projectNote,
	type Rule,
	type RuleMessage,
	signInSent,
} from './messages';
import type { ApiRequest, WebhookRequest } from './request';
import { type ApiResponse, type Attempts, isFinalRefusal, isRecordUnknown } from './response';
import { RESPONSE_RULES } from './responseMessages';
import { append, inSeconds } from './text';
import { type About, aboutRequest, type ErrorSource } from './words';

type Request = ApiRequest | WebhookRequest;

/** The first rule that matches. The last rule of a list has no conditions, or all kinds have one. */
const ruleFor = <Facts>(rules: Array<Rule<Facts>>, facts: Facts, about: About): Rule<Facts> =>
	rules.find(({ conditions }) => conditions.every((matches) => matches(facts, about)))!;

/**
 * Completes the text of every error of a request with what the person cannot know: how often it was sent,
 * and which project was read. What the item may have changed is added where the error leaves the node.
 */
function complete(
	{ message, description }: RuleMessage,
	about: About,
	{ attempts, status }: { attempts?: Attempts; status?: number } = {},
): UserMessage {
	const tries =
		attempts !== undefined && attempts.count > 1
			? afterTries(attempts.count, inSeconds(attempts.elapsedMs, 'less than a second'))
			: '';
	const isOfSeveral = about.within?.of !== undefined;
	const note = isOfSeveral ? projectNote(about, status) : '';
	return { message: message + tries, description: append(description, note) };
}

export function toApiError(source: ErrorSource, request: Request, response: ApiResponse) {
	const { rules = [] } = request.endpoint;
	const { attempts, status, isRouteMissing, retryAfterMs } = response;
	const about = aboutRequest(source, request, response);
	const rule = ruleFor([...rules, ...RESPONSE_RULES], response, about);
	const text = rule.text(about, response);
	// Often the response to a sign-in is that of a proxy, or of another server: the person has to know what
	// was sent. A proxy that wants a password has not passed it on.
	const isPassedOn = !isStatus(status, 'proxyAuthenticationRequired');
	if (source.credentialKind === 'account' && isPassedOn && !rules.includes(rule)) {
		text.description = append(text.description, signInSent(about));
	}
	return new ActivepiecesError(complete(text, about, { attempts, status }), {
		httpStatus: status,
		isRouteMissing,
		isRefusal: isFinalRefusal(response),
		isRecordUnknown: isRecordUnknown(response),
		retryAfterMs,
		nothingChanged: text.nothingChanged,
		// A web page with a success comes from a wrong Base URL, which the message is about.
		saysOutcome: response.isHtml && !isErrorStatus(status),
	});
}

export function errorForConnection(
	source: ErrorSource,
	request: Request,
	error: ConnectionError,
	attempts?: Attempts,
): ActivepiecesError {
	const about = aboutRequest(source, request);
	const text = ruleFor(CONNECTION_RULES, error, about).text(about, error);
	return new ActivepiecesError(complete(text, about, { attempts }), {
		connectionError: error.kind,
	});
}

export function listMessage(source: ErrorSource, request: Request, facts: ListFacts): UserMessage {
	const about = aboutRequest(source, request);
	return complete(ruleFor(LIST_RULES, facts, about).text(about, facts), about);
}

export function errorForSignIn(
	{ baseUrl, place, settings, ownSettings }: ErrorSource,
	result: AttemptResult,
	attempts: Attempts,
): AuthenticationError {
	const source: ErrorSource = {
		...{ baseUrl, place, settings, ownSettings },
		credentialKind: 'account',
	};
	const request: ApiRequest = { endpoint: SIGN_IN, subject: { noun: 'session' } };
	const error =
		'connectionError' in result
			? errorForConnection(source, request, result.connectionError, attempts)
			: toApiError(source, request, { ...result.response, attempts });
	const { httpStatus, retryAfterMs, connectionError } = error;
	return new AuthenticationError(error, { httpStatus, retryAfterMs, connectionError });
}
