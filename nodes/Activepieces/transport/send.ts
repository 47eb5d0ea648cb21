import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { type Answer, isRecord, readAnswer, succeeded } from './answer';
import { readTrouble } from './connectionTrouble';
import { explainAnswer, explainUnexpectedBody } from './explainAnswer';
import { explainConnection } from './explainConnection';
import { capitalised, type Circumstances, type Explanation } from './explanation';
import { pathSegment } from './pathSegment';
import { patience } from './patience';
import type { ApiRequest } from './request';
import { type Effort, inWords, isInDoubt, isPassing, type Outcome, waitBeforeNext } from './retry';
import type { Session } from './session';

function fillPath(session: Session, { path, id, subject }: ApiRequest): string {
	if (!path.includes('{id}')) return path;
	const result = pathSegment(id);
	if ('refusal' in result) {
		throw session.refusal(
			`${capitalised(subject.field ?? subject.noun)} ${result.refusal}`,
			`Choose the ${subject.noun} from the list or enter its ID. Nothing was sent.`,
		);
	}
	return path.replace('{id}', result.segment);
}

function circumstances(session: Session, request: ApiRequest): Circumstances {
	const id =
		typeof request.id === 'string' || typeof request.id === 'number'
			? String(request.id)
			: undefined;
	return {
		...request.subject,
		method: request.method,
		path: request.path,
		baseUrl: session.baseUrl,
		id: id?.trim(),
	};
}

/** The options common to all requests: every judgement of the answer is ours, not the engine's. */
function toOptions(url: string, { method, query, body }: ApiRequest): IHttpRequestOptions {
	return {
		method,
		url,
		qs: query ?? {},
		arrayFormat: 'repeat',
		// GET and DELETE carry no body and so no Content-Type: the service refuses a DELETE that
		// announces JSON and has none.
		body,
		json: true,
		headers: { Accept: 'application/json' },
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// The engine would send the key along to another origin.
		disableFollowRedirect: true,
	};
}

/** Sends a request once. */
async function attempt(session: Session, options: IHttpRequestOptions): Promise<Outcome> {
	session.throwIfCancelled();
	let response: IN8nHttpFullResponse;
	try {
		response = await session.request(options);
	} catch (error) {
		session.throwIfCancelled();
		return { trouble: readTrouble(error) };
	}
	return { answer: readAnswer(response) };
}

/** Keeps count of the requests in a row that were given up, of all that share the run. */
function tellOutage({ outage }: Session, { method }: ApiRequest, outcome: Outcome): void {
	if (isPassing(outcome, method)) outage.givenUp++;
	else if ('answer' in outcome) outage.givenUp = 0;
}

/** Sends a request until something comes of it that a further try would not change. */
async function insist(
	session: Session,
	request: ApiRequest,
	options: IHttpRequestOptions,
): Promise<{ outcome: Outcome; effort: Effort }> {
	const { method } = request;
	const effort: Effort = { tries: 0, elapsed: 0, isInDoubt: false };

	for (;;) {
		const start = Date.now();
		const outcome = await attempt(session, options);
		effort.tries++;
		effort.elapsed += Date.now() - start;
		effort.isInDoubt ||= isInDoubt(outcome, method);

		// A service that is down would cost a run of thousands of items hours of waiting.
		const isOutage = session.outage.givenUp >= patience.outage;
		const wait = isOutage ? undefined : waitBeforeNext(outcome, method, effort, session.patience);
		if (wait === undefined) {
			tellOutage(session, request, outcome);
			return { outcome, effort };
		}
		const asleep = Date.now();
		await session.pause(wait);
		// Tests wait for less than they count.
		effort.elapsed += Math.max(wait, Date.now() - asleep);
	}
}

/**
 * Adds to an explanation what the person cannot know: how often it was tried, and that a change may
 * have been made although nobody confirmed it.
 */
function withEffort(
	{ message, description }: Explanation,
	{ method }: ApiRequest,
	effort: Effort | undefined,
): Explanation {
	if (effort === undefined) return { message, description };
	const doubt =
		effort.isInDoubt && method !== 'GET'
			? ' Activepieces may have done it all the same: look before you run the node again.'
			: '';
	return { message: message + inWords(effort), description: description + doubt };
}

/**
 * Sends one request and gives whatever the server answered, with any status. While the service or the
 * way to it is down the request is repeated (`retry.ts`); it keeps its place among the requests in
 * flight meanwhile, so that a service that asks for patience is not asked by all the other items.
 *
 * @throws {NodeOperationError} when the id is refused (nothing is sent) or the run was cancelled
 * @throws {NodeApiError} when no answer came
 */
export async function exchange(session: Session, request: ApiRequest): Promise<Answer> {
	const options = toOptions(fillPath(session, request), request);
	const { outcome, effort } = await session.requests(
		async () => await insist(session, request, options),
	);
	if ('answer' in outcome) return { ...outcome.answer, effort };
	const explanation = explainConnection(outcome.trouble, session.baseUrl);
	throw session.error(withEffort(explanation, request, effort));
}

/** Makes the error for an answer that is not the one asked for. */
export function unexpected(session: Session, request: ApiRequest, answer: Answer) {
	const isSuccess = succeeded(answer);
	const explain = isSuccess ? explainUnexpectedBody : explainAnswer;
	const explanation = explain(answer, circumstances(session, request));
	// The status says that it was done, and the body that it may not have been the service who said so.
	const effort = answer.effort && {
		...answer.effort,
		isInDoubt: answer.effort.isInDoubt || isSuccess,
	};
	return session.error(withEffort(explanation, request, effort), answer.status);
}

/**
 * Gives the JSON object of a successful answer, or throws the error the person reads. What was asked for
 * by id has an id; another object comes from something that is not the API of Activepieces.
 */
export function recordOf(session: Session, request: ApiRequest, answer: Answer) {
	const { body } = answer;
	const isWanted = isRecord(body) && (request.id === undefined || body.id !== undefined);
	if (!succeeded(answer) || !isWanted) throw unexpected(session, request, answer);
	return body;
}
