import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { validationError } from './errors/activepiecesError';
import { capitalised } from './errors/userMessage';
import { pathSegment } from './pathSegment';

/** A path of the API with its method, as the contract writes it: `/v1/folders/{id}`. */
export interface Endpoint {
	method: IHttpRequestMethods & ('GET' | 'POST' | 'DELETE');
	path: string;
}

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

/** The words in which messages speak of a request. */
export interface RequestSubject {
	/** The thing asked for, for example "folder" or "flows" */
	noun: string;
	/** Display name of the field that names the thing, for example "Folder" */
	field?: string;
	/** Part of a plan that the service may refuse with 402, for example "global connections" */
	feature?: string;
	/** The name that is being given to the thing */
	newName?: string;
	/** What may keep the service from answering in time */
	delayedBy?: string;
	/** What the thing lies in, when that was named by id, for example the project of flows */
	within?: { noun: string; id: string; name?: string };
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

/** The options common to all requests: every judgement of the response is ours, not the engine's. */
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
		// Decoded by us, after secrets have been taken out (`response.ts`).
		encoding: 'text',
		headers: { Accept: 'application/json' },
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// The engine would send the key along to another origin.
		disableFollowRedirect: true,
	};
}
