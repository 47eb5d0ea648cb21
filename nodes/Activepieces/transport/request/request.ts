import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { validationError } from '../errors/activepiecesError';
import { pathSegment } from '../values/pathSegment';
import { capitalised } from '../values/plainText';
import type { Endpoint, RequestSubject } from './endpoint';

/** What is sent to a webhook: not to the API, but to whoever made the flow. */
export interface WebhookCall {
	/** JSON as text, since any value can be sent */
	json: string;
	/** Those that a person has added */
	headers: Record<string, string>;
	/** In their order; a name may come several times */
	query: Array<[name: string, value: string]>;
	/** The answer may take as long, even if the requests of the API may not */
	minTimeoutMs?: number;
	/** Comes before all other times */
	timeoutMs?: number;
	/** What comes back is what the flow answers, with any status */
	isAnswerOfFlow?: boolean;
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

/** The query in the address: n8n's helper would leave out what has a name such as `constructor`. */
function queryText(query: WebhookCall['query']): string {
	if (query.length === 0) return '';
	return `?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
}

/** Names that n8n's helper leaves out when they are written like this. HTTP takes them in capitals as well. */
const LEFT_OUT = ['__proto__', 'constructor', 'prototype'];

function headersOf({ headers }: WebhookCall): Record<string, string> {
	const own = Object.entries(headers).map(([name, value]): [string, string] => [
		LEFT_OUT.includes(name) ? name.toUpperCase() : name,
		value,
	]);
	const hasAccept = own.some(([name]) => name.toLowerCase() === 'accept');
	return Object.fromEntries([
		...own,
		...(hasAccept ? [] : [['Accept', '*/*']]),
		['Content-Type', 'application/json'],
	]);
}

/** The options common to all requests. */
export function httpOptions(request: ApiRequest): IHttpRequestOptions {
	const { method, query, body, webhook } = request;
	if (webhook !== undefined) {
		return {
			method,
			url: fillPath(request) + queryText(webhook.query),
			// As text: n8n's helper would leave an empty object out.
			body: webhook.json,
			headers: headersOf(webhook),
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
