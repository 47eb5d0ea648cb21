import type { ConnectionError } from '../http/connectionError';
import { isRecordUnknown, isStatus, type ApiResponse, type Attempts } from '../http/response';
import { isRefusedByService } from '../http/verdict';
import { append, inSeconds } from '../texts';
import { ActivepiecesError, IncompleteListError, type UserMessage } from './error';
import { CONNECTION_RULES, LIST_RULES, RESPONSE_RULES } from './messages';
import {
	ruleForKind,
	ruleForResponse,
	textOfRule,
	type ListFacts,
	type ResponseRule,
} from './rule';
import {
	factsOf,
	wordsOf,
	type ErrorRequest,
	type ErrorSource,
	type Facts,
	type Words,
} from './words';

/* The error for a response, a connection error or an incomplete list, with its text from the rows. */

/** A request, and what responses mean at its endpoint, in front of what they mean at any. */
type RequestWithRules = ErrorRequest & { endpoint: { rules?: ResponseRule[] } };

const afterTries = (tries: number, time: string) => `, after ${tries} tries in ${time}`;

/** Added to the description when another response came to the email and password */
const signInSent = ({ baseUrl, path }: Words): string =>
	` The email and password were sent to ${baseUrl}${path}.`;

/** Added to the description when the request is for one of several projects */
const projectNote = ({ containerName }: Words): string =>
	` The error occurred in the project ${containerName}.`;

/**
 * Completes the text of every error of a request with what the person cannot know: how often it was sent,
 * and which project was read. What the item may have changed is added where the error leaves the node.
 */
function withTries(
	{ message, description }: UserMessage,
	words: Words,
	{ request }: Facts,
	{ attempts, status }: { attempts?: Attempts; status?: number } = {},
): UserMessage {
	const tries =
		attempts !== undefined && attempts.count > 1
			? afterTries(attempts.count, inSeconds(attempts.elapsedMs, 'less than a second'))
			: '';
	// A key applies to all projects.
	const isOfProject =
		request.subject.container?.of !== undefined && !isStatus(status, 'unauthorized');
	const note = isOfProject ? projectNote(words) : '';
	return { message: message + tries, description: append(description, note) };
}

export function toApiError(source: ErrorSource, request: RequestWithRules, response: ApiResponse) {
	const { rules = [] } = request.endpoint;
	const { attempts, status, isRouteMissing, retryAfterMs } = response;
	const facts = { ...factsOf(source, request), response };
	const words = wordsOf(facts, response);
	const rule = ruleForResponse([...rules, ...RESPONSE_RULES], facts);
	const text = textOfRule(rule, words, facts);
	// Often the response to a sign-in is that of a proxy, or of another server: the person has to know what
	// was sent. A proxy that wants a password has not passed it on.
	const isPassedOn = !isStatus(status, 'proxyAuthenticationRequired');
	if (source.credentialKind === 'signingIn' && isPassedOn && !rules.includes(rule)) {
		text.description = append(text.description, signInSent(words));
	}
	return new ActivepiecesError(withTries(text, words, facts, { attempts, status }), {
		httpStatus: status,
		isRouteMissing,
		isRefusal: isRefusedByService(response),
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
	const facts = { ...factsOf(source, request), error };
	const words = wordsOf(facts);
	const text = textOfRule(ruleForKind(CONNECTION_RULES, error.kind, facts), words, facts);
	return new ActivepiecesError(withTries(text, words, facts, { attempts }), {
		connectionError: error.kind,
		outcome: attempts?.outcome,
	});
}

/** A list that may be incomplete is not returned as if it were complete. */
export function incompleteListError(
	source: ErrorSource,
	request: RequestWithRules,
	list: ListFacts['list'],
): IncompleteListError {
	const facts = { ...factsOf(source, request), list };
	const words = wordsOf(facts);
	const text = textOfRule(ruleForKind(LIST_RULES, list.kind, facts), words, facts);
	return new IncompleteListError(withTries(text, words, facts));
}
