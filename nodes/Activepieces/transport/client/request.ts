import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { assertHeader, SET_BY_NODE } from '../credential/connectionSettings';
import { validationError } from '../errors/error';
import type { ResponseRule } from '../errors/rule';
import type { RequestSubject } from '../errors/words';
import type { ApiResponse } from '../http/response';
import { pathSegment } from '../ids';
import { capitalize } from '../texts';

/* An endpoint, a request to it, and the options of n8n that send it. */

/** Where other releases or editions have an endpoint. */
export interface OtherPath {
	path: string;
	query?: IDataObject;
	/** Whether this path is requested first, because the contract's path exists there with another meaning */
	isTriedFirst?: boolean;
}

/**
 * A method and path of the API, as in the contract: `/v1/folders/{id}`. What is said of the service in comments was seen
 * in exchanges with real servers where they add "(recorded)"; these are in `test/contract/har/`.
 */
export interface Endpoint {
	method: IHttpRequestMethods & ('GET' | 'POST' | 'DELETE');
	path: string;
	otherPath?: OtherPath;
	/**
	 * Whether a session of one project, as those of 0.73 are, may use it: for the eight operations of the service's
	 * contract, and for the lists in which their records are found
	 */
	worksOn073?: boolean;
	/** How the service sorts a list, if by the creation of its records (`test/engine/lists.test.ts` compares it) */
	order?: 'newestFirst' | 'oldestFirst';
	/**
	 * Whether a list continues at the time of its last record, which `createdBefore` includes to the
	 * millisecond, because its cursor loses the rest of a second (recorded)
	 */
	continuesByTime?: boolean;
	/**
	 * Whether the records of a list are so large that it is read in pages. Others come in one large page: the service
	 * has no maximum, and its cursor loses records that were created in the second in which a page ends (recorded)
	 */
	hasLargeRecords?: boolean;
	/** Whether the response may contain another record than the one in the request */
	mayReturnNewRecord?: boolean;
	/** Whether a response says that nothing was done, although its status leaves that open */
	isNotDone?: (response: ApiResponse) => boolean;
	/** What responses mean at this endpoint, in front of what they mean at any */
	rules?: ResponseRule[];
	/** Feature of a plan that messages name for a 402 and a 404, for example "global connections"; otherwise "this feature" */
	feature?: string;
}

export interface ApiRequest {
	endpoint: Endpoint;
	/** Fills `{id}` in the path, as exactly one path segment */
	id?: unknown;
	/** The records that it changes, if that is not the one in the path */
	ids?: unknown[];
	/** Only parameters that are set; a list is sent as repeated keys */
	query?: IDataObject;
	body?: IDataObject;
	subject: RequestSubject;
}

/** A record, and what messages call it */
export type RequestTarget = Pick<ApiRequest, 'id' | 'subject'>;

/**
 * What is sent to a webhook, which reaches the author of the flow and not the API. It is sent without the
 * key or the session: the run stores all headers, and members of the project can read them (recorded). The
 * credential's headers are for what stands in front of Activepieces.
 */
export interface WebhookRequest extends Omit<ApiRequest, 'query' | 'body'> {
	/** JSON as text, because any value can be sent */
	json: string;
	headers: Record<string, string>;
	/** In this order; a name may appear several times */
	query: Array<[name: string, value: string]>;
	/** Minimum time-out, even if that of API requests is shorter */
	minTimeoutMs?: number;
	timeoutMs?: number;
	/** Whether the response is the flow's own, with any status */
	isFlowResponse: boolean;
}

/** Whether a request calls a webhook. */
export const isWebhookCall = (request: ApiRequest | WebhookRequest): request is WebhookRequest =>
	'json' in request;

/**
 * The request for the records of a project, which messages name; `of` is that of `RequestSubject`, and `field`
 * the one in which a person chose the project.
 */
export const inProject = (
	request: ApiRequest,
	{ id, name, field }: { id: string; name?: string; field?: string },
	of?: number,
): ApiRequest => ({
	...request,
	query: { ...request.query, projectId: id },
	subject: {
		...request.subject,
		...(field !== undefined && { field }),
		container: { noun: 'project', id, name, of },
	},
});

function fillPath({ path }: Endpoint, { id, subject }: Pick<ApiRequest, 'id' | 'subject'>): string {
	if (!path.includes('{id}')) return path;
	const result = pathSegment(id);
	if ('invalid' in result) {
		throw validationError(
			`${capitalize(subject.field ?? subject.noun)} ${result.invalid}`,
			`Choose the ${subject.noun}, or enter its ID.`,
		);
	}
	return path.replace('{id}', result.segment);
}

/**
 * The options of a request. The body is text: n8n's helper drops names such as `constructor` from
 * objects, and fails for deep ones. A request without a body has no Content-Type: the service
 * refuses a DELETE that announces JSON and has none.
 */
export function httpOptions(request: ApiRequest): IHttpRequestOptions {
	const { endpoint, query, body } = request;
	const options: IHttpRequestOptions = {
		method: endpoint.method,
		url: fillPath(endpoint, request),
		qs: query ?? {},
		arrayFormat: 'repeat',
		headers: { Accept: 'application/json' },
	};
	if (body === undefined) return options;
	options.body = JSON.stringify(body);
	options.headers = { ...options.headers, 'Content-Type': 'application/json' };
	return options;
}

/**
 * The headers of a call, in lower case: of a header in two spellings the last one counts.
 *
 * @param where the field with the headers, for example "Headers"
 * @throws {ValidationError} for a header that cannot be sent
 */
export function webhookHeaders(headers: Array<[name: string, value: string]>, where: string) {
	for (const [name, value] of headers) assertHeader(name, value, where, SET_BY_NODE);
	return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

export function webhookOptions(request: WebhookRequest): IHttpRequestOptions {
	const { endpoint, json, headers, query } = request;
	// In the URL, because n8n's helper would drop names such as `constructor`.
	const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
	return {
		method: endpoint.method,
		url: fillPath(endpoint, request) + (search && `?${search}`),
		body: json,
		// The names of given headers are in lower case.
		headers: { accept: '*/*', ...headers, 'Content-Type': 'application/json' },
	};
}
