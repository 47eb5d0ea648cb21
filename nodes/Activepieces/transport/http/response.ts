import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { plainText } from '../texts';
import { isRecord, recordOf, textOf } from '../values';
import type { ConnectionError } from './connectionError';
import type { Redactor } from './redact';

/* A response as the package reads it: its status by name, who sent it, and its body without secrets. */

/** The names of HTTP statuses. `verdict.ts` says what they mean for a request. */
const STATUSES = {
	200: 'ok',
	204: 'noContent',
	400: 'badRequest',
	// The credential is not accepted.
	401: 'unauthorized',
	// The plan lacks a feature, or its limit is reached.
	402: 'paymentRequired',
	// The role or the user lacks a permission. Also the response for a deleted project (recorded).
	403: 'forbidden',
	// No such record or endpoint, or a proxy has lost its server.
	404: 'notFound',
	405: 'methodNotAllowed',
	407: 'proxyAuthenticationRequired',
	// The server stopped waiting for the request.
	408: 'requestTimeout',
	// The state of the record does not allow it.
	409: 'conflict',
	410: 'gone',
	413: 'contentTooLarge',
	414: 'uriTooLong',
	425: 'tooEarly',
	429: 'tooManyRequests',
	431: 'headersTooLarge',
	500: 'internalServerError',
	502: 'badGateway',
	503: 'serviceUnavailable',
	504: 'gatewayTimeout',
} as const;

/** Cloudflare's, for a server that it cannot reach */
const FIRST_UNREACHABLE = 520;
const LAST_UNREACHABLE = 530;

const CLASSES = ['informational', 'success', 'redirect', 'clientError', 'serverError'] as const;

export type StatusName = (typeof STATUSES)[keyof typeof STATUSES] | 'unreachableOrigin';
export type StatusClass = (typeof CLASSES)[number];

export function namesOfStatus(status: number): [name: StatusName | undefined, of: StatusClass] {
	const isUnreachable = status >= FIRST_UNREACHABLE && status <= LAST_UNREACHABLE;
	const name = (STATUSES as Record<number, StatusName | undefined>)[status];
	const of = CLASSES[Math.floor(status / 100) - 1] ?? 'serverError';
	return [isUnreachable ? 'unreachableOrigin' : name, of];
}

export function isStatus(
	status: unknown,
	...names: Array<StatusName | StatusClass | undefined>
): boolean {
	if (typeof status !== 'number') return false;
	const [name, of] = namesOfStatus(status);
	return names.includes(of) || (name !== undefined && names.includes(name));
}

/**
 * The milliseconds that a service asks to wait: Retry-After in seconds, or an HTTP date, which is compared
 * with the Date of the response, because clocks differ. undefined when it is not understood or past.
 */
function parseRetryAfter(value = '', date = ''): number | undefined {
	const asked = Number(value) * 1000 || Date.parse(value) - (Date.parse(date) || Date.now());
	return asked > 0 && asked < 8.64e15 ? asked : undefined;
}

/** What a request, or all requests of an input item, may have changed on the server. */
export type Outcome = 'nothing' | 'maybe' | 'done';

export interface Attempts {
	count: number;
	elapsedMs: number;
	/** What they may have changed, all together; undefined for a GET */
	outcome?: Outcome;
}

/** The response of a webhook, with secrets redacted in text. */
interface WebhookResponse {
	headers: IDataObject;
	text: string;
	content: Buffer;
	/** From the request to the last byte, in milliseconds, without earlier attempts */
	elapsedMs: number;
	/**
	 * The ID that the service assigns to every call of a webhook, whatever its outcome (recorded in every
	 * release). It is not the ID of a run
	 */
	requestId?: string;
}

/** A response of a server, parsed once so that every decision uses the same text. */
export interface ApiResponse {
	status: number;
	/** Decoded JSON; undefined for an empty body; a text if it is not JSON */
	body: unknown;
	/** A web page instead of data: from the web app, or from a proxy */
	isHtml: boolean;
	location?: string;
	/** How long the server asked to wait before the next request, in milliseconds */
	retryAfterMs?: number;
	/** Not JSON, and terminated by the end of the connection, so that a complete body looks like a cut one */
	maybeTruncated: boolean;
	/** `code` of either of the service's two shapes, for example ENTITY_NOT_FOUND */
	code?: string;
	/** `params.message` or `message`, except texts that do not help */
	message?: string;
	/** `params` of the service's own shape: data, only shown through `plainText` */
	params: IDataObject;
	/** The framework's own 404: this server does not have the route */
	isRouteMissing: boolean;
	/** The server's clock at the response, in milliseconds since 1970 */
	date?: number;
	/** Whether a server of the Community edition refused an API key, since that edition has none */
	isWithoutKeys?: boolean;
	/** The raw response, only for a webhook: it may contain anything */
	webhook?: WebhookResponse;
	/** Set by `HttpClient.request` */
	attempts?: Attempts;
}

/** The result of a request that was sent once. */
export type AttemptResult = ({ response: ApiResponse } | { connectionError: ConnectionError }) & {
	/** It is that of the preceding sign-in; the request itself was not sent */
	isSignIn?: boolean;
	/** Of a sign-in that the run does not try again */
	isFinal?: boolean;
};

/** Internal errors of the service that come with any status (recorded on real servers): never shown. */
const USELESS_MESSAGE = /^cannot read propert(y|ies) of (undefined|null)/i;

