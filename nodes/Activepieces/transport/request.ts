import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Endpoint, RequestSubject } from './endpoint';
import { validationError } from './errors/activepiecesError';
import { pathSegment } from './pathSegment';
import { capitalised } from './plainText';

/** One request of the API, before it has an address. */
export interface ApiRequest extends Endpoint {
	/** Fills `{id}` in the path; becomes exactly one path segment */
	id?: unknown;
	/** Only what is set; a list is sent as repeated keys */
	query?: IDataObject;
	body?: IDataObject;
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
	const { method, query, body } = request;
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
