import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Endpoint } from './endpoint';
import { validationError } from './error';
import { capitalize } from './text';
import { pathSegment } from './values';
import type { RequestSubject } from './words';

/** What is sent to a webhook, which reaches the author of the flow and not the API. */
export interface WebhookCall {
	/** JSON as text, because any value can be sent */
	json: string;
	/** Headers that a person has added */
	headers: Record<string, string>;
	/** In this order; a name may appear several times */
	query: Array<[name: string, value: string]>;
	/** Minimum time-out, even if that of API requests is shorter */
	minTimeoutMs?: number;
	/** Overrides all other time-outs */
	timeoutMs?: number;
	/** Whether the response is the flow's own, with any status */
	isFlowResponse?: boolean;
}

/** A request of the API, without the Base URL. */
export interface ApiRequest extends Endpoint {
	/** Fills `{id}` in the path, as exactly one path segment */
	id?: unknown;
	/** Only parameters that are set; a list is sent as repeated keys */
	query?: IDataObject;
	body?: IDataObject;
	/** For the request of a webhook, which is sent without the credential */
	webhook?: WebhookCall;
	/** What the request is about, for messages */
	subject: RequestSubject;
}

/**
 * The path with its ID filled in.
 *
 * @throws {ValidationError} when the ID is empty or invalid
 */
function fillPath({ path, id, subject }: ApiRequest): string {
	if (!path.includes('{id}')) return path;
	const result = pathSegment(id);
	if ('invalid' in result) {
		throw validationError(
			`${capitalize(subject.field ?? subject.noun)} ${result.invalid}`,
			`Choose the ${subject.noun} from the list or enter its ID.`,
		);
	}
	return path.replace('{id}', result.segment);
}

/** Adds the query to the URL, because n8n's helper would drop names such as `constructor`. */
function queryText(query: WebhookCall['query']): string {
	if (query.length === 0) return '';
	return `?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
}

/** Header names that n8n's helper drops in lower case. HTTP accepts them in capitals as well. */
const DROPPED_NAMES = ['__proto__', 'constructor', 'prototype'];

function headersOf({ headers }: WebhookCall): Record<string, string> {
	const own = Object.entries(headers).map(([name, value]): [string, string] => [
		DROPPED_NAMES.includes(name) ? name.toUpperCase() : name,
		value,
	]);
	const hasAccept = own.some(([name]) => name.toLowerCase() === 'accept');
	return Object.fromEntries([
		...own,
		...(hasAccept ? [] : [['Accept', '*/*']]),
		['Content-Type', 'application/json'],
	]);
}

/** The request options that all requests share. */
export function httpOptions(request: ApiRequest): IHttpRequestOptions {
	const { method, query, body, webhook } = request;
	if (webhook !== undefined) {
		return {
			method,
			url: fillPath(request) + queryText(webhook.query),
			// As text: n8n's helper would drop an empty object.
			body: webhook.json,
			headers: headersOf(webhook),
		};
	}
	return {
		method,
		url: fillPath(request),
		qs: query ?? {},
		arrayFormat: 'repeat',
		// GET and DELETE have no body and therefore no Content-Type: the service refuses a DELETE that
		// announces JSON and has none.
		body,
		json: true,
		headers: { Accept: 'application/json' },
	};
}
