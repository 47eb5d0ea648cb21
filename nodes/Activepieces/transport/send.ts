import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { type Answer, isRecord, readAnswer } from './answer';
import { explainAnswer, explainUnexpectedBody } from './explainAnswer';
import { explainConnection } from './explainConnection';
import { capitalised, type Circumstances } from './explanation';
import { pathSegment } from './pathSegment';
import type { ApiRequest } from './request';
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

/**
 * Sends one request and gives whatever the server answered, with any status.
 *
 * @throws {NodeOperationError} when the id is refused (nothing is sent) or the run was cancelled
 * @throws {NodeApiError} when no answer came
 */
export async function exchange(session: Session, request: ApiRequest): Promise<Answer> {
	const options = toOptions(fillPath(session, request), request);
	return await session.requests(async () => {
		session.throwIfCancelled();
		let response: IN8nHttpFullResponse;
		try {
			response = await session.request(options);
		} catch (error) {
			session.throwIfCancelled();
			throw session.error(explainConnection(error, session.baseUrl));
		}
		return readAnswer(response);
	});
}

/** Whether the service did what it was asked. A web page with status 200 is no success. */
export function succeeded({ status, isHtml }: Answer): boolean {
	return status >= 200 && status < 300 && !isHtml;
}

/** Makes the error for an answer that is not the one asked for. */
export function unexpected(session: Session, request: ApiRequest, answer: Answer) {
	const explain = succeeded(answer) ? explainUnexpectedBody : explainAnswer;
	return session.error(explain(answer, circumstances(session, request)), answer.status);
}

/** Gives the JSON object of a successful answer, or throws the error the person reads. */
export function recordOf(session: Session, request: ApiRequest, answer: Answer) {
	if (!succeeded(answer) || !isRecord(answer.body)) throw unexpected(session, request, answer);
	return answer.body;
}