/**
 * Whether the service itself refused or failed: in almost all recordings its body then has one of two shapes, `{code,
 * params}`, or `{statusCode, error, message}` of its framework. The text of a proxy may be JSON with a `code` as well.
 */
export function isFromService({ body, status }: Pick<ApiResponse, 'body' | 'status'>): boolean {
	if (!isRecord(body)) return false;
	const { code, params, statusCode, error, message } = body;
	return (
		(typeof code === 'string' && isRecord(params)) ||
		(statusCode === status && typeof error === 'string' && typeof message === 'string')
	);
}

/**
 * Whether the service does not know the record of the request. A proxy that has lost its server responds with
 * a 404 of its own, maybe that of Fastify or Express, and 0.73 sends no code for folders (recorded).
 */
export const isRecordUnknown = (response: ApiResponse): boolean =>
	isStatus(response.status, 'notFound') &&
	isFromService(response) &&
	!response.isRouteMissing &&
	!/^(Cannot|Route) DELETE\b/.test(response.message ?? '');

/** Whether the service carried out the request. A web page with status 200 does not count. */
export function isSuccess({ status, isHtml }: Pick<ApiResponse, 'status' | 'isHtml'>): boolean {
	return isStatus(status, 'success') && !isHtml;
}

/** A text of the server for messages; undefined when it does not help. */
function usefulMessage(value: unknown, redactor: Redactor): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = plainText(redactor.message(value));
	return text === '' || USELESS_MESSAGE.test(text) ? undefined : text;
}

export function parseWebhookResponse(
	{ headers, body }: IN8nHttpFullResponse,
	came: Pick<WebhookResponse, 'content' | 'elapsedMs'>,
	redactor: Redactor,
): WebhookResponse {
	const clean = (value: unknown) => (typeof value === 'string' ? redactor.data(value) : value);
	// A header that may appear several times, such as set-cookie, is a list.
	const texts = Object.entries(headers ?? {}).map(([name, value]): [string, unknown] => [
		name,
		Array.isArray(value) ? value.map(clean) : clean(value),
	]);
	const answered = Object.fromEntries(texts) as IDataObject;
	return {
		headers: answered,
		requestId: textOf(answered['x-webhook-id']) || undefined,
		text: redactor.data(typeof body === 'string' ? body : ''),
		...came,
	};
}

/** The `params` that messages use; a server may send millions of others */
const PARAMS = [
	...['message', 'entityType', 'permission', 'error', 'standardError'],
	'failedJobRetentionDays',
];

const paramsOf = (params: IDataObject, redactor: Redactor): IDataObject =>
	Object.fromEntries(
		// The reason of a failed check is in `context` (recorded).
		[recordOf(params.context), params].flatMap((given) =>
			PARAMS.filter((name) => Object.hasOwn(given, name)).map((name) => {
				const value = given[name];
				return [name, typeof value === 'string' ? redactor.message(value) : value];
			}),
		),
	);

function header(response: IN8nHttpFullResponse, name: string): string | undefined {
	const value = response.headers?.[name];
	return typeof value === 'string' ? value : undefined;
}

/** Where a redirect leads to, unless the address contains a secret */
function locationOf(response: IN8nHttpFullResponse, redactor: Redactor): string | undefined {
	const location = header(response, 'location');
	if (location === undefined || !redactor.isClean(location)) return undefined;
	return usefulMessage(location, redactor);
}

/** Decodes the JSON of a body; a body that is not JSON is returned as it is. */
function decode(body: unknown, redactor: Redactor): unknown {
	if (body === '' || body === null) return undefined;
	if (typeof body !== 'string') return body;
	try {
		return redactor.json(body);
	} catch {
		return redactor.data(body);
	}
}

/** Removes secrets from the body, so that no item and no message made from it can show them. */
export function parseResponse(response: IN8nHttpFullResponse, redactor: Redactor): ApiResponse {
	const status = response.statusCode;
	const body = decode(response.body, redactor);
	const error = isRecord(body) ? body : {};
	const params = isRecord(error.params) ? paramsOf(error.params, redactor) : {};
	const message = usefulMessage(error.message, redactor);
	const isHtml =
		/\bhtml\b/i.test(header(response, 'content-type') ?? '') ||
		(typeof body === 'string' && /^\s*<(!doctype|html)/i.test(body));
	const date = header(response, 'date');
	const isFramed =
		header(response, 'content-length') !== undefined ||
		header(response, 'transfer-encoding') !== undefined;
	// Job counts are text, and complete.
	const isJson = /\bjson\b/i.test(header(response, 'content-type') ?? 'json');
	return {
		status,
		body,
		isHtml,
		location: locationOf(response, redactor),
		retryAfterMs: parseRetryAfter(header(response, 'retry-after'), date),
		maybeTruncated:
			isSuccess({ status, isHtml }) && isJson && typeof body === 'string' && !isFramed,
		code: usefulMessage(error.code, redactor),
		message: usefulMessage(params.message, redactor) ?? message,
		params,
		date: Date.parse(date ?? '') || undefined,
		isRouteMissing:
			isStatus(status, 'notFound') && error.statusCode === status && message === 'Route not found',
	};
}

/** Codes of a 403 about the session, or its user. */
export const SESSION_CODES = ['SESSION_EXPIRED', 'USER_IS_INACTIVE'];
