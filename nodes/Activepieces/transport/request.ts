import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Endpoint, RequestSubject } from './endpoint';
import { validationError } from './errors/activepiecesError';
import { pathSegment } from './pathSegment';
import { capitalised } from './plainText';

/** What is sent to a webhook: not to the API, but to whoever made the flow. */
export interface WebhookCall {
	/** JSON as text, since any value can be sent */
	json: string;
	/** Those that a person has added */
	headers: Record<string, string>;
	/** The answer may take as long, even if the requests of the API may not */
	minTimeoutMs?: number;
	/** Comes before all other times */
	timeoutMs?: number;
}

/** One request of the API, before it has an address. */
export interface ApiRequest extends Endpoint {
	/** Fills `{id}` in the path; becomes exactly one path segment */
	id?: unknown;
	/** Only what is set; a list is sent as repeated keys */
	query?: IDataObject;
	body?: IDataObject;
	/** The request of a webhook, which goes out without the credential */
	webhook?: WebhookCall;
	/** What the request is about, for messages */
	subject: RequestSubject;
}

/**
 * The path with its id filled in.
 *
 * @throws {ValidationError} when the id is empty or cannot be one
 */
function fillPath({ path, id, subject }: ApiRequest): string {
	if (!path.includes('{id}')) return path;
	const result = pathSegment(id);
	if ('invalid' in result) {
		throw validationError(
			`${capitalised(subject.field ?? subject.noun)} ${result.invalid}`,
			`Choose the ${subject.noun} from the list or enter its ID.`,
		);
	}
	return path.replace('{id}', result.segment);
}

/** The options common to all requests. */
export function httpOptions(request: ApiRequest): IHttpRequestOptions {
	const { method, query, body, webhook } = request;
	if (webhook !== undefined) {
		return {
			method,
			url: fillPath(request),
			qs: query ?? {},
			arrayFormat: 'repeat',
			// As text: n8n's helper would leave an empty object out.
			body: webhook.json,
			headers: { ...webhook.headers, Accept: '*/*', 'Content-Type': 'application/json' },
		};
	}
	return {
		method,
		url: fillPath(request),
		qs: query ?? {},
		arrayFormat: 'repeat',
		// GET and DELETE carry no body and so no Content-Type: the service refuses a DELETE that
		// announces JSON and has none.
		body,
		json: true,
		headers: { Accept: 'application/json' },
	};
}
