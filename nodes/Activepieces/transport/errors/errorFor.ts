import { CONNECTION_RULES } from './connectionMessages';
import { LIST_TEXTS, type ListFacts, projectNote } from './listMessages';
import type { ConnectionError } from '../http/connectionError';
import { ActivepiecesError, type UserMessage } from './error';
import { isStatus } from '../http/httpStatus';
import { type ApiResponse, type Attempts, isRecordUnknown } from '../http/response';
import { RESPONSE_RULES } from './responseMessages';
import type { ResponseRule, Rule } from './rule';
import { append, inSeconds } from '../text';
import { isRefusal } from '../http/verdict';
import { type Words, wordsOf, type ErrorRequest, type ErrorSource } from './words';

/** A request, and what responses mean at its endpoint, in front of what they mean at any. */
type RequestWithRules = ErrorRequest & { endpoint: { rules?: ResponseRule[] } };

export const afterTries = (tries: number, time: string) => `, after ${tries} tries in ${time}`;

/** Added to the description when another response came to the email and password */
export const signInSent = ({ baseUrl, path }: Words): string =>
	` The email and password were sent to ${baseUrl}${path}.`;

/** The first rule that matches. The last rule of a list has no conditions. */
const ruleFor = <Facts>(rules: Array<Rule<Facts>>, facts: Facts, words: Words): Rule<Facts> =>
	rules.find(({ conditions }) => conditions.every((matches) => matches(facts, words)))!;

/**
 * Completes the text of every error of a request with what the person cannot know: how often it was sent,
 * and which project was read. What the item may have changed is added where the error leaves the node.
 */
function complete(
	{ message, description }: UserMessage,
	words: Words,
	{ attempts, status }: { attempts?: Attempts; status?: number } = {},
): UserMessage {
	const tries =
		attempts !== undefined && attempts.count > 1
			? afterTries(attempts.count, inSeconds(attempts.elapsedMs, 'less than a second'))
			: '';
	const isOfSeveral = words.container?.of !== undefined;
	const note = isOfSeveral ? projectNote(words, status) : '';
	return { message: message + tries, description: append(description, note) };
}

export function toApiError(source: ErrorSource, request: RequestWithRules, response: ApiResponse) {
	const { rules = [] } = request.endpoint;
	const { attempts, status, isRouteMissing, retryAfterMs } = response;
	const words = wordsOf(source, request, response);
	const rule = ruleFor([...rules, ...RESPONSE_RULES], response, words);
	const text = rule.text(words, response);
	// Often the response to a sign-in is that of a proxy, or of another server: the person has to know what
	// was sent. A proxy that wants a password has not passed it on.
	const isPassedOn = !isStatus(status, 'proxyAuthenticationRequired');
	if (source.credentialKind === 'signingIn' && isPassedOn && !rules.includes(rule)) {
		text.description = append(text.description, signInSent(words));
	}
	return new ActivepiecesError(complete(text, words, { attempts, status }), {
		httpStatus: status,
		isRouteMissing,
		isRefusal: isRefusal(response),
		isRecordUnknown: isRecordUnknown(response),
		retryAfterMs,
		// A web page with a success comes from a wrong Base URL, which the message is about.
		outcome:
			response.isHtml && !isStatus(status, 'clientError', 'serverError')
				? 'said'
				: attempts?.outcome,
	});
}

export function errorForConnection(
	source: ErrorSource,
	request: RequestWithRules,
	error: ConnectionError,
	attempts?: Attempts,
): ActivepiecesError {
	const words = wordsOf(source, request);
	const text = ruleFor(CONNECTION_RULES, error, words).text(words, error);
	return new ActivepiecesError(complete(text, words, { attempts }), {
		connectionError: error.kind,
		outcome: attempts?.outcome,
	});
}

export function listMessage(
	source: ErrorSource,
	request: RequestWithRules,
	facts: ListFacts,
): UserMessage {
	const words = wordsOf(source, request);
	return complete(LIST_TEXTS[facts.kind](words, facts), words);
}
